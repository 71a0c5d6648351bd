// Where bodies touch each other: Gauss-Seidel on the vertices of touching pairs (contact_smoother.h), forwards
// before and backwards after a solve that knows the mean motions of interfaces only (coupling_rows.h). What such
// rows cannot see is local, and friction has much of it. Symmetric and positive definite where the solve in between
// overestimates the inverse. Used by the projective initial Hessian.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "solvers/constant_hessian.h"
#include "solvers/contact_rows.h"
#include "solvers/contact_smoother.h"

namespace resilin {

class InterfaceSmoother {
 public:
  /// A stage begins: nothing touches.
  void begin(Problem& problem, const ConstantHessian& hessian);
  /// These pairs touch now, and what `rows` have seen touch obstacles: rows may be older, which smoothing makes
  /// good.
  void update(const Problem& problem, const std::vector<PairStiffness>& pairs, const ContactRows* rows);
  using Solve = FunctionRef<void(const double*, double*)>;
  /// d for r, which may be the same array; `solve` in between.
  void solve(const Problem& problem, const double* r, double* d, Solve solve);

 private:
  void keep_momentum(const Problem& problem, double* d) const;

  std::uint64_t version_ = 0;
  NeighbourMatrix matrix_;
  std::vector<int> vertices_;  // ascending: who has touched in this stage
  std::vector<ContactSmoother::Point> points_, touching_;
  ContactSmoother smoother_;
  std::vector<char> alone_;  // islands that nothing else holds, by the component that leads
  std::vector<std::array<double, 3>> push_;
  std::vector<double> load_;
};

}  // namespace resilin
