// An armadillo of 13,000 vertices dropped on the ground: frames of the default solver and of the paper's ten
// iterations in turn, and from the same states the time to 1 % of the step's motion, ours against Newton's. The
// mesh is read from the folder RESILIN_MESHES.
#include <algorithm>
#include <cmath>

#include "lab/liu_scenes.h"
#include "lab/trust_scenes.h"
#include "lab/trust_study.h"
#include "scene_case.h"
#include "simulation/solve_stage.h"

namespace resilin {
namespace {

constexpr const char* file = "armadillo_13k_gmsh41.msh";
constexpr double wanted = 0.01;
constexpr int in_air = 7;  // frames of 1/30 s before it lands, which are not counted

std::unique_ptr<Simulation> start(const BenchmarkContext& context, const std::string& solver) {
  Scene scene = lab::with_solver(lab::mesh_scene_of({.file = file, .young = 1e5}), solver);
  for (const auto& one : context.overrides) apply_override(scene.source, one);
  return build_simulation(scene, context.threads);
}

double rms(const Model& model, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += model.mass[i / 3] * std::pow(a[i] - b[i], 2);
  return std::sqrt(sum / model.total_mass());
}

// Time [ms] until the iterate is within 1 % of the step's motion of the minimiser; the whole solve when it never
// is.
double time_to(lab::StageSolver& s, DynamicSystem& system, const Stage& stage,
               const std::vector<double>& minimiser) {
  const Model& model = system.model();
  const double motion = rms(model, minimiser, stage.origin);
  std::vector<double> errors, y = stage.guess;
  s.solver->tracing = true;
  s.solver->observe = [&](const std::vector<double>& x, const IterationRecord&) {
    errors.push_back(rms(model, x, minimiser) / motion);
  };
  system.begin(stage);
  Memory memory;
  const SolveReport report = solve_stage(system, *s.solver, stage, y, memory, s.stop);
  s.solver->observe = nullptr;
  for (std::size_t k = 0; k < std::min(errors.size(), report.trace.size()); ++k)
    if (errors[k] <= wanted) return 1e3 * report.trace[k].seconds;
  return report.trace.empty() ? 0 : 1e3 * report.trace.back().seconds;
}

struct ToError {
  bench::Samples ours, newton;
};

// From one state; solvers that keep factors are run once before they are timed.
void compare(Simulation& past, lab::StageSolver& ours, lab::StageSolver& newton, ToError& into) {
  DynamicSystem& system = past.system();
  const Stage stage = lab::euler_stage(system, past.state(), past.options().step);
  std::vector<double> minimiser = stage.guess;
  Memory memory;
  lab::StageSolver exact = lab::stage_solver(lab::reference_solver(system.space().vertices()));
  solve_stage(system, *exact.solver, stage, minimiser, memory, exact.stop);
  if (into.ours.size() == 0) time_to(ours, system, stage, minimiser);
  into.ours.add(time_to(ours, system, stage, minimiser));
  into.newton.add(time_to(newton, system, stage, minimiser));
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  CaseResult result{.name = "armadillo_drop", .threads = context.threads};
  if (!lab::has_mesh(file)) {
    result.note = std::string("left out: RESILIN_MESHES names no folder with ") + file;
    return {result};
  }
  const int frames = context.frames > 0 ? in_air + context.frames : context.quick ? 10 : 16;
  const int compared = context.quick ? 1 : 3;  // of the last frames, in which it lies on the ground
  const auto mine = start(context, lab::default_solver()), paper = start(context, lab::paper_solver());
  lab::StageSolver ours = lab::stage_solver(lab::default_solver()),
                   newton = lab::stage_solver(R"({"type": "newton", "iterations": 50})");
  bench::Samples mine_ms, paper_ms;
  ToError to_error;
  double evaluations = 0, first_ms = 0;
  for (int frame = 0; frame < frames; ++frame) {
    if (context.reference && frame >= frames - compared) compare(*mine, ours, newton, to_error);
    const bench::FrameTimes times = bench::run_frames(*mine, 1), others = bench::run_frames(*paper, 1);
    if (frame >= in_air) evaluations += times.evaluations / (frames - in_air);
    if (frame == 0) first_ms = times.ms.median();  // makes the factors
    if (frame >= in_air) mine_ms.add(times.ms), paper_ms.add(others.ms);
  }
  mine_ms.report(result);
  result.extra = {{"frames", frames - in_air},
                  {"evaluations", evaluations},
                  {"first_frame_ms", first_ms},
                  {"paper_ms", paper_ms.median()},
                  {"time_over_paper", mine_ms.median() / paper_ms.median()}};
  if (to_error.ours.size() == 0) return {result};
  result.extra.emplace_back("to_1_percent_ms", to_error.ours.median());
  result.extra.emplace_back("newton_to_1_percent_ms", to_error.newton.median());
  result.extra.emplace_back("newton_over_ours", to_error.newton.median() / to_error.ours.median());
  return {result};
}

}  // namespace

BenchmarkPlugin benchmark_armadillo_drop() {
  return {
      "An armadillo (13,230 vertices, 54,985 tets) dropped on the ground, default settings; needs RESILIN_MESHES",
      run};
}

}  // namespace resilin
