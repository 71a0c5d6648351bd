// E14: what L-BFGS costs besides its solve (Liu et al. 2017, Alg. 2 without line 7): m = 5 pairs, against the time
// to stream the 4m vectors that it reads (each s and t twice). Least of many repetitions: machines are noisy.
// `resilin bench` measures the same on the vectors of a large scene.

#include "core/chunks.h"
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"
#include "solvers/descent/lbfgs.h"

namespace resilin {
namespace {

// Percent of the direction, and of the whole solve, on the twisting bar.
void report_shares(const Settings& s, Findings& findings) {
  const auto simulation =
      lab::start_scene(lab::liu_scene("twisting_bar"), lab::liu_step, "quasi_newton", {{"tolerance", 0}});
  Phases sum;
  double total = 0;
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    const StepReport report = simulation->step();
    if (report.solve.factorisations > 0) continue;
    total += report.seconds;
    sum += report.solve.phases;
  }
  findings.report("twisting bar: L-BFGS, percent of a frame", 100 * sum.history / total,
                  "paper 0.35 to 2.8 of a much slower frame");
  findings.report("twisting bar: L-BFGS / linear solve", sum.history / sum.global);
}

void run(const Settings& s, Findings& findings) {
  const int m = s.integer("history"), repetitions = s.integer("repetitions");
  const auto size = static_cast<std::ptrdiff_t>(3) * s.integer("vertices");
  ThreadPool pool(available_cores());
  lab::Random random(1);
  std::vector<std::vector<double>> vectors(2 * m, std::vector<double>(size));
  const std::vector<double> zero(size, 0.0);
  std::vector<double> d(size), sums;
  Lbfgs lbfgs(m);
  const ComponentSet whole = ComponentSet::whole(size);
  Vectors host(whole, pool);
  for (int i = 0; i < m; ++i) {
    for (std::ptrdiff_t k = 0; k < size; ++k) {
      vectors[2 * i][k] = random.uniform(-1, 1);
      vectors[2 * i + 1][k] = vectors[2 * i][k] + 0.1 * random.uniform(-1, 1);
    }
    lbfgs.push(zero.data(), vectors[2 * i].data(), zero.data(), vectors[2 * i + 1].data(), host);
  }
  double kept = 0;
  const double floor = lab::least_seconds(repetitions, [&] {
    for (int pass = 0; pass < 2; ++pass)
      kept += sum_chunks<1>(pool, size, sums, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
        double sum = 0;
        for (const auto& v : vectors) sum += chunk_dot(v.data() + b, v.data() + b, e - b);
        return std::array<double, 1>{sum};
      })[0];
  });
  const auto recursion = [&](bool pushed) {
    return lab::least_seconds(repetitions, [&] {
      lbfgs.direction(
          vectors.back().data(), d.data(), host, [](const double*, double*) {}, pushed);
    });
  };
  const double ours = recursion(true), by_itself = recursion(false);
  findings.time("two-loop recursion / streaming its 4m vectors", "<=", 1.5, kept > 0 ? ours / floor : 0,
                "as the solver runs it, least of " + std::to_string(repetitions) + " repetitions");
  findings.report("the same with its own products s.g / streaming", kept > 0 ? by_itself / floor : 0,
                  "the solver has them from the pass that takes a pair");
  findings.report("two-loop recursion [ms]", 1e3 * ours);
  report_shares(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E14() {
  return {
      .title = "Overhead of L-BFGS",
      .source = "liu2017",
      .shows = "Table I",
      .doc = "The recursion without its solve against streaming its vectors, and its share of a frame.",
      .params = {integer("history", 5, between(1, 100), "m of L-BFGS"),
                 integer("vertices", 40000, between(1000, 10000000), "number of vertices of the streamed vectors"),
                 integer("repetitions", 200, between(1, 100000),
                         "repetitions of each timing, of which the least counts"),
                 integer("frames", 30, between(2, 10000),
                         "frames of the twisting bar that shares are measured over")},
      .quick = Quick{.slow = true},
      .run = run,
      .timed = Value::Object{}};
}

}  // namespace resilin
