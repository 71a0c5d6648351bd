#include "resilin/simulation.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec3.h"
#include "resilin/errors.h"
#include "simulation/checks.h"
#include "simulation/simulation_parts.h"

namespace resilin {

Simulation::Simulation(Model model, std::unique_ptr<Integrator> integrator, std::unique_ptr<Solver> solver,
                       SimulationOptions options)
    : parts_(std::make_unique<Parts>()) {
  Parts& s = *parts_;
  s.model = std::move(model), s.options = options;
  s.integrator = std::move(integrator), s.solver = std::move(solver);
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw InputError("step", "the time step must be positive and finite");
  s.model.validate();
  s.pool = std::make_unique<ThreadPool>(options.threads > 0 ? options.threads : available_cores());
  if (options.reduction) {
    check_reducible(s.model);
    s.subspace = make_subspace(load_reduction(s.model, *options.reduction, options.reduction_store.get(), *s.pool),
                               s.model, *s.pool);
  }
  s.system = std::make_unique<DynamicSystem>(s.model, *s.pool, s.subspace.get());
  s.check_solver(*s.solver);
  check_integrator(s.model, *s.integrator, options.reduction ? &*options.reduction : nullptr);
  s.state.q = s.system->space().rest();
  s.state.v.assign(s.state.q.size(), 0.0);
  s.system->space().coordinates().prescribe(0, s.state.q.data(), s.state.v.data());
  s.initial = s.state;
}

Simulation::~Simulation() = default;

const State& Simulation::state() const { return parts_->state; }
bool Simulation::reduced() const { return parts_->reduced(); }
const Model& Simulation::model() const { return parts_->model; }
const SimulationOptions& Simulation::options() const { return parts_->options; }
const Integrator& Simulation::integrator() const { return *parts_->integrator; }
Solver& Simulation::solver() { return *parts_->solver; }
DynamicSystem& Simulation::system() { return *parts_->system; }
const DynamicSystem& Simulation::system() const { return *parts_->system; }
int Simulation::threads() const { return parts_->pool->threads(); }
const std::vector<EditRecord>& Simulation::edits() const { return parts_->log; }
void Simulation::set_source(std::shared_ptr<const ModelSource> source) { parts_->source = std::move(source); }
const ModelSource* Simulation::source() const { return parts_->source.get(); }

const std::vector<double>& Simulation::positions() const { return reduced() ? parts_->lift().q : parts_->state.q; }

const std::vector<double>& Simulation::velocities() const { return reduced() ? parts_->lift().v : parts_->state.v; }

const DynamicSystem& Simulation::whole_system() const {
  Parts& s = *parts_;
  if (!reduced()) return *s.system;
  if (!s.whole) s.whole = std::make_unique<DynamicSystem>(s.model, *s.pool);
  return *s.whole;
}

void Simulation::set_state(State state) {
  Parts& s = *parts_;
  if (reduced() && state.q.size() == s.model.rest.size() && state.v.size() == s.model.rest.size())
    s.project(state.q, state.v);
  if (state.q.size() != s.state.q.size() || state.v.size() != s.state.v.size())
    throw InputError("state", "its size does not match the model");
  assign(s.state, state);
  s.lifted.valid = false;
  if (s.state.step > 0) return;
  const bool differs = s.state.q != s.initial.q || s.state.v != s.initial.v;
  s.own_first_state = s.own_first_state || (s.source != nullptr && differs);
  assign(s.initial, s.state);
}

int Simulation::observe(Observer observer) {
  parts_->observers.push_back({++parts_->observed, std::move(observer)});
  return parts_->observed;
}

void Simulation::unobserve(int number) {
  for (Parts::Observing& observing : parts_->observers)
    if (observing.number == number) observing.call = nullptr;
}

void Simulation::set_forces(std::span<const double> forces) {
  Parts& s = *parts_;
  if (!forces.empty()) check_numbers(forces, s.model.rest.size(), "forces");
  if (std::equal(forces.begin(), forces.end(), s.forces.begin(), s.forces.end())) return;
  Model counted;
  s.add_forces(counted);
  s.model.forces.resize(s.model.forces.size() - counted.forces.size());
  s.forces.assign(forces.begin(), forces.end());
  s.add_forces(s.model);
  s.system->update(false);
}

Energy Simulation::energy() {
  Parts& s = *parts_;
  DynamicSystem& system = *s.system;
  const std::vector<double>&q = s.state.q, &v = s.state.v;
  Energy e;
  system.set_time(s.state.time);
  s.recall_contact(s.state.time, q, v, s.state.solver);
  e.elastic = system.potential_energy(q.data(), nullptr);
  std::vector<double> p(v.size()), force(q.size());
  system.space().coordinates().inertia(v.data(), p.data());
  system.external(s.state.time, force.data());
  system.space().coordinates().inertia(force.data(), force.data());
  for (std::size_t i = 0; i < q.size(); ++i) {
    e.kinetic += 0.5 * p[i] * v[i];
    e.external -= force[i] * (q[i] - system.space().rest()[i]);
  }
  return e;
}

std::array<double, 3> Simulation::momentum() const {
  const std::vector<double>&mass = model().mass, &v = velocities();
  Vec3 p{0, 0, 0};
  for (int i = 0; i < std::ssize(mass); ++i) p = p + mass[i] * vertex_at(v, i);
  return p;
}

std::array<double, 3> Simulation::angular_momentum() const {
  const std::vector<double>&mass = model().mass, &q = positions(), &u = velocities();
  Vec3 l{0, 0, 0};
  for (int i = 0; i < std::ssize(mass); ++i) l = l + mass[i] * cross(vertex_at(q, i), vertex_at(u, i));
  return l;
}

// ---- functions of its members

// A map's own assignment makes its vectors anew.
void assign(Memory& to, const Memory& from) {
  for (auto it = to.entries.begin(); it != to.entries.end();)
    it = from.entries.contains(it->first) ? std::next(it) : to.entries.erase(it);
  for (const auto& [name, entry] : from.entries) {
    Memory::Entry& own = to.entries[name];
    own.stamp = entry.stamp, own.values = entry.values;
  }
}

void assign(State& to, const State& from) {
  to.q = from.q, to.v = from.v, to.time = from.time, to.step = from.step;
  assign(to.history, from.history);
  assign(to.solver, from.solver);
}

void Simulation::Parts::check_solver(const Solver& chosen) const {
  if (reduced() && chosen.needs_vertices())
    throw InputError("solver",
                     "it works vertex by vertex, and unknowns of a reduced simulation are no vertices; use "
                     "projective_dynamics or quasi_newton, or leave out \"reduction\"");
  chosen.check(system->problem());
}

const Simulation::Parts::Lifted& Simulation::Parts::lift() {
  if (lifted.valid) return lifted;
  lifted.q.resize(model.rest.size()), lifted.v.resize(model.rest.size());
  subspace->lift(state.q.data(), lifted.q.data());
  subspace->lift(state.v.data(), lifted.v.data());
  lifted.valid = true;
  return lifted;
}

void Simulation::Parts::project(std::vector<double>& q, std::vector<double>& v) const {
  if (!reduced()) return;
  std::vector<double> to(subspace->size());
  for (auto* each : {&q, &v}) {
    subspace->project(each->data(), to.data());
    *each = to;
  }
}

void Simulation::Parts::add_forces(Model& to) const {
  for (std::size_t i = 0; i < forces.size(); i += 3)
    if (forces[i] != 0 || forces[i + 1] != 0 || forces[i + 2] != 0)
      to.forces.push_back({{static_cast<int>(i / 3)}, {forces[i], forces[i + 1], forces[i + 2]}, false, {}});
}

void Simulation::Parts::recall_contact(double time, const std::vector<double>& q, const std::vector<double>& v,
                                       const Memory& memory) {
  if (system->blocks().contacts().empty()) return;
  Stage here;
  here.time = time, here.tau = options.step, here.origin = here.target = q, here.velocity = v;
  here.begin_at(time, q);
  system->recall(here, memory);
}

void Simulation::Parts::call_observers(const Simulation& simulation, const StepReport& report) {
  for (std::size_t i = 0; i < observers.size(); ++i) {  // one may add others or take itself away
    const Observer call = observers[i].call;
    if (call) call(simulation, report);
  }
  std::erase_if(observers, [](const Observing& observing) { return !observing.call; });
}

}  // namespace resilin
