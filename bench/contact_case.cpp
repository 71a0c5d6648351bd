#include "contact_case.h"

#include "contact/broad_phase/contact_surface.h"
#include "contact/narrow_phase/contact_pairs.h"
#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "scene_case.h"

namespace resilin::bench {
namespace {

constexpr double pair_flops = 150, box_bytes = 24;  // of an edge-edge pair 92, of a vertex-triangle pair 195

// Elements that couple bodies, or parts of one.
double listed_pairs(const Simulation& simulation) {
  double pairs = 0;
  for (const auto& contact : simulation.system().blocks().contacts())
    for (const Term& term : contact->terms())
      if (term.elements.corners() > 1) pairs += term.elements.size();
  return pairs;
}

double contact_floor_ms(Simulation& simulation, double pairs, double evaluations) {
  const ContactSurface surface = contact_surface(simulation.model());
  const double bytes = pairs * sizeof(ContactPair) + 24.0 * static_cast<double>(surface.vertices.size()) +
                       box_bytes * (surface.triangle_count() + surface.edge_count());
  ThreadPool pool(simulation.threads());
  return 1e3 * bytes / read_bandwidth(static_cast<std::size_t>(bytes), pool) +
         1e3 * evaluations * pairs * pair_flops / fma_rate(pool);
}

}  // namespace

std::vector<CaseResult> run_contact(const std::string& name, ContactCase c, const BenchmarkContext& context) {
  const auto simulation = c.builder.simulation({.step = c.step, .threads = context.threads});
  CaseResult result{.name = name, .threads = context.threads};
  run_frames(*simulation, context.quick ? 20 : c.settle);
  const State start = simulation->state();
  const FrameTimes times = run_frames(*simulation, c.round);
  const double pairs = listed_pairs(*simulation);
  const double floor = frame_floor(*simulation, FrameWork{times.iterations, times.evaluations}).ms +
                       contact_floor_ms(*simulation, pairs, times.evaluations);
  simulation->set_state(start);
  result.extra = {{"bodies", static_cast<double>(simulation->model().bodies.size())},
                  {"vertices", simulation->model().vertex_count()},
                  {"pairs", pairs},
                  {"processor_ms", times.processor.median()},
                  {"iterations", times.iterations},
                  {"evaluations", times.evaluations}};
  report_longest(*simulation, c.round, context, result);
  result.floor_ms = floor;
  result.ratio_to_floor = *result.median_ms / floor;
  return {result};
}

}  // namespace resilin::bench
