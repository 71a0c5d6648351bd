// What the objective does where its unknowns are not vertices (subspace.h).
#include <algorithm>
#include <cmath>
#include <utility>

#include "objective/objective.h"
#include "potentials/pin.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double pin_stiffness = 1000;  // of the mean stiffness of a vertex

// Mean diagonal of the constant stiffness, by vertex.
double mean_stiffness(const Objective& objective) {
  const Model& model = objective.model();
  double trace = 0, q[9];
  for (int t = 0; t < static_cast<int>(model.terms.size()); ++t) {
    const Elements& e = model.terms[t].elements;
    const int rows = e.rows(), corners = e.corners();
    for (int i = 0; i < e.size() && e.translation_free(); ++i) {
      objective.element_stiffness(t, i, q);
      for (int k = 0; k < rows * corners; ++k)
        trace += e.measure(i) * q[k / corners * (rows + 1)] * std::pow(e.coefficients(i)[k], 2);
    }
  }
  return trace / std::max(1, model.vertex_count());
}

}  // namespace

// Rows of unknowns move many vertices: a pinned one is held by a spring that is stiff against its body, and stands in the constant Hessian.
void Objective::hold_pins() {
  pin_terms_.clear(), pin_packs_.clear();
  if (model_.pins.empty()) return;
  const double mean = mean_stiffness(*this);
  const double k =
      pin_stiffness * (mean > 0 ? mean : model_.total_mass() / std::max(1, vertices()) / (tau_ * tau_));
  for (const Pin& pin : model_.pins)
    pin_terms_.push_back({"pin", Elements::points(pin.vertices), {make_pin(k, pin.start, pin.motion)}});
  for (const Term& term : pin_terms_) pin_packs_.emplace_back(term);
}

void Objective::find_accelerations() {
  const auto size = static_cast<std::size_t>(this->size());
  const auto one = subspace_->translation();
  rest_.resize(size);
  subspace_->project(model_.rest.data(), rest_.data());
  gravity_.resize(size);
  for (std::size_t i = 0; i < size; ++i) gravity_[i] = one[i / 3] * model_.gravity[i % 3];
  force_.assign(model_.forces.size(), std::vector<double>(size, 0.0));
  for (std::size_t f = 0; f < force_.size(); ++f) {
    const ExternalForce& force = model_.forces[f];
    std::vector<int> ids = force.vertices;
    for (int v = 0; force.vertices.empty() && v < vertices(); ++v) ids.push_back(v);
    std::vector<double> rows(4 * ids.size(), 0.0);
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        rows[4 * i + k] = (force.per_mass ? model_.mass[static_cast<std::size_t>(ids[i])] : 1) * force.vector[k];
    subspace_->pull_back(ids, rows.data(), force_[f].data());
    subspace_->solve_inertia(force_[f].data(), force_[f].data());
  }
}

void Objective::number_samples() {
  std::vector<int> listed;
  for (int part = 0; part < partition_.parts(); ++part)
    listed.insert(listed.end(), partition_.vertices(part).begin(), partition_.vertices(part).end());
  subspace_->list(listed);
  for (std::size_t t = 0; t < packed_.size(); ++t) {
    if (!subspace_->fits(static_cast<int>(t))) continue;
    const SampledElements::OfTerm& sampled = subspace_->sample().terms[t];
    const auto slots = packed_[t].slot_element();
    std::vector<int> places;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const bool padding = packed_[t].measure(static_cast<int>(i / 8))[i % 8] == 0;
      const auto at = std::lower_bound(sampled.elements.begin(), sampled.elements.end(), slots[i]);
      places.push_back(padding ? -1 : sampled.place[static_cast<std::size_t>(at - sampled.elements.begin())]);
    }
    subspace_->arrange(static_cast<int>(t), places);
  }
  fit_begun_ = false;
}

// 1/k is zero where an element has no stiffness and so no force.
void Objective::note_stiffness() const {
  sample_stiffness_.assign(packed_.size(), {});
  for (int t = 0; t < static_cast<int>(packed_.size()); ++t) {
    if (!subspace_->fits(t)) continue;
    SampleStiffness& to = sample_stiffness_[t];
    const auto slots = packed_[t].slot_element();
    const auto rows = static_cast<std::size_t>(packed_[t].rows()), size = rows * rows;
    bool plain = true;  // Q = k 1 everywhere
    to.over_k.assign(slots.size(), 0.0), to.q.assign(slots.size() * size, 0.0);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      double q[9], k = 0;
      element_stiffness(t, slots[i], q);
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
  fit_begun_ = false;
}

SymmetricMatrix Objective::constant_matrix_in_subspace() const {
  note_stiffness();
  SymmetricMatrix matrix = subspace_->constant_matrix(
      tau_, [&](int t, int i, double* q) { element_stiffness(t, i, q); }, pool_);
  std::vector<std::pair<int, double>> weights;
  double k;
  for (const Term& term : pin_terms_) {
    term.elastic[0]->quadratic(0, tau_, &k);
    for (int i = 0; i < term.elements.size(); ++i) {
      coordinates_.weights(term.elements.vertices(i)[0], weights);
      for (const auto& [row, a] : weights)
        for (const auto& [column, b] : weights)
          if (column <= row) matrix.value[matrix.find(row, column)] += k * a * b;
    }
  }
  return matrix;
}

// p = (Q z - dpsi/dz)/k: the projection of a projective energy, and what stands for one of any other (Liu et al. 2017, Section 4).
void Objective::keep_projections(int t, const SweepBlock& sweep) {
  const Block& block = sweep.block;
  const SampleStiffness& stiffness = sample_stiffness_[t];
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
    subspace_->take_projections(t, block.first + pack, p);
  }
}

// Parts that are not swept have forces of before.
void Objective::clear_finished() {
  for (int part = 0; part < partition_.parts(); ++part)
    if (!components_.active(partition_.component_of_part(part)))
      std::fill(f_copies_.begin() + 4 * static_cast<std::ptrdiff_t>(partition_.offset(part)),
                f_copies_.begin() + 4 * static_cast<std::ptrdiff_t>(partition_.offset(part + 1)), 0.0);
}

// Whether some terms are swept that are not fitted.
bool Objective::scatters(bool fitted) const {
  if (!fitted) return true;
  for (std::size_t t = 0; t < packed_.size(); ++t)
    if (packed_[t].packs() > 0 && !subspace_->fits(static_cast<int>(t))) return true;
  return false;
}

// What elements of terms that are not fitted, pins and hands have, to the rows of unknowns.
void Objective::add_scattered(bool fitted) {
  if (scatters(fitted)) {
    if (std::ssize(active_parts_) < partition_.parts()) clear_finished();
    subspace_->pull_back_listed(f_copies_.data(), pulled_.data(), pool_);
  }
  if (!loose_.empty()) coordinates_.pull_back(loose_, loose_gradient_.data(), pulled_.data());
}

void Objective::reduce_in_subspace(const double* y, double* gradient, Evaluation& out) {
  const auto size = static_cast<std::size_t>(this->size());
  const double weight = with_inertia_ ? 1 / (tau_ * tau_) : 0;
  gap_.resize(size), momentum_.resize(size);
  for (std::size_t i = 0; i < size; ++i) gap_[i] = weight * (y[i] - target_[i]);
  coordinates_.inertia(gap_.data(), momentum_.data());
  if (gradient != nullptr) pulled_ = momentum_, add_scattered(false);
  components_.sum(pool_, 3, scratch_, sums_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      sums[0] += 0.5 * momentum_[i] * (y[i] - target_[i]);
      if (gradient != nullptr) gradient[i] = pulled_[i], sums[1] += gradient[i] * gradient[i];
      sums[2] += std::abs(momentum_[i] * y[i]);
    }
  });
  for (std::size_t c = 0; c < out.components.size(); ++c)
    out.components[c].inertia = sums_[3 * c], out.components[c].gradient_square = sums_[3 * c + 1];
}

void Objective::reduce_fitted(const double* y, double* gradient, Evaluation& out) {
  if (!std::exchange(fit_begun_, true)) subspace_->begin_fitted(tau_, target_.data(), pool_);
  pulled_.resize(static_cast<std::size_t>(size()));
  subspace_->fitted_gradient(y, pulled_.data(), pool_);
  add_scattered(true);
  components_.sum(pool_, 3, scratch_, sums_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    double squares[3] = {};
    for (std::ptrdiff_t i = begin; i < end; i += 3)
      for (std::ptrdiff_t k = 0; k < 3; ++k)
        gradient[i + k] = pulled_[i + k], squares[k] += gradient[i + k] * gradient[i + k];
    sums[1] = squares[0] + squares[1] + squares[2];
  });
  for (std::size_t c = 0; c < out.components.size(); ++c) out.components[c].gradient_square = sums_[3 * c + 1];
}

void Objective::measure_inertia(const double* y, Evaluation& out) {
  if (subspace_ == nullptr) return;
  const auto size = static_cast<std::size_t>(this->size());
  gap_.resize(size), momentum_.resize(size);
  for (std::size_t i = 0; i < size; ++i) gap_[i] = (y[i] - target_[i]) / tau_;
  coordinates_.inertia(gap_.data(), momentum_.data());
  components_.sum(pool_, 1, scratch_, sums_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    for (std::ptrdiff_t i = begin; i < end; ++i) sums[0] += 0.5 * momentum_[i] * gap_[i];
  });
  for (std::size_t c = 0; c < sums_.size(); ++c) out.of(static_cast<int>(c)).inertia += sums_[c];
}

}  // namespace resilin
