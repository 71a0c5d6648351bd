// What the objective does where its unknowns are not vertices (subspace.h).
#include <algorithm>
#include <cmath>

#include "objective/objective.h"
#include "potentials/pin.h"

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
  place_.assign(packed_.size(), {}), projected_.assign(packed_.size(), {});
  for (std::size_t t = 0; t < packed_.size(); ++t) {
    if (!subspace_->fits(static_cast<int>(t))) continue;
    const SampledElements::OfTerm& sampled = subspace_->sample().terms[t];
    const auto slots = packed_[t].slot_element();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const bool padding = packed_[t].measure(static_cast<int>(i / 8))[i % 8] == 0;
      const auto at = std::lower_bound(sampled.elements.begin(), sampled.elements.end(), slots[i]);
      place_[t].push_back(padding ? -1 : sampled.place[static_cast<std::size_t>(at - sampled.elements.begin())]);
    }
    projected_[t].assign((sampled.elements.size() + 7) / 8 * 24 * static_cast<std::size_t>(packed_[t].rows()), 0.0);
  }
}

// Of each sampled element R x R + 1 numbers: Q/k and 1/k, zero where it has no stiffness and so no force.
void Objective::note_stiffness() const {
  sample_stiffness_.assign(packed_.size(), {});
  for (int t = 0; t < static_cast<int>(packed_.size()); ++t) {
    if (!subspace_->fits(t)) continue;
    const SampledElements::OfTerm& sampled = subspace_->sample().terms[t];
    const int rows = packed_[t].rows(), size = rows * rows;
    sample_stiffness_[t].resize(sampled.elements.size() * static_cast<std::size_t>(size + 1));
    for (std::size_t i = 0; i < sampled.elements.size(); ++i) {
      double q[9], k = 0;
      element_stiffness(t, sampled.elements[i], q);
      for (int r = 0; r < rows; ++r) k += q[r * (rows + 1)] / rows;
      double* to =
          &sample_stiffness_[t][static_cast<std::size_t>(sampled.place[i]) * static_cast<std::size_t>(size + 1)];
      for (int s = 0; s < size; ++s) to[s] = k > 0 ? q[s] / k : 0;
      to[size] = k > 0 ? 1 / k : 0;
    }
  }
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
  const int rows = block.rows, size = rows * rows + 1;
  for (int pack = 0; pack < block.packs; ++pack) {
    const int* place = &place_[t][8 * static_cast<std::size_t>(block.first + pack)];
    const std::size_t from = static_cast<std::size_t>(pack * 24 * rows);
    for (int lane = 0; lane < 8; ++lane) {
      if (place[lane] < 0) continue;
      const double* q =
          &sample_stiffness_[t][static_cast<std::size_t>(place[lane]) * static_cast<std::size_t>(size)];
      const double *z = block.z + from + lane, *dpsi = block.dpsi_z + from + lane, over_k = q[size - 1];
      double* to = &projected_[t][static_cast<std::size_t>(place[lane] / 8 * 24 * rows + place[lane] % 8)];
      bool plain = true;  // Q = k 1
      for (int s = 0; s < rows * rows; ++s) plain = plain && q[s] == (s % (rows + 1) == 0 ? 1 : 0);
      for (int i = 0; i < 3 * rows; ++i) {
        double value = plain ? z[8 * i] : 0;
        for (int s = 0; s < rows && !plain; ++s) value += q[i / 3 * rows + s] * z[8 * (3 * s + i % 3)];
        to[8 * i] = value - over_k * dpsi[8 * i];
      }
    }
  }
}

// Parts that are not swept have forces of before.
void Objective::clear_finished() {
  for (int part = 0; part < partition_.parts(); ++part)
    if (!components_.active(partition_.component_of_part(part)))
      std::fill(f_copies_.begin() + 4 * static_cast<std::ptrdiff_t>(partition_.offset(part)),
                f_copies_.begin() + 4 * static_cast<std::ptrdiff_t>(partition_.offset(part + 1)), 0.0);
}

void Objective::reduce_in_subspace(const double* y, double* gradient, bool fitted, Evaluation& out) {
  const auto size = static_cast<std::size_t>(this->size());
  const double weight = with_inertia_ ? 1 / (tau_ * tau_) : 0;
  gap_.resize(size), momentum_.resize(size);
  for (std::size_t i = 0; i < size; ++i) gap_[i] = weight * (y[i] - target_[i]);
  coordinates_.inertia(gap_.data(), momentum_.data());
  if (gradient != nullptr) {
    if (std::ssize(active_parts_) < partition_.parts()) clear_finished();
    pulled_ = momentum_;
    bool scattered = false;  // by a term that is not fitted
    for (std::size_t t = 0; t < packed_.size(); ++t)
      scattered = scattered || (packed_[t].packs() > 0 && !(fitted && subspace_->fits(static_cast<int>(t))));
    if (scattered) subspace_->pull_back_listed(f_copies_.data(), pulled_.data(), pool_);
    if (!loose_.empty()) coordinates_.pull_back(loose_, loose_gradient_.data(), pulled_.data());
    for (int t = 0; fitted && t < static_cast<int>(packed_.size()); ++t)
      if (subspace_->fits(t)) subspace_->add_fitted(t, y, projected_[t].data(), pulled_.data(), pool_);
  }
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

}  // namespace resilin
