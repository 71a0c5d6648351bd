// The constant Hessian M/tau^2 + sum measure D^T Q D: its pattern, its numbers, and the scales of its stiffness.
#include "problem/constant_matrix.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace resilin {

void ConstantMatrix::update(const Revision& revision) {
  revision_ = revision, stamp_ = revision.stiffness;
  first_potential_.clear();
  std::size_t count = 0;
  for (const Term& term : elements_.model().terms)
    first_potential_.push_back(static_cast<int>(count)), count += term.elastic.size();
  scale_.assign(count, 1.0);
}

void ConstantMatrix::begin(double tau) {
  tau_ = tau, stamp_ = revision_.stiffness;
  std::fill(scale_.begin(), scale_.end(), 1.0);
}

SymmetricMatrix ConstantMatrix::pattern(int block) const {
  std::vector<int> offset = {0}, members;
  for (const Term& term : elements_.model().terms)
    for (int i = 0; i < term.elements.size(); ++i) {
      for (const int v : term.elements.vertices(i)) members.push_back(space_.free_index()[v]);
      offset.push_back(static_cast<int>(members.size()));
    }
  return SymmetricMatrix(space_.free_rows(), block, offset, members);
}

const std::vector<StretchSums>& ConstantMatrix::sum_stretches(const double* y) {
  const std::size_t count = scale_.size();
  stretch_sums_.assign(count, {});
  const ElementSample& sample = elements_.sample();
  group_sums_.assign(count * sample.groups.size(), {});
  elements_.sweep_sample(y, [&](int group, SweepBlock& sweep) {
    if (sweep.block.rows < 2) return;
    decompose(sweep.block);
    const int t = sample.groups[group].term;
    StretchSums* sums = &group_sums_[group * count + first_potential_[t]];
    for (const auto& kernel : sample.kernels[t].elastic())
      kernel->sum_stretches(sweep.block, sweep.measure, *sums++);
  });
  for (std::size_t i = 0; i < group_sums_.size(); ++i) {
    stretch_sums_[i % count].stress += group_sums_[i].stress;
    stretch_sums_[i % count].stiffness += group_sums_[i].stiffness;
  }
  return stretch_sums_;
}

void ConstantMatrix::scale(const std::vector<double>& by_potential) {
  assert(by_potential.size() == scale_.size());
  scale_ = by_potential;
  // Equal scales give equal numbers (FNV-1a), so that a factor made for them earlier is found again.
  stamp_ = revision_.stiffness;
  if (std::all_of(scale_.begin(), scale_.end(), [](double factor) { return factor == 1; })) return;
  for (const double factor : scale_) stamp_ = (stamp_ ^ std::bit_cast<std::uint64_t>(factor)) * 0x100000001b3u;
}

void ConstantMatrix::element_stiffness(int t, int element, double* q) const {
  const Term& term = elements_.model().terms[t];
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

SymmetricMatrix ConstantMatrix::matrix() {
  if (subspace_ != nullptr) return in_subspace();
  return with([&](int t, int i, double* q) { element_stiffness(t, i, q); });
}

void ConstantMatrix::restore() {
  if (subspace_ != nullptr && fitted_of_ != stamp_) in_subspace();
}

SymmetricMatrix ConstantMatrix::matrix(const ElementWeights& weights) {
  return with([&](int t, int i, double* q) {
    const int rows = elements_.model().terms[t].elements.rows();
    for (int r = 0; r < rows; ++r) q[r * rows + r] = weights[t][i];
  });
}

// A pair of corners (a, b) has one entry of the lower triangle, whichever of the two comes first.
void ConstantMatrix::plan() {
  if (planned_structure_ == revision_.structure) return;
  planned_structure_ = revision_.structure;
  pattern_ = pattern(1);
  diagonal_slots_.assign(space_.vertices(), -1);
  for (int v = 0; v < space_.vertices(); ++v)
    if (space_.free_index()[v] >= 0)
      diagonal_slots_[v] = pattern_.find(space_.free_index()[v], space_.free_index()[v]);
  slots_.assign(elements_.model().terms.size(), {});
  for (std::size_t t = 0; t < elements_.model().terms.size(); ++t) {
    const Elements& e = elements_.model().terms[t].elements;
    for (int i = 0; i < e.size(); ++i) {
      const auto ids = e.vertices(i);
      for (int a = 0; a < e.corners(); ++a)
        for (int b = 0; b < e.corners(); ++b) {
          const int row = space_.free_index()[ids[a]], column = space_.free_index()[ids[b]];
          slots_[t].push_back(row < column || column < 0 ? -1 : pattern_.find(row, column));
        }
    }
  }
}

SymmetricMatrix ConstantMatrix::with(FunctionRef<void(int term, int element, double* q)> stiffness) {
  plan();
  SymmetricMatrix matrix = pattern_;
  for (int v = 0; v < space_.vertices(); ++v)
    if (space_.free_index()[v] >= 0) matrix.value[diagonal_slots_[v]] += elements_.model().mass[v] / (tau_ * tau_);
  for (int t = 0; t < static_cast<int>(elements_.model().terms.size()); ++t) {
    const Elements& e = elements_.model().terms[t].elements;
    const int rows = e.rows(), corners = e.corners();
    const int* slot = slots_[t].data();
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

// Soft pins of a subspace are springs, which couple the rows that a pinned vertex follows.
SymmetricMatrix ConstantMatrix::in_subspace() {
  fitted_of_ = stamp_;
  fitted_->note_stiffness([&](int t, int i, double* q) { element_stiffness(t, i, q); });
  SymmetricMatrix matrix = subspace_->constant_matrix(
      tau_, [&](int t, int i, double* q) { element_stiffness(t, i, q); }, space_.pool());
  std::vector<std::pair<int, double>> weights;
  double k;
  for (const Term& term : *pins_) {
    term.elastic[0]->quadratic(0, tau_, &k);
    for (int i = 0; i < term.elements.size(); ++i) {
      subspace_->weights(term.elements.vertices(i)[0], weights);
      for (const auto& [row, a] : weights)
        for (const auto& [column, b] : weights)
          if (column <= row) matrix.value[matrix.find(row, column)] += k * a * b;
    }
  }
  return matrix;
}

}  // namespace resilin
