// Couplings (resilin/coupling.h) in a linear solve. With B the inverse Hessian without them, whatever approximates it, and g = grad c,
//
//   (B^-1 + sum k g g^T)^-1 = B - B G (K^-1 + G^T B G)^-1 G^T B                     (Woodbury; G, K of all couplings)
//
// so they cost one solve each when B or the point changes, and no factorisation. Shared by all solvers that have a global step.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "objective/objective.h"

namespace resilin {

class CouplingRows {
 public:
  /// Gradients at y and B of them; solve(r, d) is B, d and r may be the same array.
  void update(const Objective& objective, const double* y, FunctionRef<void(const double*, double*)> solve);
  /// d = B r becomes the solution with the couplings.
  void correct(const Objective& objective, double* d);
  /// All of it at once: d for r.
  void solve(const Objective& objective, const double* y, const double* r, double* d,
             FunctionRef<void(const double*, double*)> solve);

 private:
  struct Row {
    std::vector<int> vertices;
    int component;
    double stiffness;
    std::vector<double> gradient, column;  // g on `vertices`, zero where they are pinned; B g on all
    double along(const double* d) const;   // g^T d
  };
  std::vector<Row> rows_;
  std::vector<double> factor_, pulls_;  // factor: Cholesky of K^-1 + G^T B G, lower triangle
};

}  // namespace resilin
