#include "solvers/descent/harmonic_start.h"

#include <algorithm>
#include <cmath>

namespace resilin {

void HarmonicStart::couple(const Problem& problem) {
  if (tau_ == problem.stage().tau && revision_ == problem.constant().stamp()) return;
  tau_ = problem.stage().tau, revision_ = problem.constant().stamp();
  entries_.clear();
  const auto& free = problem.space().free_index();
  for (int t = 0; t < problem.elements().term_count(); ++t) {
    const Term& term = problem.elements().term(t);
    for (int i = 0; i < term.elements.size(); ++i) {
      const auto ids = term.elements.vertices(i);
      const auto c = term.elements.coefficients(i);
      const int rows = term.elements.rows(), corners = term.elements.corners();
      if (std::all_of(ids.begin(), ids.end(), [&](int v) { return free[v] >= 0; })) continue;
      double q[9];
      problem.constant().element_stiffness(t, i, q);
      for (int k = 0; k < rows * rows; ++k) q[k] *= term.elements.measure(i);
      for (int a = 0; a < corners; ++a)
        for (int b = 0; b < corners; ++b) {
          if (free[ids[a]] < 0 || free[ids[b]] >= 0) continue;
          double value = 0;
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s) value += c[r * corners + a] * q[r * rows + s] * c[s * corners + b];
          entries_.push_back({ids[a], ids[b], value});
        }
    }
  }
}

bool HarmonicStart::load(const Problem& problem, const std::vector<double>& y, std::vector<double>& r) {
  const Stage& stage = problem.stage();
  couple(problem);
  r.assign(y.size(), 0.0);
  double largest = 0;
  for (const Entry& e : entries_)
    for (int k = 0; k < 3; ++k) {
      const std::size_t p = 3 * static_cast<std::size_t>(e.pinned) + k;
      const double delta = y[p] - stage.origin[p] - stage.tau * stage.velocity[p];
      r[3 * e.free + k] -= e.value * delta;
      largest = std::max(largest, std::abs(delta));
    }
  return largest > 1e-12 * problem.space().model_size();
}

}  // namespace resilin
