#include "problem/assembly.h"

#include <algorithm>
#include <cmath>

namespace resilin {

void Assembly::lay_out(int copies) {
  positions.assign(static_cast<std::size_t>(copies) * 4, 0.0);
  forces.assign(positions.size(), 0.0);
}

void Assembly::take_sums(const std::vector<double>& sums, Evaluation& out) {
  for (std::size_t c = 0; c < out.components.size(); ++c) {
    Evaluation::Part& of = out.components[c];
    of.inertia = sums[3 * c], of.gradient_square = sums[3 * c + 1], of.cancelled = sums[3 * c + 2];
  }
}

void VertexAssembly::add(int vertex, const double gradient[3], double scale) {
  const auto rows = partition_.copies_of(vertex);
  for (int k = 0; k < 3 && !rows.empty(); ++k) forces[4 * rows[0] + k] += scale * gradient[k];
}

// Sums the copies of every vertex, adds inertia and measures, in one pass.
void VertexAssembly::reduce(const Inertia* inertia, double* gradient, Evaluation& out) {
  const double weight = inertia != nullptr ? 1 / (inertia->tau * inertia->tau) : 0;
  const auto& free = space_.free_index();
  space_.components().sum(space_.pool(), 3, scratch_, sums_,
                          [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
                            double energy = 0, squares = 0, cancelled = 0;
                            for (int v = static_cast<int>(begin / 3); v < end / 3; ++v) {
                              const bool pinned = inertia != nullptr && free[v] < 0;
                              double g[3] = {0, 0, 0};
                              if (gradient != nullptr)
                                for (const int row : partition_.copies_of(v))
                                  for (int k = 0; k < 3; ++k) g[k] += forces[4 * row + k];
                              if (weight > 0 && !pinned) {
                                const double m = weight * model_.mass[v];
                                for (int k = 0; k < 3; ++k) {
                                  const double x = y_[3 * v + k], gap = x - inertia->target[3 * v + k];
                                  g[k] += m * gap;
                                  energy += 0.5 * m * gap * gap;
                                  cancelled += m * std::abs(gap) * std::abs(x);
                                }
                              }
                              if (gradient == nullptr) continue;
                              for (int k = 0; k < 3; ++k) {
                                gradient[3 * v + k] = pinned ? 0 : g[k];
                                squares += pinned ? 0 : g[k] * g[k];
                              }
                            }
                            sums[0] = energy, sums[1] = squares, sums[2] = cancelled;
                          });
  take_sums(sums_, out);
}

void SubspaceAssembly::lay_out(int copies) {
  Assembly::lay_out(copies);
  std::vector<int> listed;
  for (int part = 0; part < partition_.parts(); ++part)
    listed.insert(listed.end(), partition_.vertices(part).begin(), partition_.vertices(part).end());
  subspace_.list(listed);
}

void SubspaceAssembly::begin(const double* y) {
  y_ = y;
  vertices_.clear(), gradient_of_vertex_.clear();
  subspace_.begin_lift(y);
}

void SubspaceAssembly::add(int vertex, const double gradient[3], double scale) {
  if (!space_.components().active(space_.component()[vertex])) return;
  vertices_.push_back(vertex);
  gradient_of_vertex_.insert(gradient_of_vertex_.end(),
                             {scale * gradient[0], scale * gradient[1], scale * gradient[2], 0.0});
}

// Parts that were not swept have forces of an earlier evaluation.
void SubspaceAssembly::clear_finished() {
  for (int part = 0; part < partition_.parts(); ++part)
    if (!space_.components().active(partition_.component_of_part(part)))
      std::fill(forces.begin() + 4 * static_cast<std::ptrdiff_t>(partition_.offset(part)),
                forces.begin() + 4 * static_cast<std::ptrdiff_t>(partition_.offset(part + 1)), 0.0);
}

void SubspaceAssembly::add_forces() {
  if (scatters()) {
    clear_finished();
    subspace_.pull_back_listed(forces.data(), pulled_.data(), space_.pool());
  }
  if (!vertices_.empty()) subspace_.pull_back(vertices_, gradient_of_vertex_.data(), pulled_.data());
}

void SubspaceAssembly::reduce(const Inertia* inertia, double* gradient, Evaluation& out) {
  const auto size = static_cast<std::size_t>(subspace_.size());
  gap_.resize(size), momentum_.assign(size, 0.0);
  if (inertia != nullptr) {
    const double weight = 1 / (inertia->tau * inertia->tau);
    for (std::size_t i = 0; i < size; ++i) gap_[i] = weight * (y_[i] - inertia->target[i]);
    subspace_.inertia(gap_.data(), momentum_.data());
  }
  if (gradient != nullptr) pulled_ = momentum_, add_forces();
  space_.components().sum(space_.pool(), 3, scratch_, sums_,
                          [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
                            for (std::ptrdiff_t i = begin; i < end; ++i) {
                              if (inertia != nullptr) sums[0] += 0.5 * momentum_[i] * (y_[i] - inertia->target[i]);
                              if (gradient != nullptr)
                                gradient[i] = pulled_[i], sums[1] += gradient[i] * gradient[i];
                              sums[2] += std::abs(momentum_[i] * y_[i]);
                            }
                          });
  take_sums(sums_, out);
}

}  // namespace resilin
