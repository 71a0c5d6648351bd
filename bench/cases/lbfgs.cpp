// E14: the two-loop recursion without its solve, m = 5, vectors of scene B, against the time to stream the 4m
// vectors that it reads (each s and t twice). As the solver calls it, products with s are left over from the pass
// that takes a pair, whose own time is given beside; `by_itself_ms` is the recursion with all its passes.
#include "solvers/descent/lbfgs.h"

#include "lab/setup.h"
#include "scene_case.h"

namespace resilin {
namespace {

std::vector<CaseResult> run(const BenchmarkContext& context) {
  constexpr int m = 5;
  const FlushDenormals flush;
  bench::SceneCase c;
  c.scene = context.quick ? "twisting_bar" : "grid_bar", c.material = "neo_hookean";
  const auto simulation = build_simulation(bench::load(c, context), context.threads);
  const std::size_t size = simulation->positions().size();
  bench::run_frames(*simulation, 2);
  const double frame_ms = bench::run_frames(*simulation, 5).ms.median();

  lab::Random random(1);
  ThreadPool pool(context.threads);
  std::vector<std::vector<double>> vectors(2 * m, std::vector<double>(size));
  const std::vector<double> zero(size, 0.0);
  Lbfgs lbfgs(m);
  const ComponentSet whole = ComponentSet::whole(static_cast<std::ptrdiff_t>(size));
  Vectors host(whole, pool);
  for (int i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < size; ++k) {
      vectors[2 * i][k] = random.normal();
      vectors[2 * i + 1][k] = vectors[2 * i][k] + 0.1 * random.normal();
    }
    lbfgs.push(zero.data(), vectors[2 * i].data(), zero.data(), vectors[2 * i + 1].data(), host);
  }
  const std::vector<double>& g = vectors.back();
  std::vector<double> d(size);
  const auto recursion = [&](bool pushed) {
    return bench::repeat(20, context.quick ? 0.05 : 0.1, [&] {
      lbfgs.direction(
          g.data(), d.data(), host, [](const double*, double*) {}, pushed);
    });
  };
  std::vector<bench::Bytes> arrays;
  for (const auto& v : vectors) arrays.push_back({v.data(), v.size()});
  // In turn, so that what else the machine does meets all alike.
  bench::Samples ms, by_itself, streamed, push;
  for (int round = 0; round < (context.quick ? 1 : 8); ++round) {
    ms.add(recursion(true));
    by_itself.add(recursion(false));
    streamed.add(bench::stream(arrays, 2, pool));
  }
  push.add(bench::repeat(20, context.quick ? 0.05 : 0.3, [&] {
    lbfgs.push(zero.data(), vectors[0].data(), zero.data(), vectors[1].data(), host);
  }));

  CaseResult result{.name = "lbfgs", .threads = context.threads};
  ms.report(result);
  result.floor_ms = streamed.median();
  result.ratio_to_floor = *result.median_ms / *result.floor_ms;
  result.extra = {{"min_over_floor", ms.min() / streamed.min()},
                  {"streamed_mb", 4.0 * m * static_cast<double>(size) * 8 / 1e6},
                  {"by_itself_ms", by_itself.median()},
                  {"by_itself_over_floor", by_itself.median() / streamed.median()},
                  {"take_a_pair_ms", push.median()},
                  {"percent_of_frame", 100 * c.iterations * (ms.median() + push.median()) / frame_ms}};
  result.note = "two-loop recursion without the solve; floor: streaming its 4m vectors";
  return {result};
}

}  // namespace

BenchmarkPlugin benchmark_lbfgs() { return {"Two-loop recursion, m = 5, on vectors of scene B (E14)", run}; }

}  // namespace resilin
