#include "lab/contest.h"

#include <algorithm>
#include <chrono>

#include "lab/worst.h"
#include "model/counts.h"
#include "simulation/solve_stage.h"

namespace resilin::lab {
namespace {

// The paper's [s]. With smaller ones a frame is closer to linear, and Newton better.
constexpr double step = 1.0 / 30;

struct Timed {
  SolveReport report;
  std::vector<double> y;
  double seconds = 0;
};

// The fastest of a few: other programs of the machine must not decide.
Timed timed(Solver& solver, DynamicSystem& system, const Stage& stage, int iterations) {
  Timed best;
  for (int i = 0; i < 3; ++i) {
    Timed one;
    const auto start = std::chrono::steady_clock::now();
    one.report = solve_stage(solver, system, stage, one.y, iterations);
    one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i == 0 || one.seconds < best.seconds) best = std::move(one);
  }
  return best;
}

// The function is not convex: the minimum below the better of the two results is the fair one.
double fair_minimum(DynamicSystem& system, const Stage& stage, const Timed& ours, const Timed& newton,
                    int iterations) {
  const auto reference = lab::make_solver("newton", {{"hessian", "exact_first"}});
  StopRule stop;
  stop.iterations = iterations;
  stop.gradient = 1e-9;
  std::vector<double> y, x = ours.y;
  Memory memory;
  return Least::of({solve_stage(*reference, system, stage, y, stop.iterations, stop.gradient).objective,
                    ours.report.objective, newton.report.objective,
                    solve_stage(system, *reference, stage, x, memory, stop).objective});
}

// One stage by both, and its minimum; added up.
void compare(Contest& sum, DynamicSystem& system, const Stage& stage, Solver& quasi_newton, Solver& newton,
             const ContestOptions& options) {
  const Timed ours = timed(quasi_newton, system, stage, options.iterations), one = timed(newton, system, stage, 1);
  const double first = system.problem().evaluate(stage.guess.data(), nullptr).value(),
               minimum = fair_minimum(system, stage, ours, one, options.reference_iterations);
  sum.ours += (ours.report.objective - minimum) / (first - minimum);
  sum.newton += (one.report.objective - minimum) / (first - minimum);
  sum.ours_seconds += ours.seconds;
  sum.newton_seconds += one.seconds;
  sum.overhead += ours.report.phases.history;
  ++sum.frames;
}

}  // namespace

Contest contest(LiuScene scene, const ContestOptions& options) {
  const auto simulation =
      start_scene(std::move(scene), step, "quasi_newton",
                  {{"iterations", options.iterations}, {"history", options.history}, {"tolerance", 0}});
  const auto ours = lab::make_solver("quasi_newton", {{"history", options.history}}),
             newton = lab::make_solver("newton", {});
  DynamicSystem& system = simulation->system();
  Contest out;
  out.vertices = simulation->model().vertex_count(), out.elements = count_elements(simulation->model()).elements();
  for (int frame = 1; frame <= options.frames * options.every; ++frame) {
    out.searches += simulation->step().solve.line_searches;
    if (frame % options.every != 0) continue;
    const Stage stage = euler_stage(system, simulation->state(), step);
    if (out.frames == 0) {  // factorisation and symbolic analysis happen once and are not timed
      timed(*ours, system, stage, 1);
      timed(*newton, system, stage, 1);
    }
    compare(out, system, stage, *ours, *newton, options);
  }
  for (double* sum : {&out.ours, &out.newton, &out.ours_seconds, &out.newton_seconds, &out.overhead})
    *sum /= out.frames;
  out.searches /= options.frames * options.every;
  out.q = simulation->positions();
  return out;
}

}  // namespace resilin::lab
