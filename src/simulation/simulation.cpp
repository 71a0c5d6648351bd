#include "resilin/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/thread_pool.h"
#include "objective/objective.h"
#include "reduction/reduced_subspace.h"
#include "resilin/errors.h"
#include "resilin/watch.h"
#include "simulation/checks.h"
#include "solvers/point_hessian.h"

namespace resilin {
namespace {

// Assigns without allocating when both have the same arrays: a map's own assignment makes its vectors anew.
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

}  // namespace

// What the integrator sees of the simulation, for the length of one step.
class Simulation::Stages final : public Stepper {
 public:
  Stages(Simulation& simulation, State& next, StepReport& report) : s_(simulation), next_(next), report_(report) {}

  Status solve(Stage& stage, std::vector<double>& y) override {
    begin(stage, y);
    const SolveReport one = s_.solver_->solve(*s_.objective_, stage, y, next_.solver, s_.options_.stop);
    add(one);
    return one.status;
  }
  Status linear_solve(Stage& stage, std::vector<double>& y) override {
    begin(stage, y);
    Objective& objective = *s_.objective_;
    std::vector<double>& d = s_.linear_step_;
    d.resize(y.size());
    SolveReport one;
    const Evaluation here = objective.evaluate(y.data(), d.data());
    one.objective = here.value();
    one.first_residual = one.residual = here.gradient_norm();
    one.iterations = one.evaluations = one.factorisations = 1;
    if (!s_.tangent_) s_.tangent_ = std::make_unique<PointHessian>("cholesky");
    if (!s_.tangent_->factorise(objective, y.data(), true)) return Status::not_finite;
    s_.tangent_->solve(objective, d.data(), d.data());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= d[i];
    add(one);
    return Status::converged;
  }
  void external(double time, std::vector<double>& a) override {
    a.resize(next_.q.size());
    s_.objective_->external(time, a.data());
  }
  void acceleration(double time, const std::vector<double>& q, const std::vector<double>& v,
                    std::vector<double>& a) override {
    a.resize(q.size());
    s_.recall_contact(time, q, v, next_.solver);
    s_.objective_->acceleration(time, q.data(), v.data(), a.data());
  }
  void prescribe(double time, std::vector<double>& q, std::vector<double>& v) override {
    s_.objective_->coordinates().prescribe(time, q.data(), v.data());
  }
  const Revision& revision() const override { return s_.objective_->revision(); }

 private:
  // Pinned vertices stand where the stage's time wants them, in the start and in the target.
  void begin(Stage& stage, std::vector<double>& y) {
    if (s_.reduced()) s_.subspace_->move_target(stage);
    y = stage.guess;
    std::vector<double>& ignored = s_.ignored_velocity_;
    ignored.resize(y.size());
    s_.objective_->coordinates().prescribe(stage.time, y.data(), ignored.data());
    s_.objective_->coordinates().prescribe(stage.time, stage.target.data(), ignored.data());
    s_.objective_->begin(stage);
  }
  void add(const SolveReport& one) {
    SolveReport& sum = report_.solve;
    if (one.status != Status::converged) sum.status = one.status;
    sum.iterations += one.iterations;
    sum.evaluations += one.evaluations;
    sum.line_searches += one.line_searches;
    sum.factorisations += one.factorisations;
    if (!(one.error <= sum.error)) sum.error = one.error, sum.worst = one.worst;
    sum.infeasibility = std::max(sum.infeasibility, one.infeasibility);
    sum.residual = one.residual, sum.first_residual = one.first_residual, sum.objective = one.objective;
    sum.phases += one.phases;
    sum.trace.insert(sum.trace.end(), one.trace.begin(), one.trace.end());
  }

  Simulation& s_;
  State& next_;
  StepReport& report_;
};

Simulation::Simulation(Model model, std::unique_ptr<Integrator> integrator, std::unique_ptr<Solver> solver,
                       SimulationOptions options)
    : model_(std::move(model)), options_(options), integrator_(std::move(integrator)), solver_(std::move(solver)) {
  if (!(options_.step > 0) || !std::isfinite(options_.step))
    throw InputError("step", "the time step must be positive and finite");
  model_.validate();
  pool_ = std::make_unique<ThreadPool>(options_.threads > 0 ? options_.threads : available_cores());
  if (options_.reduction) {
    check_reducible(model_);
    subspace_ = make_subspace(load_reduction(model_, *options_.reduction, options_.reduction_store.get(), *pool_),
                              model_, *pool_);
  }
  objective_ = std::make_unique<Objective>(model_, *pool_, subspace_.get());
  check_solver(*solver_);
  check_integrator(model_, *integrator_, options_.reduction ? &*options_.reduction : nullptr);
  state_.q = objective_->rest();
  state_.v.assign(state_.q.size(), 0.0);
  objective_->coordinates().prescribe(0, state_.q.data(), state_.v.data());
  initial_ = state_;
}

Simulation::~Simulation() = default;

int Simulation::threads() const { return pool_->threads(); }

void Simulation::check_solver(const Solver& solver) const {
  if (reduced() && !solver.takes_subspace())
    throw InputError("solver",
                     "it works vertex by vertex, and unknowns of a reduced simulation are no vertices; use "
                     "projective_dynamics or quasi_newton, or leave out \"reduction\"");
  solver.check(*objective_);
}

const Objective& Simulation::whole_objective() const {
  if (!reduced()) return *objective_;
  if (!whole_) whole_ = std::make_unique<Objective>(model_, *pool_);
  return *whole_;
}

const Simulation::Lifted& Simulation::lifted() const {
  if (lifted_.valid) return lifted_;
  lifted_.q.resize(model_.rest.size()), lifted_.v.resize(model_.rest.size());
  subspace_->lift(state_.q.data(), lifted_.q.data());
  subspace_->lift(state_.v.data(), lifted_.v.data());
  lifted_.valid = true;
  return lifted_;
}

// Of vertices to unknowns, where these are others.
void Simulation::project(std::vector<double>& q, std::vector<double>& v) const {
  if (!reduced()) return;
  std::vector<double> to(static_cast<std::size_t>(subspace_->size()));
  for (auto* each : {&q, &v}) {
    subspace_->project(each->data(), to.data());
    *each = to;
  }
}

void Simulation::set_state(State state) {
  if (reduced() && state.q.size() == model_.rest.size() && state.v.size() == model_.rest.size())
    project(state.q, state.v);
  if (state.q.size() != state_.q.size() || state.v.size() != state_.v.size())
    throw InputError("state", "its size does not match the model");
  assign(state_, state);
  lifted_.valid = false;
  if (state_.step > 0) return;
  own_first_state_ = own_first_state_ || (source_ != nullptr && (state_.q != initial_.q || state_.v != initial_.v));
  assign(initial_, state_);
}

int Simulation::observe(Observer observer) {
  observers_.push_back({++observed_, std::move(observer)});
  return observed_;
}

void Simulation::unobserve(int number) {
  for (Observing& observing : observers_)
    if (observing.number == number) observing.call = nullptr;
}

void Simulation::call_observers(const StepReport& report) {
  for (std::size_t i = 0; i < observers_.size(); ++i) {  // one may add others or take itself away
    const Observer call = observers_[i].call;
    if (call) call(*this, report);
  }
  std::erase_if(observers_, [](const Observing& observing) { return !observing.call; });
}

// The lock is held for as long as a pointer takes, by both sides: neither waits for the other's copy.
void Simulation::publish() {
  if (!publishing_) return;
  auto next = std::make_shared<const Snapshot>(Snapshot{positions(), velocities(), state_.time, state_.step});
  const std::lock_guard lock(snapshot_mutex_);
  published_.swap(next);
}

Snapshot Simulation::snapshot() const {
  std::shared_ptr<const Snapshot> newest;
  {
    const std::lock_guard lock(snapshot_mutex_);
    newest = published_;
  }
  return newest ? *newest : Snapshot{};
}

// Positions and velocities stay where they are: readers hold their addresses.
void Simulation::commit() {
  std::copy(next_.q.begin(), next_.q.end(), state_.q.begin());
  std::copy(next_.v.begin(), next_.v.end(), state_.v.begin());
  state_.time = next_.time, state_.step = next_.step;
  lifted_.valid = false;
  std::swap(state_.history, next_.history);
  std::swap(state_.solver, next_.solver);
}

StepReport Simulation::step() {
  const FlushDenormals flush;
  const auto start = std::chrono::steady_clock::now();
  StepReport report;
  apply_edits(report);
  // Integrators write all positions and velocities; of what is remembered they may leave some as it is.
  next_.q.resize(state_.q.size()), next_.v.resize(state_.v.size());
  assign(next_.history, state_.history);
  assign(next_.solver, state_.solver);
  Stages stages(*this, next_, report);
  try {
    report.status = integrator_->step(state_, next_, options_.step, stages);
  } catch (const Cancelled&) {
    report.status = Status::cancelled;
  }
  next_.time = state_.time + options_.step;
  next_.step = state_.step + 1;
  if (report.status != Status::cancelled && !is_finite(next_)) report.status = Status::not_finite;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report.status == Status::not_finite || report.status == Status::cancelled) return report;
  commit();
  if (!observers_.empty()) recall_contact(state_.time, state_.q, state_.v, state_.solver);
  publish();
  call_observers(report);
  return report;
}

// Between stages contact is as the state remembers it, and not as the last stage has left it: a resumed run has had no stage.
void Simulation::recall_contact(double time, const std::vector<double>& q, const std::vector<double>& v,
                                const Memory& memory) {
  if (model_.contact.empty()) return;
  Stage here;
  here.time = time, here.tau = options_.step, here.origin = here.target = q, here.velocity = v;
  here.begin_at(time, q);
  objective_->recall(here, memory);
}

Energy Simulation::energy() {
  Energy e;
  objective_->set_time(state_.time);
  recall_contact(state_.time, state_.q, state_.v, state_.solver);
  e.elastic = objective_->potential_energy(state_.q.data(), nullptr);
  std::vector<double> p(state_.v.size()), force(state_.q.size());
  objective_->coordinates().inertia(state_.v.data(), p.data());
  objective_->external(state_.time, force.data());
  objective_->coordinates().inertia(force.data(), force.data());
  for (std::size_t i = 0; i < state_.q.size(); ++i) {
    e.kinetic += 0.5 * p[i] * state_.v[i];
    e.external -= force[i] * (state_.q[i] - objective_->rest()[i]);
  }
  return e;
}

std::array<double, 3> Simulation::momentum() const {
  std::array<double, 3> p{0, 0, 0};
  for (std::size_t i = 0; i < model_.mass.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) p[k] += model_.mass[i] * velocities()[3 * i + k];
  return p;
}

std::array<double, 3> Simulation::angular_momentum() const {
  std::array<double, 3> l{0, 0, 0};
  for (std::size_t i = 0; i < model_.mass.size(); ++i) {
    const double *x = &positions()[3 * i], *v = &velocities()[3 * i];
    for (int k = 0; k < 3; ++k)
      l[k] += model_.mass[i] * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
  }
  return l;
}

}  // namespace resilin
