#include "problem/dynamic_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "potentials/pin.h"

namespace resilin {
namespace {

constexpr double pin_stiffness = 1000;  // of the mean stiffness of a vertex

// Mean diagonal of the constant stiffness, by vertex.
double mean_stiffness(const Model& model, const ConstantMatrix& constant) {
  double trace = 0, q[9];
  for (int t = 0; t < static_cast<int>(model.terms.size()); ++t) {
    const Elements& e = model.terms[t].elements;
    const int rows = e.rows(), corners = e.corners();
    for (int i = 0; i < e.size() && e.translation_free(); ++i) {
      constant.element_stiffness(t, i, q);
      for (int k = 0; k < rows * corners; ++k)
        trace += e.measure(i) * q[k / corners * (rows + 1)] * std::pow(e.coefficients(i)[k], 2);
    }
  }
  return trace / std::max(1, model.vertex_count());
}

std::unique_ptr<Assembly> make_assembly(const Model& model, const Partition& partition, const Space& space,
                                        Subspace* subspace) {
  if (subspace != nullptr) return std::make_unique<SubspaceAssembly>(partition, space, *subspace);
  return std::make_unique<VertexAssembly>(model, partition, space);
}

}  // namespace

DynamicSystem::DynamicSystem(const Model& model, ThreadPool& pool, Subspace* subspace)
    : model_(model),
      subspace_(subspace),
      space_(model, pool, subspace),
      elements_(model, space_, subspace != nullptr ? &subspace->sample() : nullptr),
      assembly_(make_assembly(model, elements_.partition(), space_, subspace)),
      fitted_(subspace == nullptr
                  ? nullptr
                  : std::make_unique<FittedAssembly>(elements_.partition(), space_, *subspace, elements_.terms())),
      blocks_(model, space_),
      constant_(elements_, space_),
      problem_(space_, elements_, *assembly_, fitted_.get(), blocks_, constant_, revision_) {
  elements_.set_assembly(*assembly_);
  if (subspace_ != nullptr) constant_.set_subspace(subspace_, fitted_.get(), &pin_terms_);
  update();
}

void DynamicSystem::update(bool terms) {
  if (subspace_ != nullptr && terms) subspace_->update(model_, space_.pool());
  if (terms) {
    const TermStamps stamps = stamp_terms(model_);
    if (stamps.elements() != stamps_.elements()) lay_out();
    stamps_ = stamps;
    elements_.pack_kernels();
  }
  const Revision revision = revision_of(model_, stamps_);
  if (revision.structure != revision_.structure) {
    space_.number_free_rows();
    problem_.linearisation_.forget();
  }
  constant_.update(revision);
  if (revision.stiffness != revision_.stiffness) {
    space_.measure();
    measure_stiffness();
    elements_.drop_sample();  // it holds what stands in the constant Hessian
  }
  if (revision != revision_) {
    if (subspace_ != nullptr) hold_pins(), find_loads();
    blocks_.update(revision, subspace_ != nullptr && subspace_->moves_target());
  }
  revision_ = revision;
  set_time(problem_.stage_.time);
}

void DynamicSystem::lay_out() {
  elements_.lay_out();
  space_.set_components(elements_.partition().component());
  assembly_->lay_out(elements_.partition().copies());
  if (fitted_) fitted_->lay_out(elements_.partition().copies());
  problem_.stage_.target.assign(space_.size(), 0.0);
  problem_.linearisation_.forget();
}

// Energies such as I_C - 3 are differences of numbers of the size of k measure; springs and pins do not cancel.
void DynamicSystem::measure_stiffness() {
  problem_.stiffness_scale_.assign(space_.components().count(), 0.0);
  for (const Term& term : model_.terms) {
    if (term.elements.kind() != ElementKind::tet) continue;
    std::vector<double> q(term.elements.rows() * term.elements.rows());
    for (const auto& potential : term.elastic)
      for (int i = 0; i < term.elements.size(); ++i) {
        potential->quadratic(i, problem_.stage_.tau, q.data());
        problem_.stiffness_scale_[space_.component()[term.elements.vertices(i)[0]]] +=
            term.elements.measure(i) * q[0];
      }
  }
}

// Rows of unknowns move many vertices: a pinned one is held by a spring that is stiff against its body, and stands
// in the constant Hessian.
void DynamicSystem::hold_pins() {
  pin_terms_.clear();
  if (!model_.pins.empty()) {
    const double mean = mean_stiffness(model_, constant_), tau = problem_.stage_.tau;
    const double k =
        pin_stiffness * (mean > 0 ? mean : model_.total_mass() / std::max(1, space_.vertices()) / (tau * tau));
    for (const Pin& pin : model_.pins)
      pin_terms_.push_back({"pin", Elements::points(pin.vertices), {make_pin(k, pin.start, pin.motion)}});
  }
  blocks_.set_pins(pin_terms_);
}

void DynamicSystem::find_loads() {
  const auto one = subspace_->translation();
  gravity_.resize(space_.size());
  for (std::size_t i = 0; i < gravity_.size(); ++i) gravity_[i] = one[i / 3] * model_.gravity[i % 3];
  force_.assign(model_.forces.size(), std::vector<double>(gravity_.size(), 0.0));
  for (std::size_t f = 0; f < force_.size(); ++f) {
    const ExternalForce& force = model_.forces[f];
    std::vector<int> ids = force.vertices;
    for (int v = 0; force.vertices.empty() && v < space_.vertices(); ++v) ids.push_back(v);
    std::vector<double> rows(4 * ids.size(), 0.0);
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        rows[4 * i + k] = (force.per_mass ? model_.mass[ids[i]] : 1) * force.vector[k];
    subspace_->pull_back(ids, rows.data(), force_[f].data());
    subspace_->solve_inertia(force_[f].data(), force_[f].data());
  }
}

void DynamicSystem::set_time(double time) {
  problem_.linearisation_.invalidate();
  problem_.stage_.time = time;
  elements_.set_time(time);
  blocks_.set_time(time);
}

// ---- a stage

void DynamicSystem::begin_stage(const Stage& stage) {
  problem_.stage_ = stage;
  constant_.begin(stage.tau);
  set_time(stage.time);
  space_.begin(stage);
  if (fitted_) fitted_->begin_stage();
  elements_.begin(stage);
}

Problem& DynamicSystem::begin(const Stage& stage, const Memory& memory) {
  begin_stage(stage);
  const Profiler::Scope phase(problem_.profiler(), Phase::contact);
  blocks_.begin(stage, memory);
  return problem_;
}

void DynamicSystem::begin_guards(const Stage& stage) {
  const Profiler::Scope phase(problem_.profiler(), Phase::contact);
  problem_.linearisation_.invalidate();
  if (subspace_ == nullptr) blocks_.begin_guards(stage);
}

void DynamicSystem::begin_again(const Stage& stage) {
  begin_stage(stage);
  const Profiler::Scope phase(problem_.profiler(), Phase::contact);
  blocks_.rebuild_islands();
}

bool DynamicSystem::all_contacts_listed(const Stage& stage, const double* y, const Memory& memory) {
  const Profiler::Scope phase(problem_.profiler(), Phase::contact);
  if (blocks_.contact() == nullptr || blocks_.contact()->all_contacts_listed(stage, y, memory)) return true;
  blocks_.contact_elements()->pack();
  problem_.linearisation_.invalidate();
  return false;
}

// The second phase of Bouaziz et al. 2014, Section 5, lets bodies pass through each other as little as a step does.
void DynamicSystem::end(const Stage& stage, std::vector<double>& y, Memory& memory) {
  const Profiler::Scope phase(problem_.profiler(), Phase::contact);
  if (subspace_ == nullptr) blocks_.end_guards(stage, y.data());
  if (blocks_.inequalities().any(Response::projected)) {
    outside_ = y;
    blocks_.inequalities().project(Response::projected, outside_.data());
    problem_.limit_step(y.data(), outside_.data(), fraction_);
    y.swap(outside_);
  }
  blocks_.end(y.data(), memory);
  problem_.linearisation_.invalidate();
}

void DynamicSystem::recall(const Stage& stage, const Memory& memory) {
  blocks_.begin(stage, memory);
  problem_.linearisation_.invalidate();
}

// ---- independent of the stage

double DynamicSystem::potential_energy(const double* q, double* gradient) {
  problem_.evaluate_parts(q, nullptr, {.in_stage = false}, gradient, here_);
  if (space_.components().joined()) here_.join(space_.components().islands());
  return here_.potential();
}

void DynamicSystem::damping(const double* q, const double* v, double* gradient,
                            std::vector<std::pair<std::string, double>>* power) {
  const std::ptrdiff_t size = space_.size();
  if (gradient != nullptr) std::fill(gradient, gradient + size, 0.0);
  if (power != nullptr) power->clear();
  if (!damped()) return;
  const Rates rates = elements_.rates_at(v);
  damping_gradient_.resize(gradient != nullptr ? size : 0);
  for (int t = 0; t < static_cast<int>(model_.terms.size()); ++t)
    for (std::size_t d = 0; d < model_.terms[t].damping.size(); ++d) {
      const DissipationKernel& kernel = *elements_.kernels(t).damping()[d];
      part_energy_.assign(elements_.parts(), 0.0);
      assembly_->begin(q);
      elements_.sweep(*assembly_, {.scatter = gradient != nullptr, .in_stage = false, .rates = &rates},
                      [&](int term, int part, SweepBlock& sweep) {
                        if (term != t)
                          std::fill_n(sweep.block.dpsi_z, sweep.block.packs * 3 * sweep.block.rows * 8, 0.0);
                        else part_energy_[part] += damping_power(kernel, sweep);
                      });
      here_.components.assign(space_.components().count(), {});
      assembly_->reduce(nullptr, gradient != nullptr ? damping_gradient_.data() : nullptr, here_);
      for (std::ptrdiff_t i = 0; gradient != nullptr && i < size; ++i) gradient[i] += damping_gradient_[i];
      if (power != nullptr)
        power->emplace_back(model_.terms[t].damping[d]->name(),
                            std::accumulate(part_energy_.begin(), part_energy_.end(), 0.0));
    }
}

void DynamicSystem::acceleration(double time, const double* q, const double* v, double* a) {
  set_time(time);
  potential_energy(q, a);
  if (damped()) {
    rate_gradient_.resize(space_.size());
    damping(q, v, rate_gradient_.data(), nullptr);
    for (std::ptrdiff_t i = 0; i < space_.size(); ++i) a[i] += rate_gradient_[i];
  }
  space_.coordinates().solve_inertia(a, a);
  for (std::ptrdiff_t i = 0; i < space_.size(); ++i) a[i] = -a[i];
}

void DynamicSystem::external(double time, double* a) const {
  if (subspace_ != nullptr) {
    std::copy(gravity_.begin(), gravity_.end(), a);
    for (std::size_t f = 0; f < force_.size(); ++f) {
      const double scale = model_.forces[f].signal.at(time);
      for (std::size_t i = 0; i < force_[f].size(); ++i) a[i] += scale * force_[f][i];
    }
    return;
  }
  for (int v = 0; v < space_.vertices(); ++v)
    for (int k = 0; k < 3; ++k) a[3 * v + k] = model_.gravity[k];
  for (const ExternalForce& force : model_.forces) {
    const double scale = force.signal.at(time);
    const auto apply = [&](int v) {
      const double factor = force.per_mass ? scale : scale / model_.mass[v];
      for (int k = 0; k < 3; ++k) a[3 * v + k] += factor * force.vector[k];
    };
    if (force.vertices.empty())
      for (int v = 0; v < space_.vertices(); ++v) apply(v);
    for (const int v : force.vertices) apply(v);
  }
}

// ---- contact, read out

double DynamicSystem::smallest_gap() const {
  return blocks_.contact() != nullptr ? blocks_.contact()->smallest_gap() : std::numeric_limits<double>::infinity();
}

std::vector<std::array<int, 2>> DynamicSystem::overlapping() const {
  return blocks_.contact() != nullptr ? blocks_.contact()->overlapping() : std::vector<std::array<int, 2>>{};
}

std::vector<double> DynamicSystem::obstacle_depths(const double* y) { return blocks_.obstacle_depths(y); }

}  // namespace resilin
