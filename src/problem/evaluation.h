// What Phi is at a point, by island of connected components (components.h).
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace resilin {

struct Evaluation {
  struct Part {
    double inertia = 0, potential = 0;  // [J]
    double gradient_square = 0;         // [N^2]; 0 where no gradient was asked for
    // The rounding of Phi itself: of its parts, and of the stiffness that cancels in them near rest.
    double precision = 0;
    double cancelled = 0;  // sum of m/tau^2 |y - target| |y|: numbers that cancel in the inertia [J]
    double value() const { return inertia + potential; }
    Part& operator+=(const Part& more) {
      inertia += more.inertia, potential += more.potential, gradient_square += more.gradient_square;
      precision += more.precision, cancelled += more.cancelled;
      return *this;
    }
    /// Differences of Phi below this cannot be told from round-off (X11).
    double round_off() const { return 1e-12 * std::max(std::abs(inertia), std::abs(potential)) + precision; }
  };
  double infeasibility = 0;  // of inequalities: the largest depth [m]
  /// By component; zero where one is not active, and where it does not lead its island.
  std::vector<Part> components;
  std::vector<int> island;  // first component of each component's island; empty: each is alone
  /// Of the island that a component belongs to.
  const Part& of(int component) const { return components[leader(component)]; }
  Part& of(int component) { return components[leader(component)]; }
  /// Gathers what the components of an island have.
  void join(std::span<const int> islands) {
    island.assign(islands.begin(), islands.end());
    for (std::size_t c = 0; c < island.size(); ++c)
      if (leader(static_cast<int>(c)) != c) of(static_cast<int>(c)) += std::exchange(components[c], {});
  }

  double inertia() const { return sum(&Part::inertia); }
  double potential() const { return sum(&Part::potential); }
  double value() const { return inertia() + potential(); }
  double gradient_norm() const { return std::sqrt(sum(&Part::gradient_square)); }
  double round_off() const { return sum(&Part::round_off); }

 private:
  std::size_t leader(int component) const { return island.empty() ? component : island[component]; }
  template <class Of>
  double sum(Of&& of) const {
    double total = 0;
    for (const Part& part : components) total += std::invoke(of, part);
    return total;
  }
};

}  // namespace resilin
