#include "objective/objective.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/stamp.h"
#include "objective/element_sample.h"
#include "objective/hessian.h"
#include "objective/revision.h"
#include "objective/vectors.h"
#include "potentials/dissipation.h"

namespace resilin {

Objective::Objective(const Model& model, ThreadPool& pool)
    : model_(model), pool_(pool), partition_(model), components_(partition_.component()) {
  update();
}

void Objective::update(bool terms) {
  if (terms) {
    const TermStamps stamps = stamp_terms(model_);
    if (stamps.elements() != stamps_.elements()) lay_out(stamps_.connectivity == 0);
    stamps_ = stamps;
    pack_kernels();
  }
  const Revision revision = revision_of(model_, stamps_);
  if (revision.structure != revision_.structure) {
    number_free_vertices();
    assembly_.reset();
  }
  if (revision.stiffness != revision_.stiffness) {
    model_size_ = model_.size(), total_mass_ = model_.total_mass();
    find_floating_components();
    measure_components();
    sample_.reset();  // of what stands in the constant Hessian
  }
  if (revision != revision_) pack_lagged(), find_obstacles();
  revision_ = revision, stiffness_revision_ = revision.stiffness;
  set_time(time_);
}

// Elements in parts and packs, and room for what is computed of them.
void Objective::lay_out(bool first) {
  if (!first) {  // the constructor has made them
    partition_ = Partition(model_);
    components_ = ComponentSet(partition_.component());
  }
  packed_.clear(), kernels_.clear(), packed_of_.clear(), sample_.reset();
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) packed_.emplace_back(model_, t, partition_);
  kernels_.resize(packed_.size()), packed_of_.assign(packed_.size(), 0);
  x_copies_.assign(static_cast<std::size_t>(partition_.copies()) * 4, 0.0);
  f_copies_.assign(static_cast<std::size_t>(partition_.copies()) * 4, 0.0);
  origin_copies_.clear(), velocity_copies_.clear(), rate_copies_.clear();
  part_energy_.assign(partition_.parts(), 0.0);
  target_ = model_.rest;
  inertias_.assign(3 * static_cast<std::size_t>(components_.count()), 0.0);
  potentials_.assign(static_cast<std::size_t>(components_.count()), 0.0);
  kinetic_ = potentials_;
  active_parts_.clear();
  for (int part = 0; part < partition_.parts(); ++part) active_parts_.push_back(part);
}

void Objective::pack_kernels() {
  first_potential_.clear(), scale_.clear(), term_damped_.clear();
  guess_.resize(model_.terms.size());
  damped_ = false;
  for (std::size_t t = 0; t < model_.terms.size(); ++t) {
    const Term& term = model_.terms[t];
    first_potential_.push_back(static_cast<int>(scale_.size()));
    scale_.resize(scale_.size() + term.elastic.size(), 1.0);
    term_damped_.push_back(term.damping.empty() ? 0 : 1);
    damped_ = damped_ || !term.damping.empty();
    Stamp stamp;
    for (const auto& potential : term.elastic) potential->stamp(stamp);
    for (const auto& damping : term.damping) damping->stamp(stamp);
    if (packed_of_[t] == stamp.value()) continue;
    packed_of_[t] = stamp.value();
    kernels_[t] = TermKernels(term, packed_[t].slot_element());
    if (sample_) sample_->kernels[t] = TermKernels(term, sample_->terms[t].slot_element());
    guess_[t].assign(kernels_[t].reads(Reads::rotation, 1) ? static_cast<std::size_t>(packed_[t].packs()) * 32 : 0, 0.0);
  }
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
  const auto counts = [&](const Potential& potential) {
    potential.quadratic(element, 1, q.data());
    return std::any_of(q.begin(), q.end(), [](double v) { return v != 0; });
  };
  return std::any_of(term.elastic.begin(), term.elastic.end(), [&](const auto& p) { return counts(*p); }) ||
         std::any_of(term.damping.begin(), term.damping.end(), [&](const auto& p) { return counts(*p); });
}

void Objective::find_floating_components() {
  std::vector<std::vector<int>> members(static_cast<std::size_t>(components_.count()));
  std::vector<char> held(members.size(), 0);
  for (int v = 0; v < vertices(); ++v) {
    members[component()[v]].push_back(v);
    if (free_index_[v] < 0) held[component()[v]] = 1;
  }
  for (const Term& term : model_.terms)
    for (int i = 0; i < term.elements.size() && !term.elements.translation_free(); ++i)
      if (has_quadratic(term, i))
        for (const int v : term.elements.vertices(i)) held[component()[v]] = 1;
  floating_.clear();
  for (std::size_t c = 0; c < members.size(); ++c)
    if (held[c] == 0) floating_.push_back(std::move(members[c]));
}

// Energies of single vertices that stand in no constant matrix: contact (Liu et al. 4.3).
void Objective::find_obstacles() {
  contact_terms_.clear(), contact_vertices_.clear();
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) {
    const Term& term = model_.terms[t];
    if (term.elements.corners() != 1 || term.elements.size() == 0 || term_damped_[t] != 0 || has_quadratic(term, 0)) continue;
    contact_terms_.push_back(t);
    for (int i = 0; i < term.elements.size(); ++i) contact_vertices_.push_back(term.elements.vertices(i)[0]);
  }
  for (const Term& term : model_.lagged)
    for (int i = 0; i < term.elements.size(); ++i) contact_vertices_.push_back(term.elements.vertices(i)[0]);
  std::sort(contact_vertices_.begin(), contact_vertices_.end());
  contact_vertices_.erase(std::unique(contact_vertices_.begin(), contact_vertices_.end()), contact_vertices_.end());
  part_contacts_.resize(contact_terms_.empty() ? 0 : static_cast<std::size_t>(partition_.parts()));
}

void Objective::pack_lagged() {
  lagged_kernels_.clear();
  for (const Term& term : model_.lagged) {
    std::vector<int> slots(static_cast<std::size_t>(term.elements.size() + 7) / 8 * 8, term.elements.size() - 1);
    std::iota(slots.begin(), slots.begin() + term.elements.size(), 0);
    lagged_kernels_.emplace_back(term, slots);
  }
  lagged_energy_.assign(static_cast<std::size_t>(components_.count()), 0.0);
}

// In the order of terms and elements; one thread, for there are few.
void Objective::lagged_points(const double* y, std::vector<ContactPoint>& points) {
  points.clear();
  for (std::size_t t = 0; t < lagged_kernels_.size(); ++t) {
    const Elements& elements = model_.lagged[t].elements;
    alignas(64) double z[24], psi[8], dpsi_z[24], d2psi_z[48];
    Block block;
    block.rows = 1, block.packs = 1, block.z = z, block.psi = psi, block.dpsi_z = dpsi_z, block.d2psi_z = d2psi_z;
    for (int first = 0; first < elements.size(); first += 8) {
      const int count = std::min(8, elements.size() - first);
      for (int l = 0; l < 8; ++l)
        for (int k = 0; k < 3; ++k) z[8 * k + l] = y[3 * elements.vertices(first + std::min(l, count - 1))[0] + k];
      block.first = first / 8;
      resilin::evaluate(lagged_kernels_[t], block, 2);
      for (int l = 0; l < count; ++l) {
        const int v = elements.vertices(first + l)[0];
        if (!components_.active(component()[v])) continue;
        const double measure = elements.measure(first + l);
        ContactPoint point{v, measure * psi[l], {}, {}};
        for (int k = 0; k < 3; ++k) point.gradient[k] = measure * dpsi_z[8 * k + l];
        for (int k = 0; k < 6; ++k) point.hessian[k] = measure * d2psi_z[8 * k + l];
        points.push_back(point);
      }
    }
  }
}

double Objective::lagged_energy() const { return std::accumulate(lagged_energy_.begin(), lagged_energy_.end(), 0.0); }

// To the copies of the sweep, before they are summed.
void Objective::add_lagged(const double* y, bool gradient) {
  std::fill(lagged_energy_.begin(), lagged_energy_.end(), 0.0);
  if (lagged_kernels_.empty()) return;
  lagged_points(y, lagged_points_);
  for (const ContactPoint& point : lagged_points_) {
    lagged_energy_[component()[point.vertex]] += point.energy;
    const auto rows = partition_.copies_of(point.vertex);
    for (int k = 0; k < 3 && gradient && !rows.empty(); ++k)
      f_copies_[4 * static_cast<std::size_t>(rows[0]) + k] += point.gradient[k];
  }
}

void Objective::contacts(const double* y, std::vector<ContactPoint>& points) {
  points.clear();
  if (!has_obstacles()) return;
  pool_.parallel(contact_terms_.empty() ? 0 : static_cast<int>(active_parts_.size()), [&](int i) {
    const int part = active_parts_[i];
    const auto ids = partition_.vertices(part);
    part_contacts_[part].clear();
    gather_part(part, y, x_copies_.data());
    for (const int t : contact_terms_)
      packed_[t].sweep(part, x_copies_.data() + static_cast<std::size_t>(partition_.offset(part)) * 4, nullptr, [&](SweepBlock& sweep) {
        Block& block = sweep.block;
        resilin::evaluate(kernels_[t], block, 2);
        for (int p = 0; p < block.packs; ++p)
          for (int l = 0; l < 8; ++l) {
            const double measure = sweep.measure[p * 8 + l];
            ContactPoint point{ids[packed_[t].ids(block.first + p)[l]], measure * block.psi[p * 8 + l], {}, {}};
            for (int k = 0; k < 3; ++k) point.gradient[k] = measure * block.dpsi_z[(p * 3 + k) * 8 + l];
            for (int k = 0; k < 6; ++k) point.hessian[k] = measure * block.d2psi_z[(p * 6 + k) * 8 + l];
            if (point.hessian[0] + point.hessian[2] + point.hessian[5] > 0) part_contacts_[part].push_back(point);
          }
      });
  });
  if (!contact_terms_.empty())
    for (const int part : active_parts_)
      points.insert(points.end(), part_contacts_[part].begin(), part_contacts_[part].end());
  if (lagged_kernels_.empty()) return;
  lagged_points(y, lagged_points_);
  points.insert(points.end(), lagged_points_.begin(), lagged_points_.end());
  std::stable_sort(points.begin(), points.end(), [&](const ContactPoint& a, const ContactPoint& b) {
    return component()[a.vertex] < component()[b.vertex];
  });
}

void Objective::set_active(std::span<const char> active) {
  components_.set_active(active);
  active_parts_.clear();
  for (int part = 0; part < partition_.parts(); ++part)
    if (components_.active(partition_.component_of_part(part))) active_parts_.push_back(part);
}

// Only the second-order form of S reads v_n (Brown et al. Eq. 30): others are spared its coordinates in every sweep.
static bool reads_first_velocity(const Model& model) {
  return std::any_of(model.terms.begin(), model.terms.end(), [](const Term& term) {
    return std::any_of(term.damping.begin(), term.damping.end(), [](const auto& d) { return d->second_order(); });
  });
}

void Objective::begin(const Stage& stage) {
  tau_ = stage.tau;
  target_ = stage.target;
  guesses_cold_ = true;
  if (components_.active_count() < components_.count()) {
    components_.activate_all();
    active_parts_.clear();
    for (int part = 0; part < partition_.parts(); ++part) active_parts_.push_back(part);
  }
  std::fill(scale_.begin(), scale_.end(), 1.0);
  stiffness_revision_ = revision_.stiffness;
  set_time(stage.time);
  components_.sum(pool_, 1, scratch_, kinetic_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    for (std::ptrdiff_t i = begin; i < end && !stage.velocity.empty(); ++i)
      sums[0] += 0.5 * model_.mass[i / 3] * stage.velocity[i] * stage.velocity[i];
  });
  if (!damped_) return;
  assert(stage.origin.size() == target_.size() && stage.velocity.size() == target_.size());
  gather_all(stage.origin.data(), origin_copies_);
  if (reads_first_velocity(model_)) gather_all(stage.velocity.data(), velocity_copies_);
}

void Objective::set_time(double time) {
  for (TermKernels& kernels : lagged_kernels_) kernels.set_time(time);
  for (TermKernels& kernels : kernels_) kernels.set_time(time);
  if (sample_)
    for (TermKernels& kernels : sample_->kernels) kernels.set_time(time);
  time_ = time;
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
  sweep(y, gradient, with_inertia_ && !origin_copies_.empty() ? &rates : nullptr, true, op);
}

void Objective::sweep(const double* y, double* gradient, const Rates* rates, bool lagged,
                      FunctionRef<void(int, int, SweepBlock&)> op) {
  const bool cold = with_inertia_ && std::exchange(guesses_cold_, false);
  pool_.parallel(static_cast<int>(active_parts_.size()), [&](int i) {
    const int part = active_parts_[i];
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
  if (lagged) add_lagged(y, gradient != nullptr);
  reduce(y, gradient);
}

const ElementSample& Objective::sample() {
  if (sample_) return *sample_;
  sample_ = std::make_unique<ElementSample>(sample_elements(*this));
  for (TermKernels& kernels : sample_->kernels) kernels.set_time(time_);
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
    if (!components_.active(group.component)) return;
    all.terms[group.term].sweep(group.part, x_copies_.data(), nullptr, [&](SweepBlock& block) { op(g, block); },
                                damped_ && term_damped_[group.term] ? &rates : nullptr);
  });
}

// Sums the copies of every vertex, adds inertia and measures, in one pass.
void Objective::reduce(const double* y, double* gradient) {
  const double weight = with_inertia_ ? 1 / (tau_ * tau_) : 0;
  components_.sum(pool_, 3, scratch_, inertias_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
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
    sums[0] = inertia, sums[1] = squares, sums[2] = scale;
  });
  double squares = 0;
  inertia_ = 0;
  for (int c = 0; c < components_.count(); ++c) inertia_ += inertia(c), squares += gradient_square(c);
  if (gradient != nullptr) gradient_norm_ = std::sqrt(squares);
}

double Objective::evaluate(const double* y, double* gradient) {
  std::fill(part_energy_.begin(), part_energy_.end(), 0.0);
  const int derivatives = gradient != nullptr ? 1 : 0;
  sweep(y, gradient, [&](int term, int part, SweepBlock& block) {
    resilin::evaluate(kernels_[term], block.block, derivatives);
    part_energy_[part] += block_energy(block);
  });
  std::fill(potentials_.begin(), potentials_.end(), 0.0);
  for (int part = 0; part < partition_.parts(); ++part)
    potentials_[partition_.component_of_part(part)] += part_energy_[part];
  for (std::size_t c = 0; c < potentials_.size(); ++c) potentials_[c] += lagged_energy_[c];
  potential_ = std::accumulate(potentials_.begin(), potentials_.end(), 0.0);
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
    for (std::size_t d = 0; d < model_.terms[t].damping.size(); ++d) {
      const DissipationKernel& kernel = *kernels_[t].damping()[d];
      std::fill(part_energy_.begin(), part_energy_.end(), 0.0);
      sweep(q, gradient != nullptr ? damping_gradient_.data() : nullptr, &rates, false, [&](int term, int part, SweepBlock& sweep) {
        if (term != t) std::fill_n(sweep.block.dpsi_z, sweep.block.packs * 3 * sweep.block.rows * 8, 0.0);
        else part_energy_[part] += damping_power(kernel, sweep);
      });
      for (std::ptrdiff_t i = 0; gradient != nullptr && i < size(); ++i) gradient[i] += damping_gradient_[i];
      if (power != nullptr) power->emplace_back(model_.terms[t].damping[d]->name(), std::accumulate(part_energy_.begin(), part_energy_.end(), 0.0));
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

double Objective::precision(int c) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return epsilon * (32 * (std::abs(inertia(c)) + std::abs(potential(c))) + inertias_[3 * static_cast<std::size_t>(c) + 2] +
                    stiffness_scale_[c]);
}

double Objective::round_off(int c) const {
  return 1e-12 * std::max(std::abs(inertia(c)), std::abs(potential(c))) + precision(c);
}

double Objective::round_off() const {
  double sum = 0;
  for (int c = 0; c < components_.count(); ++c) sum += round_off(c);
  return sum;
}

void Objective::measure_components() {
  const auto count = static_cast<std::size_t>(components_.count());
  component_mass_.assign(count, 0.0);
  component_size_.assign(count, 0.0);
  component_vertices_.assign(count, 0);
  std::vector<std::array<double, 6>> box(count, {0, 0, 0, 0, 0, 0});
  for (int v = 0; v < vertices(); ++v) {
    const int c = component()[v];
    const bool first = component_mass_[c] == 0;
    component_mass_[c] += model_.mass[v];
    ++component_vertices_[c];
    for (int k = 0; k < 3; ++k) {
      const double x = model_.rest[3 * v + k];
      box[c][k] = first ? x : std::min(box[c][k], x), box[c][3 + k] = first ? x : std::max(box[c][3 + k], x);
    }
  }
  for (std::size_t c = 0; c < count; ++c) {
    component_size_[c] = std::hypot(box[c][3] - box[c][0], box[c][4] - box[c][1], box[c][5] - box[c][2]);
    if (!(component_size_[c] > 0)) component_size_[c] = model_size_ > 0 ? model_size_ : 1;  // a single vertex
  }
  // Energies such as I_C - 3 are differences of numbers of the size of k measure; springs and pins do not cancel.
  stiffness_scale_.assign(count, 0.0);
  for (const Term& term : model_.terms) {
    if (term.elements.rows() < 3) continue;
    std::vector<double> q(term.elements.rows() * term.elements.rows());
    for (const auto& potential : term.elastic)
      for (int i = 0; i < term.elements.size(); ++i) {
        potential->quadratic(i, tau_, q.data());
        stiffness_scale_[component()[term.elements.vertices(i)[0]]] += term.elements.measure(i) * q[0];
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
    for (const auto& kernel : sample_->kernels[t].elastic()) kernel->fit(sweep.block, sweep.measure, *sums++);
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
  stiffness_revision_ = revision_.stiffness;
  if (std::all_of(scale_.begin(), scale_.end(), [](double scale) { return scale == 1; })) return;
  for (const double scale : scale_)
    stiffness_revision_ = (stiffness_revision_ ^ std::bit_cast<std::uint64_t>(scale)) * 0x100000001b3u;
}

void Objective::quadratic(int t, int element, double* q) const {
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
