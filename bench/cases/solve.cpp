// The global solve and its factorisation on the worst body for fill, a cube of 32 x 32 x 33 = 33,792 vertices.
// Floor of a solve: twice the bytes of the stored factor over the read bandwidth of a buffer of that size, measured
// here with the same threads; of a factorisation: its operations over the rate of fused multiply-adds.
#include <Eigen/SparseCholesky>

#include "core/thread_pool.h"
#include "lab/setup.h"
#include "linear/linear_solver.h"
#include "linear/sparse_matrix.h"
#include "measure.h"
#include "problem/dynamic_system.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

using bench::Samples;

SymmetricMatrix cube_matrix(bool quick) {
  BoxOptions options;
  options.cells = quick ? std::array{12, 12, 12} : std::array{31, 31, 32};
  options.pattern = BoxPattern::six;
  Model model = lab::solid(box(options), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.45}});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  Stage stage;
  stage.tau = 1.0 / 30, stage.target = model.rest;
  system.begin(stage);
  return system.problem().constant().matrix();
}

struct Plain {
  double factor_ms = 0, solve_ms = 0;
};

Plain plain_solve(const SymmetricMatrix& a) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < a.size(); ++i)
    for (int slot = a.start[i]; slot < a.start[i + 1]; ++slot)
      triplets.emplace_back(i, a.column[slot], a.value[slot]);
  Eigen::SparseMatrix<double> matrix(a.size(), a.size());
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  Plain out;
  const bench::Stopwatch watch;
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor(matrix);
  out.factor_ms = watch.ms();
  Eigen::MatrixX3d b = Eigen::MatrixX3d::Ones(a.size(), 3), x;
  out.solve_ms = bench::repeat(3, 0.3, [&] {
                   x = factor.solve(b);
                   bench::keep(x(0, 0));
                 }).median();
  return out;
}

void add_solver(const SymmetricMatrix& a, const std::string& linear, const std::string& suffix,
                const BenchmarkContext& context, const Plain& plain, std::vector<CaseResult>& rows) {
  ThreadPool pool(context.threads);
  const FlushDenormals flush;
  CaseResult solve{.name = "solve" + suffix, .threads = context.threads},
      factor{.name = "factor" + suffix, .threads = context.threads};
  bench::reset_peak();
  const auto solver = plugin<LinearSolverPlugin>("linear solver", linear, "bench").make();
  const bench::Stopwatch analysis;
  solver->analyse(a);
  const double analyse_ms = analysis.ms();
  const Samples factor_ms = bench::repeat(context.quick ? 1 : 3, 0, [&] { solver->factorise(a, pool); });
  factor_ms.report(factor);
  factor.peak_mb = bench::peak_mb();
  const double flops = bench::factor_flops(a);
  factor.floor_ms = 1e3 * flops / bench::fma_rate(pool);
  factor.ratio_to_floor = *factor.median_ms / *factor.floor_ms;
  factor.extra = {{"gflop", flops / 1e9},
                  {"analyse_ms", analyse_ms},
                  {"nonzeros", static_cast<double>(solver->factor_nonzeros())}};

  lab::Random random(1);
  std::vector<double> b(3 * static_cast<std::size_t>(a.size())), x(b.size());
  for (double& v : b) v = random.normal();
  // Solves and reads in turn, so that what else the machine does meets both alike.
  Samples solve_ms, bandwidths;
  for (int round = 0; round < (context.quick ? 1 : 8); ++round) {
    solve_ms.add(bench::repeat(20, context.quick ? 0.05 : 0.2, [&] { solver->solve(b.data(), x.data(), pool); }));
    bandwidths.add(bench::read_bandwidth(solver->factor_bytes(), pool));
  }
  solve_ms.report(solve);
  const double bytes = static_cast<double>(solver->factor_bytes()), bandwidth = bandwidths.median();
  solve.floor_ms = 1e3 * 2 * bytes / bandwidth;
  solve.ratio_to_floor = *solve.median_ms / *solve.floor_ms;
  solve.extra = {{"min_over_floor", *solve.min_ms / *solve.floor_ms},
                 {"unknowns", static_cast<double>(a.size())},
                 {"factor_mb", bytes / 1e6},
                 {"bandwidth_gb_s", bandwidth / 1e9}};
  if (plain.solve_ms > 0) {
    solve.reference_ms = plain.solve_ms, solve.speedup = plain.solve_ms / *solve.median_ms;
    factor.reference_ms = plain.factor_ms, factor.speedup = plain.factor_ms / *factor.median_ms;
  }
  solve.note = factor.note = linear + ", three right-hand sides";
  rows.push_back(std::move(solve));
  rows.push_back(std::move(factor));
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  const SymmetricMatrix a = cube_matrix(context.quick);
  std::vector<CaseResult> rows;
  const Plain plain = context.reference ? plain_solve(a) : Plain{};
  add_solver(a, "cholesky_float", "", context, plain, rows);
  add_solver(a, "cholesky", ".double", context, plain, rows);
  return rows;
}

}  // namespace

BenchmarkPlugin benchmark_solve() {
  return {"Global solve and factorisation of a cube of 33,792 vertices; rows solve and factor (float), .double",
          run};
}

}  // namespace resilin
