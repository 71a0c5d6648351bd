// One step, from top to bottom: edits, stages, commit, observers. What happens within a stage is solve_stage.
#include <algorithm>
#include <chrono>

#include "resilin/errors.h"
#include "resilin/watch.h"
#include "simulation/simulation_parts.h"
#include "simulation/solve_stage.h"

namespace resilin {

// The simulation as an integrator sees it, for the length of one step.
class Simulation::Stages final : public Stepper {
 public:
  Stages(Parts& parts, StepReport& report) : s_(parts), report_(report) {}

  Status solve(Stage& stage, std::vector<double>& y) override {
    begin(stage, y);
    return add(solve_stage(*s_.system, *s_.solver, stage, y, s_.next.solver, s_.options.stop));
  }
  Status linear_solve(Stage& stage, std::vector<double>& y) override {
    begin(stage, y);
    Problem& problem = s_.system->begin(stage, s_.next.solver);
    std::vector<double>& d = s_.linear_step;
    d.resize(y.size());
    SolveReport one;
    const Evaluation here = problem.evaluate(y.data(), d.data());
    one.objective = here.value();
    one.first_residual = one.residual = here.gradient_norm();
    one.iterations = one.evaluations = one.factorisations = 1;
    if (!s_.tangent) s_.tangent = std::make_unique<PointHessian>("cholesky");
    if (!s_.tangent->factorise(problem, y.data(), true)) return Status::not_finite;
    s_.tangent->solve(problem, d.data(), d.data());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= d[i];
    return add(one);
  }
  void external(double time, std::vector<double>& a) override {
    a.resize(s_.state.q.size());
    s_.system->external(time, a.data());
  }
  void acceleration(double time, const std::vector<double>& q, const std::vector<double>& v,
                    std::vector<double>& a) override {
    a.resize(q.size());
    s_.recall_contact(time, q, v, s_.next.solver);
    s_.system->acceleration(time, q.data(), v.data(), a.data());
  }
  void prescribe(double time, std::vector<double>& q, std::vector<double>& v) override {
    s_.system->space().coordinates().prescribe(time, q.data(), v.data());
  }
  const Revision& revision() const override { return s_.system->revision(); }

  // Pinned vertices stand where the stage's time wants them, in the start and in the target.
  void begin(Stage& stage, std::vector<double>& y) {
    if (s_.reduced()) s_.subspace->move_target(stage);
    y = stage.guess;
    std::vector<double>& ignored = s_.ignored_velocity;
    ignored.resize(y.size());
    s_.system->space().coordinates().prescribe(stage.time, y.data(), ignored.data());
    s_.system->space().coordinates().prescribe(stage.time, stage.target.data(), ignored.data());
  }

 private:
  Status add(const SolveReport& one) {
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
    return one.status;
  }

  Parts& s_;
  StepReport& report_;
};

StepReport Simulation::step() {
  const FlushDenormals flush;
  const auto start = std::chrono::steady_clock::now();
  Parts& s = *parts_;
  StepReport report;
  s.apply_edits(*this, report);
  s.begin_step();
  Stages stages(s, report);
  try {
    report.status = s.integrator->step(s.state, s.next, s.options.step, stages);
  } catch (const Cancelled&) {
    report.status = Status::cancelled;
  }
  s.next.time = s.state.time + s.options.step;
  s.next.step = s.state.step + 1;
  if (report.status != Status::cancelled && !is_finite(s.next)) report.status = Status::not_finite;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report.status == Status::not_finite || report.status == Status::cancelled) return report;
  s.commit();
  if (!s.observers.empty()) s.recall_contact(s.state.time, s.state.q, s.state.v, s.state.solver);
  s.call_observers(*this, report);
  return report;
}

Stage Simulation::first_stage() {
  const FlushDenormals flush;
  Parts& s = *parts_;
  StepReport ignored;
  s.begin_step();
  Stages stages(s, ignored);
  std::optional<Stage> first = s.integrator->first_stage(s.state, s.options.step, stages);
  if (!first) throw InputError("integrator", "it is explicit: a step has no stage, and nothing is minimised");
  std::vector<double> y;
  stages.begin(*first, y);
  first->guess = y;
  s.system->begin(*first, s.state.solver);
  return *first;
}

// Integrators write all positions and velocities; of what is remembered they may leave some as it is.
void Simulation::Parts::begin_step() {
  next.q.resize(state.q.size()), next.v.resize(state.v.size());
  assign(next.history, state.history);
  assign(next.solver, state.solver);
}

// Positions and velocities stay where they are: readers hold their addresses.
void Simulation::Parts::commit() {
  std::copy(next.q.begin(), next.q.end(), state.q.begin());
  std::copy(next.v.begin(), next.v.end(), state.v.begin());
  state.time = next.time, state.step = next.step;
  lifted.valid = false;
  std::swap(state.history, next.history);
  std::swap(state.solver, next.solver);
}

}  // namespace resilin
