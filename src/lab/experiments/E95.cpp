// E95: the sparse Cholesky. Residuals |A x - b|/|b| of the constant Hessian (blocks of 1) and of Newton's (blocks
// of 3); a factor that gives the same bits after a million solves; matrices that are not positive definite, and
// NaN, are told by a typed result that names the row. A factor in float corrects itself in delta form.
#include "core/thread_pool.h"
#include "lab/toolkit.h"
#include "linear/linear_solver.h"
#include "linear/sparse_matrix.h"

namespace resilin {
namespace {

struct Matrices {
  SymmetricMatrix constant, newton;
};

Matrices matrices(const Settings& s, int cells) {
  const TetMesh mesh = box({.size = {2, 1, 1}, .cells = {2 * cells, cells, cells}});
  Model model = lab::solid(mesh, 1000, "neo_hookean", {{"young", s.number("young")}, {"poisson", 0.4}});
  const auto q = lab::twisted(mesh.vertices, 45);
  lab::OneStage one = lab::stage_from_rest(std::move(model), q, s.number("step"));
  Matrices out{one.system().problem().constant().matrix(),
               one.system().problem().linearise(one.system().space().rest().data()).pattern()};
  one.system().problem().linearise(q.data()).assemble(out.newton, true);
  return out;
}

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double c : x) sum += c * c;
  return std::sqrt(sum);
}

struct Accuracy {
  double residual = 0;  // |A x - b| / |b|
  double floor = 0;     // what rounding x alone leaves: epsilon |A| |x| / |b|
};

// Largest sum of absolute values of a row.
double row_sum(const SymmetricMatrix& a) {
  const int b = a.block();
  std::vector<double> sum(static_cast<std::size_t>(a.size()) * b, 0.0);
  for (int i = 0; i < a.size(); ++i)
    for (int slot = a.start[i]; slot < a.start[i + 1]; ++slot)
      for (int r = 0; r < b; ++r)
        for (int c = 0; c < b; ++c) {
          const double v = std::abs(a.value[(static_cast<std::size_t>(slot) * b + r) * b + c]);
          sum[static_cast<std::size_t>(i) * b + r] += v;
          if (a.column[slot] != i) sum[static_cast<std::size_t>(a.column[slot]) * b + c] += v;
        }
  return lab::Worst::of(sum);
}

// After 1 + `refinements` solves in delta form.
Accuracy accuracy(const SymmetricMatrix& a, const LinearSolver& solver, ThreadPool& pool, int refinements,
                  lab::Random& random) {
  const std::size_t n = static_cast<std::size_t>(a.size()) * 3;
  std::vector<double> b(n), x(n, 0.0), r(n), d(n), product(n);
  for (double& c : b) c = random.normal();
  r = b;
  for (int k = 0; k <= refinements; ++k) {
    solver.solve(r.data(), d.data(), pool);
    for (std::size_t i = 0; i < n; ++i) x[i] += d[i];
    a.multiply(x.data(), product.data());
    for (std::size_t i = 0; i < n; ++i) r[i] = b[i] - product[i];
  }
  return {norm(r) / norm(b), 2.2e-16 * row_sum(a) * norm(x) / norm(b)};
}

void study_accuracy(const Settings& s, const std::string& name, const LinearSolverPlugin& plugin,
                    Findings& findings) {
  ThreadPool pool(available_cores());
  lab::Random random(1);
  const Matrices m = matrices(s, s.integer("cells"));
  const bool single = name.find("float") != std::string::npos;
  for (const SymmetricMatrix* a : {&m.constant, &m.newton}) {
    const auto solver = plugin.make();
    solver->analyse(*a);
    const bool definite = solver->factorise(*a, pool).positive_definite;
    Accuracy worst;
    for (int k = 0; k < 10 && definite; ++k) {
      const Accuracy one = accuracy(*a, *solver, pool, single ? 4 : 0, random);
      worst = {lab::Worst::of({worst.residual, one.residual}), lab::Worst::of({worst.floor, one.floor})};
    }
    const std::string what = name + (a == &m.constant ? ", constant Hessian: " : ", Newton's Hessian: ");
    findings.holds(what + "is positive definite", definite);
    // 1e-12, unless the matrix is so badly conditioned that rounding x to doubles already leaves more.
    findings.at_most(what + "|A x - b| / |b|", std::max(1e-12, worst.floor), worst.residual,
                     single ? "after four corrections in delta form" : "");
    if (single)
      findings.report(what + "|A x - b| / |b| of one solve", accuracy(*a, *solver, pool, 0, random).residual);
  }
}

void study_endurance(const Settings& s, const std::string& name, const LinearSolverPlugin& plugin,
                     Findings& findings) {
  ThreadPool pool(1);
  const SymmetricMatrix a = matrices(s, 1).constant;
  const auto solver = plugin.make();
  solver->analyse(a);
  solver->factorise(a, pool);
  std::vector<double> b(static_cast<std::size_t>(a.size()) * 3), first(b.size()), x(b.size());
  lab::Random random(2);
  for (double& c : b) c = random.normal();
  solver->solve(b.data(), first.data(), pool);
  const int solves = s.integer("solves");
  for (int k = 0; k < solves; ++k) solver->solve(b.data(), x.data(), pool);
  findings.near(fmt::format("{}: change of the solution after {} solves", name, solves), 0,
                lab::largest_difference(x, first), 0, "bit for bit");
}

void study_failures(const Settings& s, const std::string& name, const LinearSolverPlugin& plugin,
                    Findings& findings) {
  ThreadPool pool(available_cores());
  const Matrices m = matrices(s, 2);
  for (const SymmetricMatrix* from : {&m.constant, &m.newton}) {
    const std::string what = name + (from == &m.constant ? ", blocks of 1: " : ", blocks of 3: ");
    const auto solver = plugin.make();
    solver->analyse(*from);
    const int row = from->size() / 2, b = from->block();
    const auto try_diagonal = [&](double value) {
      SymmetricMatrix a = *from;
      a.value[static_cast<std::size_t>(a.find(row, row)) * b * b] = value;
      return solver->factorise(a, pool);
    };
    const double usual = from->value[static_cast<std::size_t>(from->find(row, row)) * b * b];
    const Factorisation negative = try_diagonal(-usual), zero = try_diagonal(0), nan = try_diagonal(std::nan(""));
    findings.holds(what + "a negative diagonal entry is refused",
                   !negative.positive_definite && negative.row >= 0 && !(negative.pivot > 0));
    findings.holds(what + "a zero diagonal entry is refused", !zero.positive_definite && zero.row >= 0);
    findings.holds(what + "a NaN is refused", !nan.positive_definite && nan.row >= 0);
    findings.holds(what + "and the next good matrix is factorised",
                   solver->factorise(*from, pool).positive_definite);
  }
}

void run(const Settings& s, Findings& findings) {
  for (const auto& [name, plugin] : registry<LinearSolverPlugin>())
    for (const auto study : {study_accuracy, study_endurance, study_failures}) study(s, name, plugin, findings);
}

}  // namespace

ExperimentPlugin experiment_E95() {
  return {.title = "Sparse Cholesky: residuals, endurance, typed failure",
          .source = "oracle",
          .doc = "Every registered linear solver on the matrices of the solvers.",
          .params = {integer("cells", 8, between(1, 32), "cells across the body"),
                     number("young", "Pa", 1e5, positive(), "stiffness"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     integer("solves", 1000000, between(1, 100000000), "solves with one factor of a small matrix")},
          .quick = Quick{.set = {{"solves", 10000}}},
          .run = run};
}

}  // namespace resilin
