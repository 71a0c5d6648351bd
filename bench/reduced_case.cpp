#include "reduced_case.h"

#include <set>

#include "lab/advance.h"
#include "lab/reduced_bodies.h"
#include "measure.h"
#include "problem/dynamic_system.h"
#include "reduction/reduction.h"

namespace resilin::bench {
namespace {

// What an iteration must read: a product with the matrix of the subspace, its factor twice, the fit, and handles
// and weights of the vertices of samples.
double bytes_of_an_iteration(const Model& model, const Reduction& reduction) {
  const double entries = 2.0 * reduction.mass().slots();
  std::set<int> touched;
  for (const int i : reduction.terms()[0].samples.element)
    for (const int v : model.terms[0].elements.vertices(i)) touched.insert(v);
  double weights = 0;
  for (const int v : touched) weights += static_cast<double>(reduction.positions().weights_of(v).size());
  return 8 * (entries + entries + static_cast<double>(reduction.terms()[0].fit.size())) + 12 * weights;
}

}  // namespace

std::vector<CaseResult> run_reduced(const std::string& name, const ReducedCase& c,
                                    const BenchmarkContext& context) {
  const FlushDenormals flush;
  std::vector<CaseResult> results;
  const Model model = lab::creature_model(context.quick ? 1500 : c.vertices);
  for (std::size_t i = 0; i < c.handles.size(); ++i) {
    const ReductionSettings settings = lab::reduction_of(context.quick ? c.handles[i] / 5 : c.handles[i]);
    CaseResult result{.name = name + (c.handles.size() > 1 ? "_" + std::to_string(12 * c.handles[i]) : ""),
                      .threads = context.threads};
    reset_peak();
    const Stopwatch setup;
    const auto simulation = lab::reduced_simulation(model, settings, 1.0 / 60, 10);
    result.extra = {{"vertices", model.vertex_count()},
                    {"unknowns", static_cast<double>(simulation->state().q.size())},
                    {"setup_s", setup.ms() / 1e3}};
    if (c.target_setup_s > 0) result.extra.emplace_back("target_setup_s", c.target_setup_s);
    State state;
    state.q = lab::bent(model.rest, 60), state.v.assign(state.q.size(), 0.0);
    simulation->set_state(state);
    repeat(context.quick ? 5 : 100, context.quick ? 0 : 2, [&] { lab::advance(*simulation); }).report(result);
    if (i < c.target_ms.size()) result.extra.emplace_back("target_ms", c.target_ms[i]);
    result.extra.emplace_back("display_ms", repeat(
                                                5, 0.1,
                                                [&] {
                                                  lab::advance(*simulation);
                                                  (void)simulation->positions();
                                                }).median() -
                                                *result.median_ms);
    result.peak_mb = peak_mb();
    ThreadPool pool(context.threads);
    const double bytes = bytes_of_an_iteration(model, Reduction(model, settings, pool));
    result.floor_ms = 10 * 1e3 * bytes / read_bandwidth(static_cast<std::size_t>(bytes), pool);
    result.ratio_to_floor = *result.median_ms / *result.floor_ms;
    results.push_back(result);
  }
  return results;
}

}  // namespace resilin::bench
