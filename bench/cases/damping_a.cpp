// What strain-rate damping adds to a frame of scene A, neo-Hookean: the damped and the undamped bar in turns, so
// that a busy machine slows both. Asked for: at most 60 %.
#include "scene_case.h"

namespace resilin {
namespace {

std::unique_ptr<Simulation> bar(const std::string& solver, const BenchmarkContext& context, bool damped) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "neo_hookean", c.solver = solver;
  BenchmarkContext with = context;
  if (damped) with.overrides.emplace_back("bodies[0].damping", R"({"type": "strain_rate", "shear": 1000})");
  auto simulation = build_simulation(bench::load(c, with), context.threads);
  bench::run_frames(*simulation, bench::warm_up);
  return simulation;
}

CaseResult compare(const std::string& solver, const BenchmarkContext& context) {
  const auto plain = bar(solver, context, false), damped = bar(solver, context, true);
  const int frames = context.frames > 0 ? context.frames : context.quick ? 10 : 100;
  bench::Samples without, with;
  for (int i = 0; i < frames; ++i) {
    without.add(bench::run_frames(*plain, 1).ms);
    with.add(bench::run_frames(*damped, 1).ms);
  }
  CaseResult result{.name = "damping_a_" + solver, .threads = context.threads};
  with.report(result);
  result.extra = {{"undamped_ms", without.median()},
                  {"added_part", with.median() / without.median() - 1},
                  {"added_part_of_minima", with.min() / without.min() - 1}};
  return result;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  return {compare("quasi_newton", context), compare("admm", context)};
}

}  // namespace

BenchmarkPlugin benchmark_damping_a() {
  return {"Scene A, neo-Hookean: a frame with strain-rate damping over one without, quasi_newton and admm", run};
}

}  // namespace resilin
