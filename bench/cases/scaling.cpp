// Cost over size: cubes of 1k to 200k vertices (the worst fill), one face pinned, sagging under gravity,
// neo-Hookean, 10 iterations per frame. Beside each, what the direct solve costs to prepare and to keep, and what
// one solve by conjugate gradients with a Jacobi preconditioner to 1e-2 takes on the same matrix, one thread: where
// that is less, the direct solve has stopped paying.
#include <Eigen/IterativeLinearSolvers>

#include "core/thread_pool.h"
#include "lab/setup.h"
#include "linear/linear_solver.h"
#include "linear/sparse_matrix.h"
#include "measure.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"
#include "scene_case.h"

namespace resilin {
namespace {

Model cube(int cells) {
  BoxOptions options;
  options.cells = {cells, cells, cells};
  options.pattern = BoxPattern::five;
  const TetMesh mesh = box(options);
  Builder builder;
  builder.add(Solid{.mesh = mesh, .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.45}}}});
  builder.pin({.vertices = mesh.vertex_groups.at("x_min")});
  return std::move(builder).model();
}

struct Conjugate {
  double ms = 0, iterations = 0;
};

Conjugate conjugate_gradients(const SymmetricMatrix& a, const std::vector<double>& b) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < a.size(); ++i)
    for (int slot = a.start[i]; slot < a.start[i + 1]; ++slot) {
      triplets.emplace_back(i, a.column[slot], a.value[slot]);
      if (a.column[slot] != i) triplets.emplace_back(a.column[slot], i, a.value[slot]);
    }
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(a.size(), a.size());
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double, Eigen::RowMajor>, Eigen::Lower | Eigen::Upper> solver(
      matrix);
  solver.setTolerance(1e-2);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>> rows(b.data(), a.size(), 3);
  const Eigen::MatrixX3d right = rows;
  Eigen::MatrixX3d x;
  Conjugate out;
  out.ms = bench::repeat(1, 0, [&] { x = solver.solve(right); }).median();
  out.iterations = static_cast<double>(solver.iterations());
  return out;
}

CaseResult measure(int cells, const std::string& label, const BenchmarkContext& context) {
  Model model = cube(cells);
  const int vertices = model.vertex_count(), tets = model.element_count();
  CaseResult result{.name = "scaling." + label, .threads = context.threads};
  const std::string linear =
      plugin<SolverPlugin>("solver", "quasi_newton", "bench").params.find("linear_solver")->fallback.text();
  const FlushDenormals flush;
  bench::reset_peak();
  {
    const auto simulation =
        make_simulation(std::move(model),
                        {.solver = {"quasi_newton", {{"method", "paper"}, {"iterations", 10}, {"tolerance", 0.0}}},
                         .threads = context.threads});
    bench::run_frames(*simulation, 3);
    const bench::FrameTimes times = bench::run_frames(*simulation, context.quick ? 3 : vertices > 60000 ? 8 : 20);
    times.ms.report(result);
    result.peak_mb = bench::peak_mb();
    result.extra = {{"vertices", vertices},
                    {"tets", tets},
                    {"local_ms", times.local + times.line_search},
                    {"global_ms", times.global},
                    {"evaluations", times.evaluations}};

    DynamicSystem& system = simulation->system();
    const SymmetricMatrix a = system.problem().constant().matrix();
    ThreadPool pool(context.threads);
    const auto solver = plugin<LinearSolverPlugin>("linear solver", linear, "bench").make();
    bench::Stopwatch watch;
    solver->analyse(a);
    const double analyse_ms = watch.ms();
    watch = {};
    solver->factorise(a, pool);
    const double factor_ms = watch.ms();
    std::vector<double> g(3 * static_cast<std::size_t>(vertices)), b(3 * static_cast<std::size_t>(a.size())),
        x(b.size());
    system.problem().evaluate(simulation->positions().data(),
                              g.data());  // a right-hand side as the solver meets it
    for (int v = 0; v < vertices; ++v)
      for (int k = 0; system.space().free_index()[v] >= 0 && k < 3; ++k)
        b[3 * system.space().free_index()[v] + k] = g[3 * v + k];
    const bench::Samples solve =
        bench::repeat(3, context.quick ? 0.05 : 0.5, [&] { solver->solve(b.data(), x.data(), pool); });
    const Conjugate cg = conjugate_gradients(a, b);
    for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
             {"analyse_ms", analyse_ms},
             {"factor_ms", factor_ms},
             {"factor_mb", static_cast<double>(solver->factor_bytes()) / 1e6},
             {"nonzeros", static_cast<double>(solver->factor_nonzeros())},
             {"solve_ms", solve.median()},
             {"cg_ms", cg.ms},
             {"cg_iterations", cg.iterations}})
      result.extra.emplace_back(name, value);
  }
  return result;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  std::vector<CaseResult> rows;
  const std::pair<int, const char*> sizes[] = {{9, "1k"},   {13, "3k"},   {21, "10k"},
                                               {30, "30k"}, {45, "100k"}, {57, "200k"}};
  for (const auto& [cells, label] : sizes) {  // (cells + 1)^3 vertices
    if (context.quick && cells > 30) break;
    rows.push_back(measure(cells, label, context));
  }
  return rows;
}

}  // namespace

BenchmarkPlugin benchmark_scaling() {
  return {"Time per frame, factor time and memory of cubes of 1k to 200k vertices; minutes", run};
}

}  // namespace resilin
