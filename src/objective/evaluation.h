// What Phi is at a point, by connected component: the value that Objective::evaluate returns.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace resilin {

struct Evaluation {
  struct Part {
    double inertia = 0, potential = 0;  // [J]
    double gradient_square = 0;         // [N^2]; 0 where no gradient was asked for
    // The rounding of Phi itself: of its parts, and of the stiffness that cancels in them near rest.
    double precision = 0;
    double value() const { return inertia + potential; }
    /// Differences of Phi below this cannot be told from round-off (X11).
    double round_off() const { return 1e-12 * std::max(std::abs(inertia), std::abs(potential)) + precision; }
  };
  std::vector<Part> components;  // zero where a component is not active

  double inertia() const {
    return sum([](const Part& c) { return c.inertia; });
  }
  double potential() const {
    return sum([](const Part& c) { return c.potential; });
  }
  double value() const { return inertia() + potential(); }
  double gradient_norm() const {
    return std::sqrt(sum([](const Part& c) { return c.gradient_square; }));
  }
  double round_off() const {
    return sum([](const Part& c) { return c.round_off(); });
  }

 private:
  template <class Of>
  double sum(Of&& of) const {
    double total = 0;
    for (const Part& part : components) total += of(part);
    return total;
  }
};

}  // namespace resilin
