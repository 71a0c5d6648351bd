#include "solvers/precondition/conjugate_gradients.h"

#include <cmath>

#include "core/chunks.h"

namespace resilin {

void ConjugateGradients::analyse(const SymmetricMatrix& a) {
  matrix_ = a;
  product_ = RowProduct(a);
  if (preconditioner_ && !foreign_) preconditioner_->analyse(a);
  for (auto* v : {&x_, &r_, &z_, &p_, &ap_}) v->resize(3 * static_cast<std::size_t>(a.size()));
}

Factorisation ConjugateGradients::factorise(const SymmetricMatrix& a, ThreadPool& pool) {
  matrix_.value = a.value;
  for (const double v : a.value)
    if (!std::isfinite(v)) return {false, 0, v};
  if (!preconditioner_ || foreign_) return {};
  return preconditioner_->factorise(a, pool);
}

LinearSolver& ConjugateGradients::precondition_with_other() {
  foreign_ = true;
  return *preconditioner_;
}

void ConjugateGradients::precondition(ThreadPool& pool) const {
  if (preconditioner_) preconditioner_->solve(r_.data(), z_.data(), pool);
  else std::copy(r_.begin(), r_.end(), z_.begin());
}

// Hestenes and Stiefel 1952.
void ConjugateGradients::solve(const double* b, double* x, ThreadPool& pool) const {
  const auto n = static_cast<std::ptrdiff_t>(x_.size());
  const auto dots = [&](const std::vector<double>& u, const std::vector<double>& v) {
    return sum_chunks<2>(pool, n, sums_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      return std::array<double, 2>{chunk_dot(u.data() + begin, v.data() + begin, end - begin),
                                   chunk_dot(u.data() + begin, u.data() + begin, end - begin)};
    });
  };
  std::copy(b, b + n, r_.begin());
  std::fill(x_.begin(), x_.end(), 0.0);
  precondition(pool);
  p_ = z_;
  auto [rz, rr] = dots(r_, z_);
  const double enough = limits_.tolerance * limits_.tolerance * rr;
  negative_curvature_ = false;
  last_iterations_ = 0;
  while (last_iterations_ < limits_.iterations && rr > enough && rr > 0) {
    product_.multiply(matrix_, p_.data(), ap_.data(), pool);
    const double curvature = dots(p_, ap_)[0];
    negative_curvature_ = !(curvature > 0);
    if (negative_curvature_) {
      if (last_iterations_ == 0) x_ = p_;
      break;
    }
    const double alpha = rz / curvature;
    for_chunks(pool, n, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t k = begin; k < end; ++k) x_[k] += alpha * p_[k], r_[k] -= alpha * ap_[k];
    });
    ++last_iterations_;
    precondition(pool);
    const double before = rz;
    const auto after = dots(r_, z_);
    rz = after[0], rr = after[1];
    for_chunks(pool, n, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t k = begin; k < end; ++k) p_[k] = z_[k] + rz / before * p_[k];
    });
  }
  std::copy(x_.begin(), x_.end(), x);
}

}  // namespace resilin
