#include "solvers/descent/lbfgs.h"

#include <algorithm>
#include <cmath>

namespace resilin {

bool Lbfgs::clear(int component) {
  bool had = false;
  for (int i = 0; i < count_; ++i) {
    had = had || newest(i).rho[component] > 0;
    newest(i).rho[component] = 0;
  }
  return had;
}

void Lbfgs::reserve(const Vectors& vectors) {
  const auto n = static_cast<std::size_t>(vectors.components()), most = static_cast<std::size_t>(2 * history_ + 2);
  dots_.reserve(n * most);
  for (auto* list : {&others_, &s_, &t_}) list->reserve(most);
  if (pairs_.empty()) pairs_.resize(static_cast<std::size_t>(history_) + 1);
  if (pairs_[0].rho.size() != n)
    for (Pair& pair : pairs_)
      pair.rho.assign(n, 0.0), pair.gradient.assign(n, 0.0), pair.cross.assign(n * (history_ + 1), 0.0);
  zeta_.resize(n * history_);
  for (Pair& pair : pairs_) {  // all at once: a later stage may need more of them than the first
    pair.s.resize(vectors.size());
    pair.t.resize(vectors.size());
  }
}

bool Lbfgs::push(const double* y, const double* y_next, const double* g, const double* g_next, Vectors& vectors) {
  if (history_ == 0) return false;
  reserve(vectors);
  Pair& offer = newest(-1);
  const int kept = std::min(count_, history_ - 1), per = 4 + 2 * kept;
  others_.clear();
  for (int i = 0; i < kept; ++i) others_.push_back(newest(i).s.data());
  vectors.secant({y, y_next, g, g_next, offer.s.data(), offer.t.data(), others_}, dots_);
  gradients_known_ = false;
  double curvature = 0, squares = 0;
  for (int c = 0; c < vectors.components(); ++c) {
    const double* dots = dots_.data() + static_cast<std::size_t>(c) * per;
    const bool takes_part = dots[0] > 1e-12 * std::sqrt(dots[1]) * std::sqrt(dots[2]);
    offer.rho[c] = takes_part ? dots[0] : 0;
    if (takes_part) curvature += dots[0], squares += dots[2];
  }
  if (!(curvature > 0)) return false;
  offer.scale = curvature / squares;
  for (int c = 0; c < vectors.components(); ++c) {
    const double* dots = dots_.data() + static_cast<std::size_t>(c) * per;
    offer.gradient[c] = dots[3];
    for (int i = 0; i < kept; ++i)
      cross(offer, c, slot(i)) = dots[4 + 2 * i], newest(i).gradient[c] = dots[5 + 2 * i];
  }
  gradients_known_ = true;
  head_ = slot(-1);
  count_ = kept + 1;
  return true;
}

void Lbfgs::direction(const double* g, double* d, Vectors& vectors,
                      FunctionRef<void(const double*, double*)> apply_inverse, bool pushed) {
  const int n = vectors.components(), pairs = count_;
  s_.clear(), t_.clear();
  for (int i = 0; i < pairs; ++i) s_.push_back(newest(i).s.data()), t_.push_back(newest(i).t.data());
  const auto takes_part = [&](int c, int i) { return newest(i).rho[c] > 0; };
  if (pairs == 0) dots_.clear();
  else if (!pushed || !gradients_known_) vectors.dots(s_, g, dots_);
  else {
    dots_.resize(static_cast<std::size_t>(n) * pairs);
    for (int c = 0; c < n; ++c)
      for (int i = 0; i < pairs; ++i) dots_[c * pairs + i] = newest(i).gradient[c];
  }
  for (int c = 0; c < n; ++c)
    for (int i = 0; i < pairs;
         ++i) {  // newest first: zeta_i = s_i . q / rho_i with q = -g - sum of newer zeta_j t_j
      double dot = -dots_[c * pairs + i];
      for (int j = 0; j < i; ++j)
        if (newest(j).rho[c] > 0) dot -= zeta_[c * pairs + j] * cross(newest(j), c, slot(i));
      zeta_[c * pairs + i] = newest(i).rho[c] > 0 ? dot / newest(i).rho[c] : 0;
    }
  for (double& zeta : zeta_) zeta = -zeta;
  vectors.combine(-1, g, t_, zeta_.data(), takes_part, d);
  for (double& zeta : zeta_) zeta = -zeta;
  apply_inverse(d, d);
  if (pairs == 0) return;
  vectors.dots(t_, d, dots_);
  for (int c = 0; c < n; ++c)
    for (int i = pairs - 1; i >= 0; --i) {  // oldest first: zeta_i becomes zeta_i - eta_i
      if (!(newest(i).rho[c] > 0)) continue;
      double dot = dots_[c * pairs + i];
      for (int j = pairs - 1; j > i; --j)
        if (newest(j).rho[c] > 0) dot += zeta_[c * pairs + j] * cross(newest(i), c, slot(j));
      zeta_[c * pairs + i] -= dot / newest(i).rho[c];
    }
  vectors.combine(1, d, s_, zeta_.data(), takes_part, d);
}

}  // namespace resilin
