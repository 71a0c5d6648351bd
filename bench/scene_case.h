// What the scene cases share: a scene of the gallery with a stated material, a fixed number of iterations per
// frame, measured frames, the floor of such a frame and the plain reference from the same state.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "benchmark.h"
#include "measure.h"
#include "reference/plain_simulation.h"
#include "resilin/scene.h"
#include "resilin/simulation.h"

namespace resilin::bench {

struct SceneCase {
  std::string scene;     // of the gallery
  std::string material;  // neo_hookean, corotated, arap or spline; empty: as the scene has it
  int frames = 30, quick_frames = 3;
  int reference_frames = 5;
  bool two_threads = false;  // also measure two threads over one
  std::string solver = "quasi_newton";
  int iterations = 10;
  bool has_reference = true;  // the plain reference knows tets and springs only
  std::vector<Override> overrides = {};
  std::string settings = {};  // more of the solver, as it stands in a scene: `, "history": 3`
};

constexpr int warm_up = 10;  // frames before the first that counts: the factor, caches, the first jolt

/// The same constants for both sides: rubber, as the gallery's bars are made of.
reference::Constants constants_of(const std::string& material);
/// Tolerance 0: every frame runs all its iterations.
Scene load(const SceneCase& scene_case, const BenchmarkContext& context);

/// Operations of one evaluation (energy and gradient) of a tet or a spring, counted from the formulas.
double flops_per_element(const std::string& material);

/// The least time of a frame on this machine. Per evaluation (one per iteration and the first): the element data
/// (ids, coefficients, measures), the positions' and forces' copies by part and the vertex vectors are streamed
/// once, or the arithmetic takes longer than that; per iteration: the factor is read twice, L-BFGS reads its 4m
/// vectors and the line search and the update touch nine. Bytes over the read bandwidth of a buffer as large as all
/// that an iteration touches, operations over the measured rate of fused multiply-adds. Newton also pays for
/// element Hessians and the factorisation. Not counted: further trials of the line search, barriers, random access.
struct Floor {
  double ms = 0;
  double bandwidth = 0;  // bytes/s
  double factor_bytes = 0, working_set = 0;
};
Floor frame_floor(Simulation& simulation, const Scene& scene, const SceneCase& scene_case);
/// The same for a frame of so much work.
struct FrameWork {
  double iterations, evaluations;
  std::string material = "neo_hookean", linear_solver = "cholesky_float";
  bool newton = false;
};
Floor frame_floor(Simulation& simulation, const FrameWork& work);

/// Runs `frames` frames; throws std::runtime_error when a step fails.
struct FrameTimes {
  Samples ms, processor;
  double iterations = 0, evaluations = 0;                                // per frame
  double local = 0, global = 0, line_search = 0, other = 0, coarse = 0;  // ms per frame
};
FrameTimes run_frames(Simulation& simulation, int frames);

/// The longest frames: `round` frames from the state that the simulation has, again and again, so that every round
/// does the same work. Three runs; the one with the smallest p99.9 over p50 counts, because the machine's other
/// work only adds. Sets times and adds p999_ms, max_ms, p999_over_median.
void report_longest(Simulation& simulation, int round, const BenchmarkContext& context, CaseResult& result);

/// The whole case.
std::vector<CaseResult> run_scene(const std::string& name, const SceneCase& scene_case,
                                  const BenchmarkContext& context);

}  // namespace resilin::bench
