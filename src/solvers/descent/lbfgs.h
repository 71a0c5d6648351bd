// Secant pairs of L-BFGS and the two-loop recursion (Liu et al. Alg. 2): d = -B g with B the inverse of the initial
// Hessian improved by the last m pairs. Knows vectors only.
//
// Connected components have scalars of their own (s.t, s.g, ...): B is block-diagonal like the Hessian, and what
// one body does changes nothing for another.
//
// The recursion needs s_j . q only through s_j . g and s_j . t_i with t_i newer than s_j. These are kept as a small
// matrix, so that each loop of the recursion becomes one pass of dot products and one pass of sums: 4m vectors are
// read, and little else; or 3m, when the products s_j . g are left over from the pass that took the newest pair.
#pragma once
#include <vector>

#include "problem/vectors.h"

namespace resilin {

class Lbfgs {
 public:
  explicit Lbfgs(int history = 5) : history_(history) {}

  void clear() { count_ = 0; }
  /// Drops what one component has; false when it had nothing.
  bool clear(int component);
  int count() const { return count_; }
  /// s.t / t.t of the newest pair over all components: the scale of the inverse Hessian along it; zero without
  /// pairs.
  double scale() const { return count_ > 0 ? pairs_[slot(0)].scale : 0; }
  /// Offers the pair s = y_next - y, t = g_next - g. A component takes part when s.t > 1e-12 |s||t| (X12): a pair
  /// of no curvature would make B indefinite. True when one does; else nothing is kept.
  bool push(const double* y, const double* y_next, const double* g, const double* g_next, Vectors& vectors);
  /// d = -B g; `apply_inverse(q, r)` computes r = A0^-1 q and may be called with q == r. With `pushed` g is the
  /// g_next of the last push.
  void direction(const double* g, double* d, Vectors& vectors,
                 FunctionRef<void(const double*, double*)> apply_inverse, bool pushed = false);

 private:
  struct Pair {
    std::vector<double> s, t;
    double scale = 0;
    // By component: s . t (zero: takes no part); s . g_next of the last push; s_j . t by slot j, for the pairs
    // older than this one.
    std::vector<double> rho, gradient, cross;
  };
  Pair& newest(int i) { return pairs_[slot(i)]; }
  int slot(int i) const { return (head_ + history_ + 1 - i) % (history_ + 1); }
  double& cross(Pair& pair, int component, int slot) { return pair.cross[component * (history_ + 1) + slot]; }
  void reserve(const Vectors& vectors);

  int history_, count_ = 0, head_ = 0;
  bool gradients_known_ = false;
  std::vector<Pair> pairs_;  // history + 1: the spare one takes the pair on offer
  std::vector<double> zeta_, dots_;
  std::vector<const double*> others_, s_, t_;
};

}  // namespace resilin
