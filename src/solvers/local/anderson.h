// Type-II Anderson acceleration of a fixed point v = T(v) (Walker and Ni 2011): with r = T - v and the last pairs
// dr_j, dT_j of differences between iterations,
//   theta = argmin |r - sum theta_j dr_j|^2,   v <- T - sum theta_j dT_j.
// This keeps which pairs there are and their inner products, and solves for theta. The vectors belong to the
// caller, who knows how to run over them in parallel; called by admm.
#pragma once
#include <array>
#include <span>

namespace resilin {

class Anderson {
 public:
  static constexpr int most = 12;
  /// Pairs kept at most; 0 switches it off.
  explicit Anderson(int window) : window_(window) {}

  int window() const { return window_; }
  /// Pairs kept: the slots [0, size()) hold them, in no order.
  int size() const { return size_; }
  void clear() { size_ = 0, next_ = 0; }
  /// The slot to write the next pair to; the oldest pair gives way.
  int push();
  /// Inner products of the pair in `slot` with all pairs, dots[j] = dr_slot . dr_j.
  void set_products(int slot, std::span<const double> dots);
  /// theta by slot from the products r . dr_j; false when they say nothing (all pairs zero, or not finite).
  bool coefficients(std::span<const double> with_r, std::span<double> theta) const;

 private:
  int window_, size_ = 0, next_ = 0;
  std::array<std::array<double, most>, most> gram_{};
};

}  // namespace resilin
