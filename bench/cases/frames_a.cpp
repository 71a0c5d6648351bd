// The longest frames: 10,000 of scene A, neo-Hookean. The scene's own 120 frames are played again and again from
// the state after the warm-up.
#include "scene_case.h"

namespace resilin {
namespace {

std::vector<CaseResult> run(const BenchmarkContext& context) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "neo_hookean";
  const Scene scene = bench::load(c, context);
  const auto simulation = build_simulation(scene, context.threads);
  bench::run_frames(*simulation, bench::warm_up);
  CaseResult best{.name = "frames_a", .threads = context.threads};
  bench::report_longest(*simulation, scene.frames - bench::warm_up, context, best);
  return {best};
}

}  // namespace

BenchmarkPlugin benchmark_frames_a() { return {"Longest frames of scene A, neo-Hookean: p99.9 of 10,000", run}; }

}  // namespace resilin
