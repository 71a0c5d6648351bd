#include "objective/objective.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "objective/element_sample.h"
#include "objective/hessian.h"
#include "objective/vectors.h"
#include "potentials/dissipation.h"
#include "potentials/evaluate.h"

namespace resilin {

Objective::Objective(Model& model, ThreadPool& pool)
    : model_(model), pool_(pool), partition_(model), model_size_(model.size()), total_mass_(model.total_mass()) {
  for (int t = 0; t < static_cast<int>(model.terms.size()); ++t) {
    packed_.emplace_back(model, t, partition_);
    term_damped_.push_back(0);
    first_potential_.push_back(static_cast<int>(scale_.size()));
    for (auto& potential : model.terms[t].potentials) {
      scale_.push_back(1);
      potential->arrange(packed_.back().slot_element());
      if (potential->reads_rates()) term_damped_.back() = damped_ = true;
    }
    const bool rotations = reads(model.terms[t].potentials, Reads::rotation, 1);
    guess_.emplace_back(rotations ? static_cast<std::size_t>(packed_.back().packs()) * 32 : 0);
  }
  x_copies_.resize(static_cast<std::size_t>(partition_.copies()) * 4);
  f_copies_.resize(static_cast<std::size_t>(partition_.copies()) * 4);
  part_energy_.resize(partition_.parts());
  target_ = model.rest;
  number_free_vertices();
  find_components();
  measure_stiffness();
}

Objective::~Objective() = default;

void Objective::number_free_vertices() {
  free_index_.assign(vertices(), 0);
  for (const Pin& pin : model_.pins)
    for (const int v : pin.vertices) free_index_[v] = -1;
  free_count_ = 0;
  for (int& i : free_index_)
    if (i == 0) i = free_count_++;
}

bool has_quadratic(const Term& term, int element) {
  std::vector<double> q(term.elements.rows() * term.elements.rows());
  for (const auto& potential : term.potentials) {
    potential->quadratic(element, q.data());
    if (std::any_of(q.begin(), q.end(), [](double v) { return v != 0; })) return true;
  }
  return false;
}

void Objective::find_components() {
  std::vector<int> root(vertices());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  std::vector<char> held(vertices(), 0);
  for (int v = 0; v < vertices(); ++v) held[v] = free_index_[v] < 0;
  for (const Term& term : model_.terms)
    for (int i = 0; i < term.elements.size(); ++i) {
      const auto ids = term.elements.vertices(i);
      const bool holds = !term.elements.translation_free() && has_quadratic(term, i);
      for (const int v : ids) {
        const int a = find(ids[0]), b = find(v);
        root[std::max(a, b)] = std::min(a, b);
        if (holds) held[v] = 1;
      }
    }
  component_.assign(vertices(), -1);
  std::vector<std::vector<int>> members;
  std::vector<char> any_held;
  for (int v = 0; v < vertices(); ++v) {
    const int r = find(v);  // the least vertex of its component
    if (r == v) {
      component_[v] = static_cast<int>(members.size());
      members.emplace_back();
      any_held.push_back(0);
    }
    const int c = component_[v] = component_[r];
    members[c].push_back(v);
    any_held[c] |= held[v];
  }
  floating_.clear();
  for (std::size_t c = 0; c < members.size(); ++c)
    if (any_held[c] == 0) floating_.push_back(std::move(members[c]));
}

// Only the second-order form of S reads v_n (Brown et al. Eq. 30): others are spared its coordinates in every sweep.
static bool reads_first_velocity(const Model& model) {
  for (const Term& term : model.terms)
    for (const auto& potential : term.potentials)
      if (const auto* damping = dynamic_cast<const Dissipation*>(potential.get()); damping != nullptr && damping->second_order())
        return true;
  return false;
}

void Objective::begin(const Stage& stage) {
  tau_ = stage.tau;
  target_ = stage.target;
  guesses_cold_ = true;
  std::fill(scale_.begin(), scale_.end(), 1.0);
  stiffness_revision_ = revision_;
  set_time(stage.time);
  if (!damped_) return;
  assert(stage.origin.size() == target_.size() && stage.velocity.size() == target_.size());
  for (Term& term : model_.terms)
    for (auto& potential : term.potentials) potential->set_tau(tau_);
  gather_all(stage.origin.data(), origin_copies_);
  if (reads_first_velocity(model_)) gather_all(stage.velocity.data(), velocity_copies_);
}

void Objective::set_time(double time) {
  for (Term& term : model_.terms)
    for (auto& potential : term.potentials) potential->set_time(time);
}

void Objective::gather_part(int part, const double* y, double* copies) const {
  const auto ids = partition_.vertices(part);
  double* x = copies + static_cast<std::size_t>(partition_.offset(part)) * 4;
  for (std::size_t l = 0; l < ids.size(); ++l)
    for (int k = 0; k < 3; ++k) x[4 * l + k] = y[3 * static_cast<std::size_t>(ids[l]) + k];
}

void Objective::gather_all(const double* y, AlignedVector<double>& copies) {
  copies.resize(x_copies_.size());
  pool_.parallel(partition_.parts(), [&](int part) { gather_part(part, y, copies.data()); });
}

// Outside of stages nothing is remembered: the same positions give the same bits.
double* Objective::guess(int term, int pack) {
  return with_inertia_ && !guess_[term].empty() ? guess_[term].data() + static_cast<std::size_t>(pack) * 32 : nullptr;
}

void Objective::sweep(const double* y, double* gradient, FunctionRef<void(int, int, SweepBlock&)> op) {
  const Rates rates = stage_rates();
  sweep(y, gradient, with_inertia_ && !origin_copies_.empty() ? &rates : nullptr, op);
}

void Objective::sweep(const double* y, double* gradient, const Rates* rates, FunctionRef<void(int, int, SweepBlock&)> op) {
  const bool cold = with_inertia_ && std::exchange(guesses_cold_, false);
  pool_.parallel(partition_.parts(), [&](int part) {
    gather_part(part, y, x_copies_.data());
    const std::size_t first = static_cast<std::size_t>(partition_.offset(part)) * 4;
    const std::size_t last = static_cast<std::size_t>(partition_.offset(part + 1)) * 4;
    if (gradient != nullptr) std::fill(f_copies_.begin() + first, f_copies_.begin() + last, 0.0);
    Rates local{};
    if (rates != nullptr)
      local = {rates->origin + first, rates->velocity != nullptr ? rates->velocity + first : nullptr, rates->tau};
    for (int t = 0; t < static_cast<int>(packed_.size()); ++t) {
      if (cold && !guess_[t].empty()) std::fill(guess(t, packed_[t].first_pack(part)), guess(t, packed_[t].first_pack(part + 1)), 0.0);
      packed_[t].sweep(part, x_copies_.data() + first, gradient ? f_copies_.data() + first : nullptr,
                       [&](SweepBlock& sweep) {
                         sweep.block.guess = guess(t, sweep.block.first);
                         op(t, part, sweep);
                       },
                       rates != nullptr && term_damped_[t] ? &local : nullptr);
    }
  });
  reduce(y, gradient);
}

const ElementSample& Objective::sample() {
  if (sample_) return *sample_;
  sample_ = std::make_unique<ElementSample>(sample_elements(*this));
  for (std::size_t t = 0; t < packed_.size(); ++t) {  // the sampled packs stand behind those of the term
    std::vector<int> slots(packed_[t].slot_element().begin(), packed_[t].slot_element().end());
    const auto sampled = sample_->terms[t].slot_element();
    slots.insert(slots.end(), sampled.begin(), sampled.end());
    for (auto& potential : model_.terms[t].potentials) potential->arrange(slots);
  }
  return *sample_;
}

void Objective::sweep_sample(const double* y, FunctionRef<void(int, SweepBlock&)> op) {
  const ElementSample& all = sample();
  for_chunks(pool_, std::ssize(all.corners), [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    for (std::ptrdiff_t i = begin; i < end; ++i)
      std::copy_n(y + 3 * static_cast<std::size_t>(all.corners[i].vertex), 3,
                  x_copies_.data() + 4 * static_cast<std::size_t>(all.corners[i].row));
  });
  const Rates rates = stage_rates();
  pool_.parallel(static_cast<int>(all.groups.size()), [&](int g) {
    const auto& group = all.groups[g];
    all.terms[group.term].sweep(group.part, x_copies_.data(), nullptr, [&](SweepBlock& block) { op(g, block); },
                                damped_ && term_damped_[group.term] ? &rates : nullptr);
  });
}

// Sums the copies of every vertex, adds inertia and measures, in one pass.
void Objective::reduce(const double* y, double* gradient) {
  const double weight = with_inertia_ ? 1 / (tau_ * tau_) : 0;
  const auto sums = sum_chunks<3>(pool_, size(), scratch_, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    double inertia = 0, squares = 0, scale = 0;
    for (int v = static_cast<int>(begin / 3); v < end / 3; ++v) {
      const bool pinned = with_inertia_ && free_index_[v] < 0;
      double g[3] = {0, 0, 0};
      if (gradient != nullptr)
        for (const int row : partition_.copies_of(v))
          for (int k = 0; k < 3; ++k) g[k] += f_copies_[4 * static_cast<std::size_t>(row) + k];
      if (weight > 0 && !pinned) {
        const double m = weight * model_.mass[v];
        for (int k = 0; k < 3; ++k) {
          const double x = y[3 * v + k], gap = x - target_[3 * v + k];
          g[k] += m * gap;
          inertia += 0.5 * m * gap * gap;
          scale += m * std::abs(gap) * std::abs(x);
        }
      }
      if (gradient == nullptr) continue;
      for (int k = 0; k < 3; ++k) {
        gradient[3 * v + k] = pinned ? 0 : g[k];
        squares += pinned ? 0 : g[k] * g[k];
      }
    }
    return std::array<double, 3>{inertia, squares, scale};
  });
  inertia_ = sums[0];
  if (gradient != nullptr) gradient_norm_ = std::sqrt(sums[1]);
  inertia_scale_ = sums[2];
}

double Objective::evaluate(const double* y, double* gradient) {
  std::fill(part_energy_.begin(), part_energy_.end(), 0.0);
  const int derivatives = gradient != nullptr ? 1 : 0;
  sweep(y, gradient, [&](int term, int part, SweepBlock& block) {
    resilin::evaluate(model_.terms[term].potentials, block.block, derivatives);
    part_energy_[part] += block_energy(block);
  });
  potential_ = std::accumulate(part_energy_.begin(), part_energy_.end(), 0.0);
  return inertia_ + potential_;
}

double Objective::potential_energy(const double* q, double* gradient) {
  with_inertia_ = false;
  evaluate(q, gradient);
  with_inertia_ = true;
  return potential_;
}

void Objective::damping(const double* q, const double* v, double* gradient, std::vector<std::pair<std::string, double>>* power) {
  if (gradient != nullptr) std::fill(gradient, gradient + size(), 0.0);
  if (power != nullptr) power->clear();
  if (!damped_) return;
  gather_all(v, rate_copies_);
  const Rates rates{rate_copies_.data(), rate_copies_.data(), 1};
  damping_gradient_.resize(gradient != nullptr ? static_cast<std::size_t>(size()) : 0);
  with_inertia_ = false;
  for (int t = 0; t < static_cast<int>(packed_.size()); ++t)
    for (const auto& potential : model_.terms[t].potentials) {
      const auto* model = dynamic_cast<const Dissipation*>(potential.get());
      if (model == nullptr) continue;
      std::fill(part_energy_.begin(), part_energy_.end(), 0.0);
      sweep(q, gradient != nullptr ? damping_gradient_.data() : nullptr, &rates, [&](int term, int part, SweepBlock& sweep) {
        if (term != t) std::fill_n(sweep.block.dpsi_z, sweep.block.packs * 3 * sweep.block.rows * 8, 0.0);
        else part_energy_[part] += damping_power(*model, sweep);
      });
      for (std::ptrdiff_t i = 0; gradient != nullptr && i < size(); ++i) gradient[i] += damping_gradient_[i];
      if (power != nullptr) power->emplace_back(model->name(), std::accumulate(part_energy_.begin(), part_energy_.end(), 0.0));
    }
  with_inertia_ = true;
}

void Objective::acceleration(double time, const double* q, const double* v, double* a) {
  set_time(time);
  potential_energy(q, a);
  if (damped_) {
    rate_gradient_.resize(static_cast<std::size_t>(size()));
    damping(q, v, rate_gradient_.data(), nullptr);
    for (std::ptrdiff_t i = 0; i < size(); ++i) a[i] += rate_gradient_[i];
  }
  for (std::ptrdiff_t i = 0; i < size(); ++i) a[i] *= -1 / model_.mass[i / 3];
}

double Objective::precision() const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return epsilon * (32 * (std::abs(inertia_) + std::abs(potential_)) + inertia_scale_ + stiffness_scale_);
}

double Objective::round_off() const {
  return 1e-12 * std::max(std::abs(inertia_), std::abs(potential_)) + precision();
}

// Energies such as I_C - 3 are differences of numbers of the size of k measure.
void Objective::measure_stiffness() {
  stiffness_scale_ = 0;
  for (const Term& term : model_.terms) {
    if (term.elements.rows() < 3) continue;  // springs and pins do not cancel
    std::vector<double> q(term.elements.rows() * term.elements.rows());
    for (const auto& potential : term.potentials)
      for (int i = 0; i < term.elements.size(); ++i) {
        potential->quadratic(i, q.data());
        stiffness_scale_ += term.elements.measure(i) * q[0];
      }
  }
}

void Objective::external(double time, double* a) const {
  for (int v = 0; v < vertices(); ++v)
    for (int k = 0; k < 3; ++k) a[3 * v + k] = model_.gravity[k];
  for (const ExternalForce& force : model_.forces) {
    const double scale = force.signal.at(time);
    const auto apply = [&](int v) {
      const double factor = force.per_mass ? scale : scale / model_.mass[v];
      for (int k = 0; k < 3; ++k) a[3 * v + k] += factor * force.vector[k];
    };
    if (force.vertices.empty())
      for (int v = 0; v < vertices(); ++v) apply(v);
    for (const int v : force.vertices) apply(v);
  }
}

void Objective::prescribe(double time, double* q, double* v) const {
  for (const Pin& pin : model_.pins)
    for (std::size_t i = 0; i < pin.vertices.size(); ++i) {
      const int id = pin.vertices[i];
      pin.motion.at(time, &pin.start[3 * i], q + 3 * id, v + 3 * id);
    }
}

SymmetricMatrix Objective::pattern(int block) const {
  std::vector<int> offset = {0}, members;
  for (const Term& term : model_.terms)
    for (int i = 0; i < term.elements.size(); ++i) {
      for (const int v : term.elements.vertices(i)) members.push_back(free_index_[v]);
      offset.push_back(static_cast<int>(members.size()));
    }
  return SymmetricMatrix(free_count_, block, offset, members);
}

const std::vector<StretchFit>& Objective::fit_stretches(const double* y) {
  const std::size_t count = scale_.size();
  fit_.assign(count, {});
  group_fit_.assign(count * sample().groups.size(), {});
  sweep_sample(y, [&](int group, SweepBlock& sweep) {
    if (sweep.block.rows != 3) return;
    decompose(sweep.block);
    const int t = sample_->groups[group].term;
    StretchFit* sums = &group_fit_[group * count + first_potential_[t]];
    for (const auto& potential : model_.terms[t].potentials) potential->fit(sweep.block, sweep.measure, *sums++);
  });
  for (std::size_t i = 0; i < group_fit_.size(); ++i) {
    fit_[i % count].stress += group_fit_[i].stress;
    fit_[i % count].stiffness += group_fit_[i].stiffness;
  }
  return fit_;
}

void Objective::scale_stiffness(const std::vector<double>& by_potential) {
  assert(by_potential.size() == scale_.size());
  scale_ = by_potential;
  // Equal scales give equal numbers (FNV-1a), so that a factor made for them earlier is found again.
  stiffness_revision_ = revision_;
  if (std::all_of(scale_.begin(), scale_.end(), [](double scale) { return scale == 1; })) return;
  for (const double scale : scale_)
    stiffness_revision_ = (stiffness_revision_ ^ std::bit_cast<std::uint64_t>(scale)) * 0x100000001b3u;
}

void Objective::quadratic(int t, int element, double* q) const {
  const Term& term = model_.terms[t];
  const int size = term.elements.rows() * term.elements.rows();
  double one[9];
  std::fill_n(q, size, 0.0);
  for (std::size_t p = 0; p < term.potentials.size(); ++p) {
    term.potentials[p]->quadratic(element, one);
    for (int k = 0; k < size; ++k) q[k] += scale_[first_potential_[t] + p] * one[k];
  }
}

SymmetricMatrix Objective::quadratic() const {
  return quadratic_with([&](int t, int i, double* q) { quadratic(t, i, q); });
}

SymmetricMatrix Objective::quadratic(const ElementWeights& weights) const {
  return quadratic_with([&](int t, int i, double* q) {
    const int rows = model_.terms[t].elements.rows();
    for (int r = 0; r < rows; ++r) q[r * rows + r] = weights[t][i];
  });
}

SymmetricMatrix Objective::quadratic_with(FunctionRef<void(int term, int element, double* q)> stiffness) const {
  SymmetricMatrix matrix = pattern(1);
  for (int v = 0; v < vertices(); ++v)
    if (free_index_[v] >= 0) matrix.value[matrix.find(free_index_[v], free_index_[v])] += model_.mass[v] / (tau_ * tau_);
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) {
    const Elements& e = model_.terms[t].elements;
    const int rows = e.rows(), corners = e.corners();
    for (int i = 0; i < e.size(); ++i) {
      double q[9] = {};
      stiffness(t, i, q);
      const auto c = e.coefficients(i);
      const auto ids = e.vertices(i);
      for (int a = 0; a < corners; ++a)
        for (int b = 0; b < corners; ++b) {
          const int row = free_index_[ids[a]], column = free_index_[ids[b]];
          if (row < column || column < 0) continue;
          double sum = 0;
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s) sum += c[r * corners + a] * q[r * rows + s] * c[s * corners + b];
          matrix.value[matrix.find(row, column)] += e.measure(i) * sum;
        }
    }
  }
  return matrix;
}

void Objective::hessian(const double* y, SymmetricMatrix& matrix, bool filter) {
  if (!assembly_) assembly_ = std::make_unique<HessianAssembly>(*this, matrix);
  assembly_->assemble(y, matrix, filter);
}

}  // namespace resilin
