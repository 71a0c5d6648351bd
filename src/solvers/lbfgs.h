// Secant pairs of L-BFGS and the two-loop recursion (Liu et al. Alg. 2): d = -B g with B the inverse of the initial Hessian
// improved by the last m pairs. Knows vectors only.
//
// The recursion needs s_j . q only through s_j . g and s_j . t_i with t_i newer than s_j. These are kept as a small matrix, so
// that each loop of the recursion becomes one pass of dot products and one pass of sums: 4m vectors are read, and little else; or 3m,
// when the products s_j . g are left over from the pass that took the newest pair.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "objective/vectors.h"

namespace resilin {

class Lbfgs {
 public:
  explicit Lbfgs(int history = 5) : history_(history) {}

  void clear() { count_ = 0; }
  int count() const { return count_; }
  /// s.t / t.t of the newest pair: the scale of the inverse Hessian along it; zero without pairs.
  double scale() const { return count_ > 0 ? pairs_[slot(0)].scale : 0; }
  /// Offers the pair s = y_next - y, t = g_next - g. Skipped unless s.t > 1e-12 |s||t| (X12): a pair of no curvature would make
  /// B indefinite. True when taken.
  bool push(const double* y, const double* y_next, const double* g, const double* g_next, std::ptrdiff_t size, ThreadPool& pool);
  /// d = -B g; `apply_inverse(q, r)` computes r = A0^-1 q and may be called with q == r. With `pushed` g is the g_next of the last push.
  void direction(const double* g, double* d, std::ptrdiff_t size, ThreadPool& pool,
                 FunctionRef<void(const double*, double*)> apply_inverse, bool pushed = false);

 private:
  struct Pair {
    std::vector<double> s, t;
    double rho = 0, scale = 0;  // s . t, and over t . t
    double gradient = 0;        // s . g_next of the last push
    std::vector<double> cross;  // s_j . t by slot j, for the pairs that are older than this one
  };
  Pair& newest(int i) { return pairs_[slot(i)]; }
  int slot(int i) const { return (head_ + history_ + 1 - i) % (history_ + 1); }

  int history_, count_ = 0, head_ = 0;
  bool gradients_known_ = false;
  std::vector<Pair> pairs_;  // history + 1: the spare one takes the pair on offer
  std::vector<double> zeta_, dots_, scratch_;
  std::vector<Scaled> add_;
};

}  // namespace resilin
