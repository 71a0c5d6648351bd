#include "scene_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/thread_pool.h"
#include "lab/worst.h"
#include "linear/linear_solver.h"
#include "problem/dynamic_system.h"
#include "resilin/registry.h"
#include "resilin/solver.h"

namespace resilin::bench {
namespace {

constexpr double young = 2e6, poisson = 0.47, density = 925;  // the preset "rubber"
constexpr int history = 5;
constexpr double flops_per_hessian = 3200;  // of a tet: SVD, 9 x 9 from nine modes, 10 blocks of 3 x 3

std::string material_json(const std::string& type) {
  if (type == "arap") return fmt::format(R"({{"type": "arap", "stiffness": {}}})", young / (1 + poisson));
  return fmt::format(R"({{"type": "{}", "young": {}, "poisson": {}{}}})", type, young, poisson,
                     type == "spline" ? R"(, "preset": "A")" : "");
}

// The solver's registered linear solver, unless the caller chose another.
std::string linear_solver_of(const Scene& scene, const std::string& solver) {
  if (const Value* given = scene.source.find("solver"))
    if (const Value* linear = given->find("linear_solver")) return linear->text();
  return plugin<SolverPlugin>("solver", solver, "bench").params.find("linear_solver")->fallback.text();
}

double factor_bytes(const SymmetricMatrix& matrix, const std::string& linear) {
  const auto factor = plugin<LinearSolverPlugin>("linear solver", linear, "bench").make();
  factor->analyse(matrix);
  return static_cast<double>(factor->factor_bytes());
}

}  // namespace

reference::Constants constants_of(const std::string& material) {
  reference::Constants c;
  c.young = young, c.poisson = poisson, c.stiffness = young / (1 + poisson);
  if (material == "corotated") c.material = reference::Material::corotated;
  if (material == "arap") c.material = reference::Material::arap;
  if (material == "spline") c.material = reference::Material::spline;
  return c;
}

Scene load(const SceneCase& scene_case, const BenchmarkContext& context) {
  std::vector<Override> overrides = {
      {"solver",
       fmt::format(R"({{"type": "{}", "iterations": {}, "tolerance": 0{}{}}})", scene_case.solver,
                   scene_case.iterations, scene_case.solver == "quasi_newton" ? R"(, "method": "paper")" : "",
                   scene_case.settings)},
      {"contact", "false"}};  // as in the papers; contact_apart measures what it costs
  if (!scene_case.material.empty()) {
    overrides.emplace_back("bodies[0].material", material_json(scene_case.material));
    overrides.emplace_back("bodies[0].density", fmt::format("{}", density));
  }
  overrides.insert(overrides.end(), scene_case.overrides.begin(), scene_case.overrides.end());
  overrides.insert(overrides.end(), context.overrides.begin(), context.overrides.end());
  return load_scene(scene_case.scene, overrides);
}

// A fused multiply-add is two. Tets: 54 to F and 75 back to forces; neo-Hookean stress and energy with the
// logarithm 107; the SVD 980 (four sweeps of three rotations of 52, three Gram matrices, the products and the left
// vectors), the stretch energies 40 to 90 and U diag V^T 54. A spring: 25.
double flops_per_element(const std::string& material) {
  if (material.empty()) return 25;
  if (material == "neo_hookean") return 54 + 107 + 75;
  return 54 + 980 + (material == "spline" ? 90 : 40) + 54 + 75;
}

namespace {

// Triangles: 24 to F and 30 back to forces, the SVD of 2 x 3 110, the stretch energies 40, U diag V^T 24. Bending:
// a sum over corners, its square and its way back.
double flops_of(const PackedTerm& term, const std::string& material) {
  if (term.rows() == 2) return 24 + 110 + 40 + 24 + 30;
  if (term.rows() == 1 && term.corners() > 2) return 12 * (term.corners() - 1) + 10;
  return flops_per_element(material);
}

}  // namespace

Floor frame_floor(Simulation& simulation, const Scene& scene, const SceneCase& scene_case) {
  const auto iterations = static_cast<double>(scene_case.iterations);
  return frame_floor(simulation, {iterations, iterations + 1, scene_case.material,
                                  linear_solver_of(scene, scene_case.solver), scene_case.solver == "newton"});
}

Floor frame_floor(Simulation& simulation, const FrameWork& work) {
  DynamicSystem& system = simulation.system();
  const double vector = 24.0 * system.space().vertices(), copies = 32.0 * system.elements().partition().copies();
  double elements = 0, count = 0, flops = 0;
  for (const PackedTerm& term : system.elements().terms()) {
    // Stiffness and length of their own; materials are uniform.
    const bool springs = term.rows() == 1 && term.corners() == 2;
    elements +=
        term.packs() * (32.0 * term.corners() + 64.0 * (term.rows() * term.stored() + 1 + (springs ? 2 : 0)));
    count += 8.0 * term.packs();
    flops += 8.0 * term.packs() * flops_of(term, work.material);
  }
  const bool newton = work.newton;
  const double evaluation = elements + 3 * copies + vector / 3 + 3 * vector;
  const SymmetricMatrix matrix = newton ? system.problem().linearise(system.space().rest().data()).pattern()
                                        : system.problem().constant().matrix();
  const double factor = factor_bytes(matrix, work.linear_solver);
  const double vectors = (newton ? 9 : 4 * history + 9) * vector;
  Floor floor;
  floor.factor_bytes = factor;
  floor.working_set = elements + 2 * copies + factor + (newton ? 8 : 2 * history + 8) * vector;
  ThreadPool pool(simulation.threads());
  floor.bandwidth = read_bandwidth(static_cast<std::size_t>(floor.working_set), pool);
  const double rate = fma_rate(pool), arithmetic = flops / rate;
  const double seconds = work.evaluations * std::max(evaluation / floor.bandwidth, arithmetic) +
                         work.iterations * (2 * factor + vectors) / floor.bandwidth;
  const double hessians = newton ? work.iterations * (flops_per_hessian * count + factor_flops(matrix)) / rate : 0;
  floor.ms = 1e3 * (seconds + hessians);
  return floor;
}

FrameTimes run_frames(Simulation& simulation, int frames) {
  FrameTimes times;
  for (int i = 0; i < frames; ++i) {
    const Stopwatch watch;
    const double before = processor_ms();
    const StepReport report = simulation.step();
    times.ms.add(watch.ms()), times.processor.add(processor_ms() - before);
    if (report.status == Status::not_finite || report.status == Status::cancelled)
      throw std::runtime_error("a frame of the benchmark did not stay finite");
    const double share = 1.0 / frames;
    times.iterations += share * report.solve.iterations;
    times.evaluations += share * report.solve.evaluations;
    const Phases& p = report.solve.phases;
    times.local += 1e3 * share * p.local, times.global += 1e3 * share * p.global;
    times.line_search += 1e3 * share * p.line_search, times.other += 1e3 * share * p.other;
    times.coarse += 1e3 * share * p.coarse;
  }
  return times;
}

void report_longest(Simulation& simulation, int round, const BenchmarkContext& context, CaseResult& result) {
  const State start = simulation.state();
  const int frames = context.frames > 0 ? context.frames : context.quick ? 500 : 10000;
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::pair<std::string, double>> extra;
  for (int attempt = 0; attempt < 3; ++attempt) {
    Samples ms;
    for (int i = 0; i < frames; ++i) {
      if (i % round == 0) simulation.set_state(start);
      ms.add(run_frames(simulation, 1).ms.median());
    }
    const double ratio = ms.quantile(0.999) / ms.median();
    if (ratio >= best) continue;
    best = ratio;
    ms.report(result);
    extra = {
        {"frames", frames}, {"p999_ms", ms.quantile(0.999)}, {"max_ms", ms.max()}, {"p999_over_median", ratio}};
  }
  result.extra.insert(result.extra.end(), extra.begin(), extra.end());
  result.note = "best of three runs";
}

namespace {

// Frame by frame in turn, so that what else the machine does meets both alike.
double two_threads_over_one(const Scene& scene, const State& start, int frames) {
  const auto one = build_simulation(scene, 1), two = build_simulation(scene, 2);
  one->set_state(start), two->set_state(start);
  run_frames(*one, 2), run_frames(*two, 2);
  Samples first, second;
  for (int i = 0; i < frames; ++i) {
    first.add(run_frames(*one, 1).ms.median());
    second.add(run_frames(*two, 1).ms.median());
  }
  return first.median() / second.median();
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  lab::Worst largest;
  for (std::size_t i = 0; i < a.size(); ++i) largest.see(std::abs(a[i] - b[i]));
  return largest;
}

void run_reference(const Simulation& simulation, const SceneCase& c, const State& start, const State& later,
                   int frames, CaseResult& result) {
  reference::Options options;
  options.step = simulation.options().step;
  options.iterations = c.iterations;
  options.newton = c.solver == "newton";
  reference::Constants constants = constants_of(c.material);
  const auto time_frames = [&](reference::PlainSimulation& plain) {
    plain.set_state(start);
    Samples samples;
    for (int i = 0; i < frames; ++i) {
      const Stopwatch watch;
      plain.step();
      samples.add(watch.ms());
    }
    return samples;
  };
  const Stopwatch set_up;
  reference::PlainSimulation plain(simulation.model(), constants, options);
  result.extra.emplace_back("reference_setup_ms", set_up.ms());
  const Samples times = time_frames(plain);
  if (constants.material == reference::Material::neo_hookean && !c.material.empty() && !options.newton) {
    // Said beside it: what is left when the reference knows this material's short cut.
    constants.closed_form = true;
    reference::PlainSimulation shorter(simulation.model(), constants, options);
    const double ms = time_frames(shorter).median();
    result.extra.emplace_back("reference_closed_form_ms", ms);
    result.extra.emplace_back("speedup_closed_form", ms / *result.median_ms);
  }
  result.reference_ms = times.median();
  result.speedup = times.median() / *result.median_ms;
  result.extra.emplace_back("reference_evaluations", static_cast<double>(plain.evaluations()) / frames);
  // How far apart the two are after these frames, over the body's size: proof that both did the same work.
  result.extra.emplace_back("reference_difference",
                            largest_difference(plain.positions(), later.q) / simulation.model().size());
}

}  // namespace

std::vector<CaseResult> run_scene(const std::string& name, const SceneCase& c, const BenchmarkContext& context) {
  CaseResult result{.name = name, .threads = context.threads};
  const bool own_peak = reset_peak();
  const Scene scene = load(c, context);
  const auto simulation = build_simulation(scene, context.threads);
  const Stopwatch first;
  run_frames(*simulation, 1);
  const double first_ms = first.ms();
  run_frames(*simulation, warm_up - 1);

  const int frames = context.frames > 0 ? context.frames : context.quick ? c.quick_frames : c.frames;
  const int reference_frames = std::min(frames, context.quick ? 1 : c.reference_frames);
  const State start = simulation->state();
  FrameTimes times;
  State later;
  simulation->observe([&](const Simulation& s, const StepReport&) {
    if (s.state().step == start.step + reference_frames) later = s.state();
  });
  times = run_frames(*simulation, frames);
  times.ms.report(result);
  result.peak_mb = peak_mb();
  if (!own_peak) result.note = "peak_mb is that of the whole run: /proc/self/clear_refs cannot be written";

  const Floor floor = frame_floor(*simulation, scene, c);
  result.floor_ms = floor.ms;
  result.ratio_to_floor = *result.median_ms / floor.ms;
  result.extra = {{"frames", frames},
                  {"iterations", times.iterations},
                  {"evaluations", times.evaluations},
                  {"local_ms", times.local},
                  {"global_ms", times.global},
                  {"line_search_ms", times.line_search},
                  {"other_ms", times.other},
                  {"first_frame_ms", first_ms},
                  {"factor_mb", floor.factor_bytes / 1e6},
                  {"working_set_mb", floor.working_set / 1e6},
                  {"bandwidth_gb_s", floor.bandwidth / 1e9}};
  if (times.coarse > 0) result.extra.emplace_back("coarse_ms", times.coarse);
  if (c.two_threads && available_cores() >= 2)
    result.extra.emplace_back("two_threads_over_one", two_threads_over_one(scene, start, std::max(3, frames / 2)));
  if (context.reference && c.has_reference) run_reference(*simulation, c, start, later, reference_frames, result);
  return {result};
}

}  // namespace resilin::bench
