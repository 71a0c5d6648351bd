// ADMM on scene A: ten local and global steps per frame, with automatic weights and acceleration. No plain
// reference: the published code needs 93 ms on two threads for a bar of 10.2k tets.
#include <algorithm>

#include "problem/dynamic_system.h"
#include "scene_case.h"

namespace resilin {
namespace {

// Per iteration the nine numbers of every tet are read or written 24 times (five arrays of the iteration, twelve of
// the acceleration), its decomposition and about two Newton steps in the stretches are computed, and the factor is
// read twice.
double floor_ms(Simulation& simulation, const Scene& scene, const bench::SceneCase& c) {
  const bench::Floor one = bench::frame_floor(simulation, scene, c);
  double slots = 0;
  for (const PackedTerm& term : simulation.system().elements().terms()) slots += 8.0 * term.packs();
  ThreadPool pool(simulation.threads());
  const double bytes = 24 * 72 * slots, flops = (980 + 3 * 150 + 2 * 129) * slots;
  const double bandwidth = bench::read_bandwidth(static_cast<std::size_t>(bytes + one.working_set), pool);
  const double local = std::max(bytes / bandwidth, flops / bench::fma_rate(pool)),
               global = 2 * one.factor_bytes / bandwidth;
  return 1e3 * c.iterations * (local + global);
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "neo_hookean";
  c.solver = "admm", c.iterations = 10;
  const Scene scene = bench::load(c, context);
  const auto simulation = build_simulation(scene, context.threads);
  bench::run_frames(*simulation, bench::warm_up);
  const int frames = context.frames > 0 ? context.frames : context.quick ? 10 : 100;
  const bench::FrameTimes times = bench::run_frames(*simulation, frames);

  CaseResult result{.name = "admm_a_nh", .threads = context.threads};
  times.ms.report(result);
  result.floor_ms = floor_ms(*simulation, scene, c);
  result.ratio_to_floor = *result.median_ms / *result.floor_ms;
  result.extra = {{"frames", frames},          {"iterations", times.iterations}, {"local_ms", times.local},
                  {"global_ms", times.global}, {"other_ms", times.other},        {"published_code_ms", 93}};
  return {result};
}

}  // namespace

BenchmarkPlugin benchmark_admm_a_nh() {
  return {"Scene A (bar, 3472 vertices, 12,810 tets), neo-Hookean, 10 iterations of ADMM per frame", run};
}

}  // namespace resilin
