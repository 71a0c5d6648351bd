#include "solvers/lbfgs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace resilin {
namespace {

constexpr int most_history = 128;

}  // namespace

bool Lbfgs::clear(int component) {
  bool had = false;
  for (int i = 0; i < count_; ++i) {
    had = had || newest(i).rho[component] > 0;
    newest(i).rho[component] = 0;
  }
  return had;
}

void Lbfgs::reserve(const ComponentSet& components, std::ptrdiff_t size) {
  const auto n = static_cast<std::size_t>(components.count()), most = static_cast<std::size_t>(2 * history_ + 2);
  dots_.reserve(n * most);
  scratch_.reserve(components.chunks().size() * (most + 8));
  if (pairs_.empty()) pairs_.resize(static_cast<std::size_t>(history_) + 1);
  if (pairs_[0].rho.size() != n)
    for (Pair& pair : pairs_)
      pair.rho.assign(n, 0.0), pair.gradient.assign(n, 0.0), pair.cross.assign(n * (history_ + 1), 0.0);
  zeta_.resize(n * history_);
  for (Pair& pair : pairs_) {  // all at once: a later stage may need more of them than the first
    pair.s.resize(static_cast<std::size_t>(size));
    pair.t.resize(static_cast<std::size_t>(size));
  }
}

bool Lbfgs::push(const double* y, const double* y_next, const double* g, const double* g_next,
                 const ComponentSet& components, ThreadPool& pool) {
  if (history_ == 0) return false;
  std::ptrdiff_t size = 0;
  for (const auto& chunk : components.chunks()) size = std::max(size, chunk.end);
  if (!pairs_.empty()) size = std::max(size, std::ssize(newest(0).s));  // finished components keep their places
  reserve(components, size);
  Pair& offer = newest(-1);
  double *s = offer.s.data(), *t = offer.t.data();
  const int kept = std::min(count_, history_ - 1), per = 4 + 2 * kept;
  components.sum(pool, per, scratch_, dots_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
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
  double curvature = 0, squares = 0;
  for (int c = 0; c < components.count(); ++c) {
    const double* dots = dots_.data() + static_cast<std::size_t>(c) * per;
    const bool takes_part = dots[0] > 1e-12 * std::sqrt(dots[1]) * std::sqrt(dots[2]);
    offer.rho[c] = takes_part ? dots[0] : 0;
    if (takes_part) curvature += dots[0], squares += dots[2];
  }
  if (!(curvature > 0)) return false;
  offer.scale = curvature / squares;
  for (int c = 0; c < components.count(); ++c) {
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

void Lbfgs::direction(const double* g, double* d, const ComponentSet& components, ThreadPool& pool,
                      FunctionRef<void(const double*, double*)> apply_inverse, bool pushed) {
  const int n = components.count(), pairs = count_;
  // dots_[c][i] = v . (s or t of pair i) on component c
  const auto dots = [&](const double* v, std::vector<double> Pair::*member) {
    components.sum(pool, pairs, scratch_, dots_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
      for_blocks(begin, end, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
        for (int i = 0; i < pairs; ++i) sums[i] += chunk_dot((newest(i).*member).data() + b, v + b, e - b);
      });
    });
  };
  // d = factor v + sign sum of zeta_i (s or t of pair i)
  const auto combine = [&](double factor, const double* v, std::vector<double> Pair::*member, double sign) {
    components.each(pool, [&](std::ptrdiff_t b, std::ptrdiff_t e, int c) {
      std::array<Scaled, most_history> add;
      int count = 0;
      for (int i = 0; i < pairs; ++i)
        if (newest(i).rho[c] > 0) add[count++] = {sign * zeta_[c * pairs + i], (newest(i).*member).data()};
      chunk_combine(factor, v, std::span(add.data(), static_cast<std::size_t>(count)), d, b, e);
    });
  };
  if (pairs == 0) dots_.clear();
  else if (!pushed || !gradients_known_) dots(g, &Pair::s);
  else {
    dots_.resize(static_cast<std::size_t>(n) * pairs);
    for (int c = 0; c < n; ++c)
      for (int i = 0; i < pairs; ++i) dots_[static_cast<std::size_t>(c) * pairs + i] = newest(i).gradient[c];
  }
  for (int c = 0; c < n; ++c)
    for (int i = 0; i < pairs;
         ++i) {  // newest first: zeta_i = s_i . q / rho_i with q = -g - sum of newer zeta_j t_j
      double dot = -dots_[static_cast<std::size_t>(c) * pairs + i];
      for (int j = 0; j < i; ++j)
        if (newest(j).rho[c] > 0) dot -= zeta_[c * pairs + j] * cross(newest(j), c, slot(i));
      zeta_[c * pairs + i] = newest(i).rho[c] > 0 ? dot / newest(i).rho[c] : 0;
    }
  combine(-1, g, &Pair::t, -1);
  apply_inverse(d, d);
  if (pairs == 0) return;
  dots(d, &Pair::t);
  for (int c = 0; c < n; ++c)
    for (int i = pairs - 1; i >= 0; --i) {  // oldest first: zeta_i becomes zeta_i - eta_i
      if (!(newest(i).rho[c] > 0)) continue;
      double dot = dots_[static_cast<std::size_t>(c) * pairs + i];
      for (int j = pairs - 1; j > i; --j)
        if (newest(j).rho[c] > 0) dot += zeta_[c * pairs + j] * cross(newest(i), c, slot(j));
      zeta_[c * pairs + i] -= dot / newest(i).rho[c];
    }
  combine(1, d, &Pair::s, 1);
}

}  // namespace resilin
