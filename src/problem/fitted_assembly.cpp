#include "problem/fitted_assembly.h"

#include <algorithm>
#include <utility>

#include "simd/pack.h"

namespace resilin {

void FittedAssembly::lay_out(int copies) {
  SubspaceAssembly::lay_out(copies);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (!subspace_.fits(static_cast<int>(t))) continue;
    const SampledElements::OfTerm& sampled = subspace_.sample().terms[t];
    const auto slots = terms_[t].slot_element();
    std::vector<int> places;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const bool padding = terms_[t].measure(static_cast<int>(i / 8))[i % 8] == 0;
      const auto at = std::lower_bound(sampled.elements.begin(), sampled.elements.end(), slots[i]);
      places.push_back(padding ? -1 : sampled.place[at - sampled.elements.begin()]);
    }
    subspace_.arrange(static_cast<int>(t), places);
  }
  begun_ = false;
}

// 1/k is zero where an element has no stiffness and so no force.
void FittedAssembly::note_stiffness(FunctionRef<void(int term, int element, double* q)> stiffness) {
  stiffness_.assign(terms_.size(), {});
  for (int t = 0; t < static_cast<int>(terms_.size()); ++t) {
    if (!subspace_.fits(t)) continue;
    SampleStiffness& to = stiffness_[t];
    const auto slots = terms_[t].slot_element();
    const auto rows = static_cast<std::size_t>(terms_[t].rows()), size = rows * rows;
    bool plain = true;  // Q = k 1 everywhere
    to.over_k.assign(slots.size(), 0.0), to.q.assign(slots.size() * size, 0.0);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      double q[9], k = 0;
      stiffness(t, slots[i], q);
      for (std::size_t r = 0; r < rows; ++r) k += q[r * (rows + 1)] / static_cast<double>(rows);
      to.over_k[i] = k > 0 ? 1 / k : 0;
      for (std::size_t s = 0; s < size; ++s) {
        const double unit = s % (rows + 1) == 0 ? 1 : 0, value = k > 0 ? q[s] / k : unit;
        to.q[(i / 8 * size + s) * 8 + i % 8] = value;
        plain = plain && value == unit;
      }
    }
    if (plain) to.q.clear();
  }
  begun_ = false;
}

void FittedAssembly::fit(int t, const SweepBlock& sweep) {
  const Block& block = sweep.block;
  const SampleStiffness& stiffness = stiffness_[t];
  const int rows = block.rows;
  alignas(64) double p[9 * lanes];
  for (int pack = 0; pack < block.packs; ++pack) {
    const double *z = block.z + pack * 3 * rows * lanes, *dpsi = block.dpsi_z + pack * 3 * rows * lanes;
    const auto slot = static_cast<std::size_t>(block.first + pack) * lanes;
    const Pack over_k = load(&stiffness.over_k[slot]);
    for (int i = 0; i < 3 * rows; ++i) {
      Pack value = {};
      if (stiffness.q.empty()) value = load(z + i * lanes);
      else
        for (int s = 0; s < rows; ++s)
          value += load(&stiffness.q[slot * static_cast<std::size_t>(rows * rows) + (i / 3 * rows + s) * lanes]) *
                   load(z + (3 * s + i % 3) * lanes);
      store(p + i * lanes, value - over_k * load(dpsi + i * lanes));
    }
    subspace_.take_projections(t, block.first + pack, p);
  }
}

bool FittedAssembly::scatters() const {
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t].packs() > 0 && !subspace_.fits(static_cast<int>(t))) return true;
  return false;
}

void FittedAssembly::reduce(const Inertia* inertia, double* gradient, Evaluation& out) {
  if (!std::exchange(begun_, true)) subspace_.begin_fitted(inertia->tau, inertia->target, space_.pool());
  pulled_.resize(subspace_.size());
  subspace_.fitted_gradient(y_, pulled_.data(), space_.pool());
  add_forces();
  space_.components().sum(space_.pool(), 3, scratch_, sums_,
                          [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
                            double squares[3] = {};
                            for (std::ptrdiff_t i = begin; i < end; i += 3)
                              for (std::ptrdiff_t k = 0; k < 3; ++k)
                                gradient[i + k] = pulled_[i + k], squares[k] += gradient[i + k] * gradient[i + k];
                            sums[1] = squares[0] + squares[1] + squares[2];
                          });
  for (std::size_t c = 0; c < out.components.size(); ++c) out.components[c].gradient_square = sums_[3 * c + 1];
}

void FittedAssembly::add_inertia(const double* y, const Inertia& inertia, Evaluation& out) {
  const auto size = static_cast<std::size_t>(subspace_.size());
  gap_.resize(size), momentum_.resize(size);
  for (std::size_t i = 0; i < size; ++i) gap_[i] = (y[i] - inertia.target[i]) / inertia.tau;
  subspace_.inertia(gap_.data(), momentum_.data());
  space_.components().sum(space_.pool(), 1, scratch_, sums_,
                          [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
                            for (std::ptrdiff_t i = begin; i < end; ++i) sums[0] += 0.5 * momentum_[i] * gap_[i];
                          });
  for (std::size_t c = 0; c < sums_.size(); ++c) out.of(static_cast<int>(c)).inertia += sums_[c];
}

}  // namespace resilin
