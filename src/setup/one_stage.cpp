#include "setup/one_stage.h"

#include <algorithm>
#include <utility>

#include "setup/solvers.h"
#include "setup/worst.h"
#include "simulation/solve_stage.h"

namespace resilin::setup {

std::vector<double> relative_errors(const SolveReport& report, double minimum) {
  std::vector<double> out;
  const double scale = report.trace.empty() ? 1 : report.trace.front().objective - minimum;
  for (const auto& record : report.trace) out.push_back((record.objective - minimum) / scale);
  return out;
}

int iterations_to(const std::vector<double>& errors, double target) {
  const auto first = std::find_if(errors.begin(), errors.end(), [&](double error) { return error <= target; });
  return static_cast<int>(first - errors.begin());
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// ---- one stage -------------------------------------------------------------------------------------------------

Stage euler_stage(DynamicSystem& system, const State& state, double h) {
  Stage stage;
  stage.time = state.time + h;
  stage.tau = h;
  stage.origin = state.q;
  stage.velocity = state.v;
  std::vector<double> external(state.q.size()), ignored(state.q.size());
  system.external(stage.time, external.data());
  stage.target.resize(state.q.size());
  for (std::size_t i = 0; i < state.q.size(); ++i)
    stage.target[i] = state.q[i] + h * (state.v[i] + h * external[i]);
  system.space().coordinates().prescribe(stage.time, stage.target.data(), ignored.data());
  stage.guess = stage.target;
  system.begin(stage);
  return stage;
}

SolveReport solve_stage(Solver& solver, DynamicSystem& system, const Stage& stage, std::vector<double>& y,
                        int iterations, double tolerance) {
  y = stage.guess;
  Memory memory;
  return solve_stage(system, solver, stage, y, memory, {.iterations = iterations, .gradient = tolerance});
}

OneStage::OneStage(Model model, const std::vector<double>& q, const std::vector<double>& v, double h, int threads)
    : model_(std::make_unique<Model>(std::move(model))),
      pool_(std::make_unique<ThreadPool>(threads > 0 ? threads : available_cores())),
      own_(std::make_unique<DynamicSystem>(*model_, *pool_)),
      system_(own_.get()),
      stage_(euler_stage(*system_, {q, v, 0, 0, {}, {}}, h)) {}

OneStage::OneStage(Simulation& simulation)
    : system_(&simulation.system()), stage_(euler_stage(*system_, simulation.state(), simulation.options().step)) {}

OneStage::OneStage(Model model, const std::vector<double>& q, double h, int threads)
    : OneStage(std::move(model), q, std::vector<double>(q.size(), 0.0), h, threads) {}

SolveReport OneStage::solve(Solver& solver, const StopRule& stop, std::vector<double>& y, Memory memory) {
  y = stage_.guess;
  system_->begin(stage_);  // as if nothing had been solved before
  return solve_stage(*system_, solver, stage_, y, memory, stop);
}

SolveReport OneStage::trace(Solver& solver, int iterations, Memory memory) {
  solver.tracing = true;
  std::vector<double> y;
  SolveReport report = solve(solver, {.iterations = iterations}, y, std::move(memory));
  least_ = Least::of({least_, report.objective});
  return report;
}

SolveReport OneStage::trace(const std::string& solver, const Values& params, int iterations) {
  return trace(*published_solver(solver, params), iterations);
}

double OneStage::seconds(const std::string& name, const Values& params, int iterations, int repetitions) {
  const auto solver = published_solver(name, params);
  std::vector<double> y;
  solve(*solver, {.iterations = 1}, y);  // constant factors are made once and are not timed
  return least_seconds(repetitions, [&] { solve(*solver, {.iterations = iterations}, y); });
}

double OneStage::minimum(std::vector<double>& y, double tolerance, int iterations) {
  const auto newton = published_solver("newton", {{"hessian", "exact_first"}});
  const double found = solve(*newton, {.iterations = iterations, .gradient = tolerance}, y).objective;
  least_ = Least::of({least_, found});
  return found;
}

}  // namespace resilin::setup
