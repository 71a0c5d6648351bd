#include "solvers/lbfgs.h"

#include <algorithm>
#include <cmath>

namespace resilin {

bool Lbfgs::push(const double* y, const double* y_next, const double* g, const double* g_next, std::ptrdiff_t size, ThreadPool& pool) {
  if (history_ == 0) return false;
  if (pairs_.empty()) {
    pairs_.resize(history_ + 1);
    for (Pair& pair : pairs_) pair.cross.resize(history_ + 1);
    zeta_.resize(history_);
    dots_.reserve(2 * history_ + 2);
    add_.reserve(history_);
  }
  Pair& offer = newest(-1);
  offer.s.resize(size);
  offer.t.resize(size);
  double *s = offer.s.data(), *t = offer.t.data();
  const int kept = std::min(count_, history_ - 1);
  dots_.resize(4 + 2 * kept);
  sum_chunks(pool, size, scratch_, dots_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    for_blocks(begin, end, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t k = b; k < e; ++k) {
        s[k] = y_next[k] - y[k];
        t[k] = g_next[k] - g[k];
      }
      sums[0] += chunk_dot(s + b, t + b, e - b);
      sums[1] += chunk_dot(s + b, s + b, e - b);
      sums[2] += chunk_dot(t + b, t + b, e - b);
      sums[3] += chunk_dot(s + b, g_next + b, e - b);
      for (int i = 0; i < kept; ++i) {
        sums[4 + 2 * i] += chunk_dot(newest(i).s.data() + b, t + b, e - b);
        sums[5 + 2 * i] += chunk_dot(newest(i).s.data() + b, g_next + b, e - b);
      }
    });
  });
  gradients_known_ = false;
  if (!(dots_[0] > 1e-12 * std::sqrt(dots_[1]) * std::sqrt(dots_[2]))) return false;
  offer.rho = dots_[0];
  offer.scale = dots_[0] / dots_[2];
  offer.gradient = dots_[3];
  for (int i = 0; i < kept; ++i) offer.cross[slot(i)] = dots_[4 + 2 * i], newest(i).gradient = dots_[5 + 2 * i];
  gradients_known_ = true;
  head_ = slot(-1);
  count_ = kept + 1;
  return true;
}

void Lbfgs::direction(const double* g, double* d, std::ptrdiff_t size, ThreadPool& pool,
                      FunctionRef<void(const double*, double*)> apply_inverse, bool pushed) {
  dots_.resize(count_);
  // dots_[i] = v . (s or t of pair i)
  const auto dots = [&](const double* v, std::vector<double> Pair::*member) {
    if (count_ == 0) return;
    sum_chunks(pool, size, scratch_, dots_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
      for_blocks(begin, end, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
        for (int i = 0; i < count_; ++i) sums[i] += chunk_dot((newest(i).*member).data() + b, v + b, e - b);
      });
    });
  };
  // d = factor v + sign sum of zeta_i (s or t of pair i)
  const auto combine = [&](double factor, const double* v, std::vector<double> Pair::*member, double sign) {
    add_.clear();
    for (int i = 0; i < count_; ++i) add_.push_back({sign * zeta_[i], (newest(i).*member).data()});
    for_chunks(pool, size, [&](std::ptrdiff_t b, std::ptrdiff_t e) { chunk_combine(factor, v, add_, d, b, e); });
  };
  if (!pushed || !gradients_known_) dots(g, &Pair::s);
  else for (int i = 0; i < count_; ++i) dots_[i] = newest(i).gradient;
  for (int i = 0; i < count_; ++i) {  // newest first: zeta_i = s_i . q / rho_i with q = -g - sum of newer zeta_j t_j
    double dot = -dots_[i];
    for (int j = 0; j < i; ++j) dot -= zeta_[j] * newest(j).cross[slot(i)];
    zeta_[i] = dot / newest(i).rho;
  }
  combine(-1, g, &Pair::t, -1);
  apply_inverse(d, d);
  if (count_ == 0) return;
  dots(d, &Pair::t);
  for (int i = count_ - 1; i >= 0; --i) {  // oldest first: zeta_i becomes zeta_i - eta_i
    double dot = dots_[i];
    for (int j = count_ - 1; j > i; --j) dot += zeta_[j] * newest(i).cross[slot(j)];
    zeta_[i] -= dot / newest(i).rho;
  }
  combine(1, d, &Pair::s, 1);
}

}  // namespace resilin
