#include "solvers/coupling_rows.h"

#include <algorithm>
#include <cmath>

#include "resilin/coupling.h"

namespace resilin {

double CouplingRows::Row::along(const double* d) const {
  double sum = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) sum += gradient[3 * i + k] * d[3 * static_cast<std::size_t>(vertices[i]) + k];
  return sum;
}

void CouplingRows::update(const Objective& objective, const double* y,
                          FunctionRef<void(const double*, double*)> solve) {
  rows_.clear();
  for (const auto& coupling : objective.model().couplings) {
    const auto ids = coupling->vertices();
    const int component = objective.component()[ids[0]];
    if (!objective.components().active(component)) continue;
    Row row{{ids.begin(), ids.end()},
            component,
            coupling->stiffness(),
            std::vector<double>(3 * ids.size()),
            std::vector<double>(static_cast<std::size_t>(objective.size()), 0.0)};
    coupling->constraint(y, 3, row.gradient.data());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (objective.free_index()[ids[i]] < 0) std::fill_n(&row.gradient[3 * i], 3, 0.0);
      std::copy_n(&row.gradient[3 * i], 3, &row.column[3 * static_cast<std::size_t>(ids[i])]);
    }
    solve(row.column.data(), row.column.data());
    rows_.push_back(std::move(row));
  }
  const std::size_t n = rows_.size();
  factor_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = rows_[i].component == rows_[j].component ? rows_[i].along(rows_[j].column.data()) : 0;
      if (i == j) sum += 1 / rows_[i].stiffness;
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      factor_[i * n + j] = i == j ? std::sqrt(sum) : sum / factor_[j * n + j];
    }
}

void CouplingRows::solve(const Objective& objective, const double* y, const double* r, double* d,
                         FunctionRef<void(const double*, double*)> solve) {
  update(objective, y, solve);
  solve(r, d);
  correct(objective, d);
}

void CouplingRows::correct(const Objective& objective, double* d) {
  const std::size_t n = rows_.size();
  if (n == 0) return;
  pulls_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = objective.components().active(rows_[i].component) ? rows_[i].along(d) : 0;
    for (std::size_t k = 0; k < i; ++k) sum -= factor_[i * n + k] * pulls_[k];
    pulls_[i] = sum / factor_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) pulls_[i] -= factor_[k * n + i] * pulls_[k];
    pulls_[i] /= factor_[i * n + i];
  }
  objective.components().each(objective.pool(), [&](std::ptrdiff_t begin, std::ptrdiff_t end, int component) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::ptrdiff_t k = begin; rows_[i].component == component && k < end; ++k)
        d[k] -= pulls_[i] * rows_[i].column[static_cast<std::size_t>(k)];
  });
}

}  // namespace resilin
