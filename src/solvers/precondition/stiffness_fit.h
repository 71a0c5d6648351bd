// Which k the constant Hessian of quasi-Newton has (docs/theory/materials.md). Liu et al. fit it on an interval of
// stretches, once and for all (Eq. 11). Where the slope of the stress depends much on the strain, no interval
// suits: mu (s - 1)^4 strained by 2 % is six hundred times softer than strained by 50 %. `stretches` fits the same
// line to the stretches at the first point of a stage,
//
//   k = sum measure (s - 1) f(s) / sum measure (s - 1)^2     over sampled elements, s held within fit_interval
//
// and scales L when the factor in use is far from the mean of the last few stages: where pins swing, the first
// points of stages are strained very differently.
#pragma once
#include <vector>

#include "problem/problem.h"
#include "resilin/params.h"

namespace resilin {

class StiffnessFit {
 public:
  static Params params();
  explicit StiffnessFit(const Settings& settings);
  bool on() const { return on_; }
  /// Before the constant Hessian is asked for: a stage begins at y. The scales in use are kept in `memory`, for
  /// resumed runs.
  void update(Problem& problem, const double* y, Memory& memory);

 private:
  bool on_;
  std::vector<double> scale_;
};

}  // namespace resilin
