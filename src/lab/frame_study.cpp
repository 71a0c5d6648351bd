#include "lab/frame_study.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "lab/advance.h"
#include "lab/worst.h"
#include "simulation/solve_stage.h"

namespace resilin::lab {

FrameStudy::FrameStudy(LiuScene scene, int frames)
    : simulation_(start_scene(std::move(scene), step, "quasi_newton", {})) {
  for (int frame = 0; frame < frames; ++frame) advance(*simulation_);
  begin();
}

FrameStudy::FrameStudy(LiuScene scene, const State& state)
    : simulation_(start_scene(std::move(scene), step, "quasi_newton", {})) {
  simulation_->set_state(state);
  begin();
}

void FrameStudy::begin() {
  stage_ = euler_stage(system(), state(), step);
  std::vector<double> y;
  const auto newton = lab::make_solver("newton", {{"hessian", "exact_first"}});
  minimum_ = solve_stage(*newton, system(), stage_, y, 300, 1e-9).objective;
}

SolveReport FrameStudy::solve(Solver& solver, int iterations, Memory memory) {
  solver.tracing = true;
  std::vector<double> y = stage_.guess;
  StopRule stop;
  stop.iterations = iterations;
  stop.tolerance = 0;
  const SolveReport report = solve_stage(system(), solver, stage_, y, memory, stop);
  minimum_ = Least::of({minimum_, report.objective});
  return report;
}

SolveReport FrameStudy::solve(const std::string& solver, const Values& params, int iterations) {
  return solve(*lab::make_solver(solver, params), iterations);
}

double FrameStudy::seconds(const std::string& name, const Values& params, int iterations, int repetitions) {
  const auto solver = lab::make_solver(name, params);
  std::vector<double> y;
  solve_stage(*solver, system(), stage_, y, 1);  // constant factors are made once and are not timed
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    solve_stage(*solver, system(), stage_, y, iterations);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

}  // namespace resilin::lab
