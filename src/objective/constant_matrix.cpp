// The constant Hessian M/tau^2 + sum measure D^T Q D: its pattern, its numbers, and the scales of its stiffness.
#include <algorithm>
#include <bit>
#include <cassert>

#include "objective/element_sample.h"
#include "objective/objective.h"

namespace resilin {

SymmetricMatrix Objective::pattern(int block) const {
  std::vector<int> offset = {0}, members;
  for (const Term& term : model_.terms)
    for (int i = 0; i < term.elements.size(); ++i) {
      for (const int v : term.elements.vertices(i)) members.push_back(free_index_[v]);
      offset.push_back(static_cast<int>(members.size()));
    }
  return SymmetricMatrix(free_count_, block, offset, members);
}

const std::vector<StretchSums>& Objective::sum_stretches(const double* y) {
  const std::size_t count = scale_.size();
  stretch_sums_.assign(count, {});
  group_sums_.assign(count * sample().groups.size(), {});
  sweep_sample(y, [&](int group, SweepBlock& sweep) {
    if (sweep.block.rows < 2) return;
    decompose(sweep.block);
    const int t = sample_->groups[group].term;
    StretchSums* sums = &group_sums_[group * count + first_potential_[t]];
    for (const auto& kernel : sample_->kernels[t].elastic())
      kernel->sum_stretches(sweep.block, sweep.measure, *sums++);
  });
  for (std::size_t i = 0; i < group_sums_.size(); ++i) {
    stretch_sums_[i % count].stress += group_sums_[i].stress;
    stretch_sums_[i % count].stiffness += group_sums_[i].stiffness;
  }
  return stretch_sums_;
}

void Objective::scale_stiffness(const std::vector<double>& by_potential) {
  assert(by_potential.size() == scale_.size());
  scale_ = by_potential;
  // Equal scales give equal numbers (FNV-1a), so that a factor made for them earlier is found again.
  stiffness_revision_ = revision_.stiffness;
  if (std::all_of(scale_.begin(), scale_.end(), [](double scale) { return scale == 1; })) return;
  for (const double scale : scale_)
    stiffness_revision_ = (stiffness_revision_ ^ std::bit_cast<std::uint64_t>(scale)) * 0x100000001b3u;
}

void Objective::element_stiffness(int t, int element, double* q) const {
  const Term& term = model_.terms[t];
  const int size = term.elements.rows() * term.elements.rows();
  double one[9];
  std::fill_n(q, size, 0.0);
  for (std::size_t p = 0; p < term.elastic.size(); ++p) {
    term.elastic[p]->quadratic(element, tau_, one);
    for (int k = 0; k < size; ++k) q[k] += scale_[first_potential_[t] + p] * one[k];
  }
  for (const auto& damping : term.damping) {
    damping->quadratic(element, tau_, one);
    for (int k = 0; k < size; ++k) q[k] += one[k];
  }
}

SymmetricMatrix Objective::constant_matrix() const {
  if (subspace_ != nullptr) return constant_matrix_in_subspace();
  return constant_matrix_with([&](int t, int i, double* q) { element_stiffness(t, i, q); });
}

SymmetricMatrix Objective::constant_matrix(const ElementWeights& weights) const {
  return constant_matrix_with([&](int t, int i, double* q) {
    const int rows = model_.terms[t].elements.rows();
    for (int r = 0; r < rows; ++r) q[r * rows + r] = weights[t][i];
  });
}

// A pair of corners (a, b) has one entry of the lower triangle, whichever of the two comes first.
void Objective::plan_constant_matrix() const {
  if (planned_structure_ == revision_.structure) return;
  planned_structure_ = revision_.structure;
  constant_pattern_ = pattern(1);
  diagonal_slots_.assign(static_cast<std::size_t>(vertices()), -1);
  for (int v = 0; v < vertices(); ++v)
    if (free_index_[v] >= 0) diagonal_slots_[v] = constant_pattern_.find(free_index_[v], free_index_[v]);
  constant_slots_.assign(model_.terms.size(), {});
  for (std::size_t t = 0; t < model_.terms.size(); ++t) {
    const Elements& e = model_.terms[t].elements;
    for (int i = 0; i < e.size(); ++i) {
      const auto ids = e.vertices(i);
      for (int a = 0; a < e.corners(); ++a)
        for (int b = 0; b < e.corners(); ++b) {
          const int row = free_index_[ids[a]], column = free_index_[ids[b]];
          constant_slots_[t].push_back(row < column || column < 0 ? -1 : constant_pattern_.find(row, column));
        }
    }
  }
}

SymmetricMatrix Objective::constant_matrix_with(
    FunctionRef<void(int term, int element, double* q)> stiffness) const {
  plan_constant_matrix();
  SymmetricMatrix matrix = constant_pattern_;
  for (int v = 0; v < vertices(); ++v)
    if (free_index_[v] >= 0) matrix.value[diagonal_slots_[v]] += model_.mass[v] / (tau_ * tau_);
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) {
    const Elements& e = model_.terms[t].elements;
    const int rows = e.rows(), corners = e.corners();
    const int* slot = constant_slots_[t].data();
    for (int i = 0; i < e.size(); ++i) {
      double q[9] = {};
      stiffness(t, i, q);
      const auto c = e.coefficients(i);
      for (int a = 0; a < corners; ++a)
        for (int b = 0; b < corners; ++b, ++slot) {
          if (*slot < 0) continue;
          double sum = 0;
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s) sum += c[r * corners + a] * q[r * rows + s] * c[s * corners + b];
          matrix.value[*slot] += e.measure(i) * sum;
        }
    }
  }
  return matrix;
}

}  // namespace resilin
