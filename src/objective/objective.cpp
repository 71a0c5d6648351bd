#include "objective/objective.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/chunks.h"
#include "core/stamp.h"
#include "objective/element_sample.h"
#include "objective/hessian.h"
#include "objective/revision.h"
#include "potentials/dissipation.h"

namespace resilin {

Objective::Objective(const Model& model, ThreadPool& pool, Subspace* subspace)
    : model_(model),
      pool_(pool),
      subspace_(subspace),
      partition_(model, subspace != nullptr ? &subspace->sample() : nullptr),
      vertices_(model, free_index_),
      coordinates_(subspace != nullptr ? static_cast<const Coordinates&>(*subspace) : vertices_),
      components_(row_component()),
      vectors_(components_, pool),
      guards_(model) {
  update();
}

void Objective::update(bool terms) {
  if (subspace_ != nullptr && terms) subspace_->update(model_, pool_);
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
  if (subspace_ != nullptr && revision != revision_) hold_pins(), find_accelerations();
  if (revision.stiffness != revision_.stiffness) {
    model_size_ = model_.size(), total_mass_ = model_.total_mass();
    find_floating_components();
    measure_components();
    measure_islands();
    sample_.reset();  // of what stands in the constant Hessian
  }
  if (revision != revision_) pack_listed(revision.energy), find_obstacles();
  revision_ = revision, stiffness_revision_ = revision.stiffness;
  set_time(time_);
}

// Elements in parts and packs, and room for what is computed of them.
void Objective::lay_out(bool first) {
  if (!first) {  // the constructor has made them
    partition_ = Partition(model_, subspace_ != nullptr ? &subspace_->sample() : nullptr);
    components_ = ComponentSet(row_component());
  }
  packed_.clear(), kernels_.clear(), packed_of_.clear(), sample_.reset();
  assembly_.reset();  // its places are by pack
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t) packed_.emplace_back(model_, t, partition_);
  kernels_.resize(packed_.size()), packed_of_.assign(packed_.size(), 0);
  x_copies_.assign(static_cast<std::size_t>(partition_.copies()) * 4, 0.0);
  f_copies_.assign(static_cast<std::size_t>(partition_.copies()) * 4, 0.0);
  origin_copies_.clear(), velocity_copies_.clear(), rate_copies_.clear();
  part_energy_.assign(partition_.parts(), 0.0);
  target_.assign(static_cast<std::size_t>(size()), 0.0);
  kinetic_.assign(static_cast<std::size_t>(components_.count()), 0.0);
  active_parts_.clear();
  for (int part = 0; part < partition_.parts(); ++part) active_parts_.push_back(part);
  if (subspace_ != nullptr) number_samples();
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
    guess_[t].assign(kernels_[t].reads(Reads::rotation, 1) ? static_cast<std::size_t>(packed_[t].packs()) * 32 : 0,
                     0.0);
  }
}

Objective::~Objective() = default;

void Objective::number_free_vertices() {
  free_index_.assign(rows(), 0);
  for (const Pin& pin : model_.pins)
    for (const int v : pin.vertices)
      if (subspace_ == nullptr) free_index_[v] = -1;
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
  floating_.clear();
  if (subspace_ != nullptr) return;  // its rows are no vertices
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
  for (std::size_t c = 0; c < members.size(); ++c)
    if (held[c] == 0) floating_.push_back(std::move(members[c]));
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
  guesses_cold_ = true, fit_begun_ = false;
  if (components_.active_count() < components_.count()) {
    components_.activate_all();
    active_parts_.clear();
    for (int part = 0; part < partition_.parts(); ++part) active_parts_.push_back(part);
  }
  std::fill(scale_.begin(), scale_.end(), 1.0);
  stiffness_revision_ = revision_.stiffness;
  set_time(stage.time);
  if (subspace_ != nullptr && !stage.velocity.empty())
    momentum_.resize(stage.velocity.size()), coordinates_.inertia(stage.velocity.data(), momentum_.data());
  components_.sum(pool_, 1, scratch_, kinetic_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    for (std::ptrdiff_t i = begin; i < end && !stage.velocity.empty(); ++i)
      sums[0] +=
          0.5 * (subspace_ != nullptr ? momentum_[i] : model_.mass[i / 3] * stage.velocity[i]) * stage.velocity[i];
  });
  components_.part();
  measure_islands();
  if (!damped_) return;
  assert(stage.origin.size() == target_.size() && stage.velocity.size() == target_.size());
  gather_all(stage.origin.data(), origin_copies_);
  if (reads_first_velocity(model_)) gather_all(stage.velocity.data(), velocity_copies_);
}

void Objective::set_time(double time) {
  for (TermKernels& kernels : kernels_) kernels.set_time(time);
  if (sample_)
    for (TermKernels& kernels : sample_->kernels) kernels.set_time(time);
  time_ = time;
  pack_times();
}

void Objective::gather_part(int part, const double* y, double* copies) const {
  double* rows = copies + static_cast<std::size_t>(partition_.offset(part)) * 4;
  if (subspace_ != nullptr) subspace_->lift_listed(partition_.offset(part), partition_.offset(part + 1), rows);
  else coordinates_.lift(partition_.vertices(part), y, rows);
}

void Objective::gather_all(const double* y, AlignedVector<double>& copies) {
  copies.resize(x_copies_.size());
  if (subspace_ != nullptr) subspace_->begin_lift(y);
  pool_.parallel(partition_.parts(), [&](int part) { gather_part(part, y, copies.data()); });
}

// Outside of stages nothing is remembered: the same positions give the same bits.
double* Objective::guess(int term, int pack) {
  return with_inertia_ && !guess_[term].empty() ? guess_[term].data() + static_cast<std::size_t>(pack) * 32
                                                : nullptr;
}

Evaluation Objective::sweep(const double* y, double* gradient, FunctionRef<void(int, int, SweepBlock&)> op,
                            Evaluation room) {
  const Rates rates = stage_rates();
  sweep(y, gradient, with_inertia_ && !origin_copies_.empty() ? &rates : nullptr, Besides::listed, op, room,
        /*fitted=*/subspace_ != nullptr && gradient != nullptr);
  if (components_.joined()) room.join(components_.islands());
  return room;
}

void Objective::sweep(const double* y, double* gradient, const Rates* rates, Besides besides,
                      FunctionRef<void(int, int, SweepBlock&)> op, Evaluation& out, bool fitted) {
  out.components.assign(static_cast<std::size_t>(components_.count()), {});
  out.island.clear();
  const bool cold = with_inertia_ && std::exchange(guesses_cold_, false);
  const bool clear = gradient != nullptr && scatters(fitted);
  if (subspace_ != nullptr) subspace_->begin_lift(y);
  pool_.parallel(static_cast<int>(active_parts_.size()), [&](int i) {
    const int part = active_parts_[i];
    gather_part(part, y, x_copies_.data());
    const std::size_t first = static_cast<std::size_t>(partition_.offset(part)) * 4;
    const std::size_t last = static_cast<std::size_t>(partition_.offset(part + 1)) * 4;
    if (clear) std::fill(f_copies_.begin() + first, f_copies_.begin() + last, 0.0);
    Rates local{};
    if (rates != nullptr)
      local = {rates->origin + first, rates->velocity != nullptr ? rates->velocity + first : nullptr, rates->tau};
    for (int t = 0; t < static_cast<int>(packed_.size()); ++t) {
      if (besides == Besides::listed_and_obstacles && is_obstacle_[t] != 0 && subspace_ == nullptr) continue;
      if (cold && !guess_[t].empty())
        std::fill(guess(t, packed_[t].first_pack(part)), guess(t, packed_[t].first_pack(part + 1)), 0.0);
      const bool fits = fitted && subspace_->fits(t);
      packed_[t].sweep(
          part, x_copies_.data() + first, gradient && !fits ? f_copies_.data() + first : nullptr,
          [&](SweepBlock& sweep) {
            sweep.block.guess = guess(t, sweep.block.first);
            op(t, part, sweep);
            if (fits) keep_projections(t, sweep);
          },
          rates != nullptr && term_damped_[t] ? &local : nullptr);
    }
  });
  if (besides != Besides::nothing)
    add_listed(y, gradient != nullptr, besides == Besides::listed_and_obstacles, out);
  if (fitted) reduce_fitted(y, gradient, out);
  else if (subspace_ != nullptr) reduce_in_subspace(y, gradient, out);
  else reduce(y, gradient, out);
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
    all.terms[group.term].sweep(
        group.part, x_copies_.data(), nullptr, [&](SweepBlock& block) { op(g, block); },
        damped_ && term_damped_[group.term] ? &rates : nullptr);
  });
}

// Sums the copies of every vertex, adds inertia and measures, in one pass.
void Objective::reduce(const double* y, double* gradient, Evaluation& out) {
  const double weight = with_inertia_ ? 1 / (tau_ * tau_) : 0;
  components_.sum(pool_, 3, scratch_, sums_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
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
  for (std::size_t c = 0; c < out.components.size(); ++c)
    out.components[c].inertia = sums_[3 * c], out.components[c].gradient_square = sums_[3 * c + 1];
}

void Objective::reduce_inequalities(const double* y, double* gradient, Evaluation& out) {
  out.infeasibility = inequalities_.depth(y, pool_);
  if (gradient == nullptr) return;
  inequalities_.reduce(y, model_.mass, tau_, gradient, pool_);
  components_.sum(pool_, 1, scratch_, squares_, [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* sums) {
    sums[0] = std::inner_product(gradient + begin, gradient + end, gradient + begin, 0.0);
  });
  for (std::size_t c = 0; c < out.components.size(); ++c) out.components[c].gradient_square = squares_[c];
}

Evaluation Objective::evaluate(const double* y, double* gradient, Evaluation room) {
  return evaluate(y, gradient, false, std::move(room));
}

Evaluation Objective::evaluate_fitted(const double* y, double* gradient, Evaluation room) {
  return evaluate(y, gradient, subspace_ != nullptr && gradient != nullptr, std::move(room));
}

Evaluation Objective::evaluate(const double* y, double* gradient, bool fitted, Evaluation room) {
  std::fill(part_energy_.begin(), part_energy_.end(), 0.0);
  const int derivatives = gradient != nullptr ? 1 : 0;
  const Rates rates = stage_rates();
  sweep(
      y, gradient, with_inertia_ && !origin_copies_.empty() ? &rates : nullptr, Besides::listed_and_obstacles,
      [&](int term, int part, SweepBlock& block) {
        resilin::evaluate(kernels_[term], block.block, derivatives);
        part_energy_[part] += block_energy(block);
      },
      room, fitted);
  std::vector<Evaluation::Part>& components = room.components;
  for (Evaluation::Part& c : components)
    c.precision = std::exchange(c.potential, 0.0);  // of lagged terms: summed last
  for (int part = 0; part < partition_.parts(); ++part)
    components[partition_.component_of_part(part)].potential += part_energy_[part];
  if (with_inertia_ && inequalities_.any(Response::hard)) reduce_inequalities(y, gradient, room);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < components.size(); ++i) {
    Evaluation::Part& c = components[i];
    c.potential += c.precision;
    c.precision =
        epsilon * (32 * (std::abs(c.inertia) + std::abs(c.potential)) + sums_[3 * i + 2] + stiffness_scale_[i]);
  }
  if (components_.joined()) room.join(components_.islands());
  return room;
}

double Objective::potential_energy(const double* q, double* gradient) {
  with_inertia_ = false;
  ignored_ = evaluate(q, gradient, std::move(ignored_));
  with_inertia_ = true;
  return ignored_.potential();
}

void Objective::damping(const double* q, const double* v, double* gradient,
                        std::vector<std::pair<std::string, double>>* power) {
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
      sweep(
          q, gradient != nullptr ? damping_gradient_.data() : nullptr, &rates, Besides::nothing,
          [&](int term, int part, SweepBlock& sweep) {
            if (term != t) std::fill_n(sweep.block.dpsi_z, sweep.block.packs * 3 * sweep.block.rows * 8, 0.0);
            else part_energy_[part] += damping_power(kernel, sweep);
          },
          ignored_);
      for (std::ptrdiff_t i = 0; gradient != nullptr && i < size(); ++i) gradient[i] += damping_gradient_[i];
      if (power != nullptr)
        power->emplace_back(model_.terms[t].damping[d]->name(),
                            std::accumulate(part_energy_.begin(), part_energy_.end(), 0.0));
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
  coordinates_.solve_inertia(a, a);
  for (std::ptrdiff_t i = 0; i < size(); ++i) a[i] = -a[i];
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
    if (term.elements.kind() != ElementKind::tet) continue;
    std::vector<double> q(term.elements.rows() * term.elements.rows());
    for (const auto& potential : term.elastic)
      for (int i = 0; i < term.elements.size(); ++i) {
        potential->quadratic(i, tau_, q.data());
        stiffness_scale_[component()[term.elements.vertices(i)[0]]] += term.elements.measure(i) * q[0];
      }
  }
}

void Objective::measure_islands() {
  islands_.assign(static_cast<std::size_t>(components_.count()), {});
  for (int c = 0; c < components_.count(); ++c) {
    Island& island = islands_[components_.island(c)];
    island.mass += component_mass_[c], island.kinetic += kinetic_[c], island.vertices += component_vertices_[c];
    island.size = components_.leads(c) ? component_size_[c] : std::min(island.size, component_size_[c]);
  }
}

void Objective::external(double time, double* a) const {
  if (subspace_ != nullptr) {
    std::copy(gravity_.begin(), gravity_.end(), a);
    for (std::size_t f = 0; f < force_.size(); ++f) {
      const double scale = model_.forces[f].signal.at(time);
      for (std::size_t i = 0; i < force_[f].size(); ++i) a[i] += scale * force_[f][i];
    }
    return;
  }
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

void Objective::hessian(const double* y, SymmetricMatrix& matrix, bool filter) {
  if (!assembly_) assembly_ = std::make_unique<HessianAssembly>(*this, matrix);
  assembly_->assemble(y, matrix, filter);
}

}  // namespace resilin
