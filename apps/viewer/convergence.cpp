#include "convergence.h"

#include <algorithm>
#include <cmath>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "scene/format.h"
#include "simulation/solve_stage.h"

namespace resilin::viewer {
namespace {

constexpr double reference_tolerance = 1e-9;  // of |grad Phi|
constexpr int reference_iterations = 200;

// Newton, unless it cannot take the unknowns.
std::unique_ptr<Solver> reference_solver(const Simulation& simulation) {
  if (simulation.reduced()) return make_solver("quasi_newton");
  auto newton = make_solver("newton", {{"hessian", "exact_first"}});
  try {
    newton->check(simulation.system().problem());
  } catch (const InputError&) {
    return make_solver("quasi_newton");
  }
  return newton;
}

}  // namespace

std::optional<double> least_objective(Simulation& simulation) {
  const FlushDenormals flush;  // as in a step
  if (!simulation.integrator().minimises()) return {};
  const Stage stage = simulation.first_stage();
  std::vector<double> y = stage.guess;
  Memory memory = simulation.state().solver;
  StopRule stop;
  stop.iterations = reference_iterations, stop.gradient = reference_tolerance;
  const double least =
      solve_stage(simulation.system(), *reference_solver(simulation), stage, y, memory, stop).objective;
  return std::isfinite(least) ? std::optional(least) : std::nullopt;
}

std::vector<std::array<double, 3>> errors_by_iteration(const std::vector<IterationRecord>& trace, double least) {
  std::vector<std::array<double, 3>> out;
  if (trace.empty()) return out;
  // What the solver itself found may be lower by round-off.
  for (const IterationRecord& record : trace) least = std::min(least, record.objective);
  const double scale = std::max(trace.front().objective - least, 1e-300);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (i > 0 && trace[i].seconds < trace[i - 1].seconds) break;  // the next stage
    out.push_back({static_cast<double>(i), trace[i].seconds, (trace[i].objective - least) / scale});
  }
  return out;
}

}  // namespace resilin::viewer
