// Secant pairs of L-BFGS and the two-loop recursion (Liu et al. Alg. 2): d = -B g with B the inverse of the initial Hessian
// improved by the last m pairs. Knows vectors only.
#pragma once
#include <vector>

#include "core/thread_pool.h"

namespace resilin {

class Lbfgs {
 public:
  explicit Lbfgs(int history = 5) : history_(history) {}

  void clear() { count_ = 0; }
  int count() const { return count_; }
  /// Offers the pair s = x_{k+1} - x_k, t = g_{k+1} - g_k. Skipped unless s.t > 1e-12 |s||t| (X12): a pair of no curvature
  /// would make B indefinite. True when taken.
  bool push(const double* s, const double* t, std::ptrdiff_t size, ThreadPool& pool);
  /// d = -B g; `apply_inverse(q, r)` computes r = A0^-1 q and may be called with q == r.
  void direction(const double* g, double* d, std::ptrdiff_t size, ThreadPool& pool,
                 FunctionRef<void(const double*, double*)> apply_inverse);

 private:
  struct Pair {
    std::vector<double> s, t;
    double rho = 0;
  };
  Pair& newest(int i) { return pairs_[(head_ + static_cast<int>(pairs_.size()) - i) % pairs_.size()]; }

  int history_, count_ = 0, head_ = 0;
  std::vector<Pair> pairs_;
  std::vector<double> zeta_, scratch_;
};

}  // namespace resilin
