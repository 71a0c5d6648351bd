#include "setup/one_stage.h"

#include <utility>

#include "setup/solvers.h"
#include "simulation/solve_stage.h"

namespace resilin::setup {

OneStage::OneStage(Model model, const std::vector<double>& q, const std::vector<double>& v, double h, int threads)
    : model_(std::make_unique<Model>(std::move(model))),
      pool_(std::make_unique<ThreadPool>(threads > 0 ? threads : available_cores())),
      system_(std::make_unique<DynamicSystem>(*model_, *pool_)) {
  stage_.time = h;
  stage_.tau = h;
  stage_.origin = q;
  stage_.velocity = v;
  std::vector<double> external(q.size()), ignored(q.size());
  system_->external(h, external.data());
  stage_.target.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) stage_.target[i] = q[i] + h * (v[i] + h * external[i]);
  system_->space().coordinates().prescribe(h, stage_.target.data(), ignored.data());
  stage_.guess = stage_.target;
  system_->begin(stage_);
}

OneStage::OneStage(Model model, const std::vector<double>& q, double h, int threads)
    : OneStage(std::move(model), q, std::vector<double>(q.size(), 0.0), h, threads) {}

SolveReport OneStage::solve(Solver& solver, const StopRule& stop, std::vector<double>& y) {
  y = stage_.guess;
  Memory memory;
  system_->begin(stage_);  // as if nothing had been solved before
  return solve_stage(*system_, solver, stage_, y, memory, stop);
}

double OneStage::minimum(std::vector<double>& y, double tolerance) {
  const auto newton = published_solver("newton", {{"hessian", "exact_first"}});
  StopRule stop;
  stop.iterations = 500;
  stop.gradient = tolerance;
  return solve(*newton, stop, y).objective;
}

std::vector<double> relative_errors(const SolveReport& report, double minimum) {
  std::vector<double> out;
  const double scale = report.trace.empty() ? 1 : report.trace.front().objective - minimum;
  for (const auto& record : report.trace) out.push_back((record.objective - minimum) / scale);
  return out;
}

int iterations_to(const std::vector<double>& errors, double target) {
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i] <= target) return static_cast<int>(i);
  return static_cast<int>(errors.size());
}

}  // namespace resilin::setup
