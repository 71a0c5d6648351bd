#include "xpbd_case.h"

#include <algorithm>

#include "problem/dynamic_system.h"
#include "solvers/local/colouring.h"

namespace resilin::bench {
namespace {

constexpr int iterations = 20;
constexpr double constraints_per_tet = 2;

// Per pack and iteration: ids, coefficients and measures are read, multipliers read and written, and the rows of
// the corners read and written; 8 x 32 bytes per corner. Arithmetic: 54 to F, 42 to B, 130 to constraints and
// gradients, 81 to the 2 x 2 matrix, 20 to solve it and 96 back to vertices.
double floor_ms(const VisitOrder& order, ThreadPool& pool) {
  const double bytes = order.packs() * (4 * 32 + 9 * 64 + 64 + 2 * 2 * 64 + 2 * 4 * 256.0);
  const double flops = order.packs() * 8.0 * (54 + 42 + 130 + 81 + 20 + 96);
  return 1e3 * std::max(bytes / read_bandwidth(static_cast<std::size_t>(bytes), pool), flops / fma_rate(pool));
}

}  // namespace

std::vector<CaseResult> run_xpbd(const std::string& name, const std::string& scene, double published_ms,
                                 const BenchmarkContext& context) {
  SceneCase c;
  c.scene = scene, c.material = "neo_hookean";
  c.solver = "xpbd", c.iterations = iterations;
  const auto simulation = build_simulation(load(c, context), context.threads);
  run_frames(*simulation, warm_up);
  const double work = static_cast<double>(simulation->model().terms.front().elements.size()) * iterations;
  const int many = std::clamp(static_cast<int>(8e7 / work), 30,
                              300);  // a second or two, so that a moment's noise does not decide
  const int frames = context.frames > 0 ? context.frames : context.quick ? 3 : many;
  Samples ms;
  for (int i = 0; i < frames; ++i) {
    const FrameTimes one = run_frames(*simulation, 1);
    ms.add(one.local / one.iterations);
  }

  const Elements& tets = simulation->model().terms.front().elements;
  const VisitOrder order = colour_order(tets);
  ThreadPool pool(context.threads);
  CaseResult result{.name = name, .threads = context.threads};
  ms.report(result);
  result.median_ns = 1e6 * ms.median() / (constraints_per_tet * tets.size());
  result.floor_ms = floor_ms(order, pool);
  result.ratio_to_floor = *result.median_ms / *result.floor_ms;
  result.extra = {{"frames", frames},
                  {"iterations", iterations},
                  {"min_ns_per_constraint", 1e6 * ms.min() / (constraints_per_tet * tets.size())},
                  {"colours", order.groups()},
                  {"pack_fill", tets.size() / (8.0 * order.packs())}};
  if (published_ms > 0) result.extra.emplace_back("published_code_ms", published_ms);
  result.note = "one iteration; ns per constraint, two of each tet";
  return {result};
}

}  // namespace resilin::bench
