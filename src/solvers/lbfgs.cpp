#include "solvers/lbfgs.h"

#include <algorithm>
#include <cmath>

#include "objective/vectors.h"

namespace resilin {

bool Lbfgs::push(const double* s, const double* t, std::ptrdiff_t size, ThreadPool& pool) {
  if (history_ == 0) return false;
  const auto dots = sum_chunks<3>(pool, size, scratch_, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
    return std::array<double, 3>{chunk_dot(s + b, t + b, e - b), chunk_dot(s + b, s + b, e - b), chunk_dot(t + b, t + b, e - b)};
  });
  if (!(dots[0] > 1e-12 * std::sqrt(dots[1]) * std::sqrt(dots[2]))) return false;
  if (pairs_.empty()) {
    pairs_.resize(history_);
    zeta_.resize(history_);
  }
  head_ = (head_ + 1) % history_;
  count_ = std::min(count_ + 1, history_);
  Pair& pair = newest(0);
  pair.s.resize(size);
  pair.t.resize(size);
  for_chunks(pool, size, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
    std::copy(s + b, s + e, pair.s.data() + b);
    std::copy(t + b, t + e, pair.t.data() + b);
  });
  pair.rho = dots[0];
  return true;
}

// Each pass updates q (or r) by one pair and takes the dot product that the next pair needs.
void Lbfgs::direction(const double* g, double* d, std::ptrdiff_t size, ThreadPool& pool,
                      FunctionRef<void(const double*, double*)> apply_inverse) {
  const auto update = [&](double factor, const double* add, const double* with) {
    return sum_chunks<1>(pool, size, scratch_, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      if (add != nullptr)
        for (std::ptrdiff_t i = b; i < e; ++i) d[i] += factor * add[i];
      return std::array<double, 1>{with != nullptr ? chunk_dot(d + b, with + b, e - b) : 0.0};
    })[0];
  };
  for_chunks(pool, size, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
    for (std::ptrdiff_t i = b; i < e; ++i) d[i] = -g[i];
  });
  double dot = count_ > 0 ? update(0, nullptr, newest(0).s.data()) : 0;
  for (int i = 0; i < count_; ++i) {
    zeta_[i] = dot / newest(i).rho;
    dot = update(-zeta_[i], newest(i).t.data(), i + 1 < count_ ? newest(i + 1).s.data() : nullptr);
  }
  apply_inverse(d, d);
  dot = count_ > 0 ? update(0, nullptr, newest(count_ - 1).t.data()) : 0;
  for (int i = count_ - 1; i >= 0; --i) {
    const double eta = dot / newest(i).rho;
    dot = update(zeta_[i] - eta, newest(i).s.data(), i > 0 ? newest(i - 1).t.data() : nullptr);
  }
}

}  // namespace resilin
