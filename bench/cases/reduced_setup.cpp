// Set-up of hyper-reduction on one creature at several resolutions, part by part, and what the parts of a step that
// it prepares take: the lift of the sampled vertices, of all vertices, and the fit. No floor and no plain
// reference: Brandt et al. print 6.2 s (19k vertices), 21 s (52k), 63 s (197k) and 190 s (439k) for the whole
// set-up on their machine.
#include <ctime>
#include <set>

#include "lab/setup.h"
#include "measure.h"
#include "reduction/reduction.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

struct Size {
  const char* name;
  double spacing;
  int handles, fit_handles;
  double target_s;  // zero: none
};

Model creature(double spacing) {
  MetaballsOptions options;
  options.balls = creature_balls();
  options.spacing = spacing;
  return lab::solid(metaballs(options), 1000, "arap", {{"stiffness", 1e4}});
}

void time_online(const Model& model, const Reduction& reduction, double seconds, ThreadPool& pool,
                 CaseResult& result) {
  const ReducedTerm& term = reduction.terms()[0];
  std::set<int> touched;
  for (const int i : term.samples.element)
    for (const int v : model.terms[0].elements.vertices(i)) touched.insert(v);
  const std::vector<int> vertices(touched.begin(), touched.end());
  const PartialLift partial(reduction.positions(), vertices);
  std::vector<double> q(3 * static_cast<std::size_t>(reduction.rows()), 0.5), r(q), x(model.rest.size());
  AlignedVector<double> rows(4 * vertices.size()), p(9 * static_cast<std::size_t>(term.fit.samples() + 8), 0.25);
  const auto ms = [&](auto run) { return bench::repeat(20, seconds, run).median(); };
  result.extra.emplace_back("sampled_vertices", static_cast<double>(vertices.size()));
  result.extra.emplace_back("lift_samples_ms", ms([&] { partial.lift(q.data(), rows.data(), pool); }));
  result.extra.emplace_back("lift_all_ms", ms([&] { reduction.positions().lift(q.data(), x.data(), pool); }));
  result.extra.emplace_back("pull_back_all_ms",
                            ms([&] { reduction.positions().pull_back(x.data(), q.data(), pool); }));
  if (!term.fit.empty()) result.extra.emplace_back("fit_ms", ms([&] { term.fit.add(p.data(), r.data(), pool); }));
}

CaseResult run_size(const Size& size, const BenchmarkContext& context) {
  const Model model = creature(size.spacing);
  ThreadPool pool(context.threads);
  bench::reset_peak();
  ReductionSettings settings;
  settings.handles = size.handles, settings.fit_handles = size.fit_handles;
  const bench::Stopwatch watch;
  const std::clock_t cpu = std::clock();
  const Reduction reduction(model, settings, pool);
  CaseResult result{.name = std::string("reduced_setup_") + size.name, .threads = context.threads};
  result.median_ms = watch.ms();
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  result.peak_mb = bench::peak_mb();
  const Reduction::Seconds& s = reduction.seconds();
  result.extra = {{"vertices", model.vertex_count()},
                  {"tets", model.element_count()},
                  {"rows", reduction.rows()},
                  {"cpu_s", cpu_seconds},
                  {"graph_s", s.graph},
                  {"handles_s", s.handles},
                  {"weights_s", s.weights},
                  {"positions_s", s.positions},
                  {"stiffness_s", s.stiffness},
                  {"samples_s", s.samples},
                  {"fit_s", s.fit},
                  {"matrix_fill", static_cast<double>(reduction.mass().slots()) /
                                      (0.5 * reduction.rows() * (reduction.rows() + 1))},
                  {"fit_components", reduction.terms()[0].fit.components()},
                  {"fit_left_out", reduction.terms()[0].fit.components_left_out()},
                  {"target_s", size.target_s}};
  time_online(model, reduction, context.quick ? 0.01 : 0.2, pool, result);
  return result;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  const FlushDenormals flush;
  std::vector<Size> sizes = {{"2k", 0.064, 40, 20, 0}};
  if (!context.quick)
    sizes = {{"19k", 0.0271, 120, 60, 3},
             {"19k_large", 0.0271, 330, 60, 0},
             {"52k", 0.0194, 120, 60, 0},
             {"200k", 0.01198, 120, 60, 30},
             {"440k", 0.0092, 180, 60, 90}};
  std::vector<CaseResult> out;
  for (const Size& size : sizes) out.push_back(run_size(size, context));
  return out;
}

}  // namespace

BenchmarkPlugin benchmark_reduced_setup() {
  return {"Set-up of hyper-reduction on a creature of 19k to 440k vertices, by parts", run};
}

}  // namespace resilin
