// Quasi-Newton of Liu et al. 2017: descent on the constant projective Hessian M/tau^2 + L, improved by L-BFGS
// pairs, guarded by a line search. Any energy with a gradient. history = 0 and line_search = false on projective
// energies is exactly projective dynamics. Other initial Hessians are what the paper compares with.
#include <algorithm>
#include <cmath>

#include "resilin/solver.h"
#include "solvers/descent/descent.h"
#include "solvers/descent/lbfgs.h"
#include "solvers/precondition/initial_hessian.h"
#include "solvers/precondition/inner_solve.h"
#include "solvers/requirements.h"

namespace resilin {
namespace {

// Where a stage begins when pins move otherwise than freely flying vertices would: the target does not know of
// that, and the elements next to the pins are strained from the first iteration on. The start is moved by the
// A-harmonic extension of what the pins do besides their flight, delta = y - origin - tau velocity on pinned
// vertices:
//
//   A_ff u = -A_fp delta,   A the constant Hessian (free f, pinned p)
//
// One solve without an evaluation, in stages with such pins only.
class HarmonicStart {
 public:
  /// r = -A_fp delta, zero on pinned vertices; false when no pin leaves its flight.
  bool load(const Problem& problem, const std::vector<double>& y, std::vector<double>& r);

 private:
  void couple(const Problem& problem);

  struct Entry {
    int free, pinned;  // vertices
    double value;      // of A
  };
  double tau_ = 0;
  std::uint64_t revision_ = 0;
  std::vector<Entry> entries_;
};

void HarmonicStart::couple(const Problem& problem) {
  if (tau_ == problem.stage().tau && revision_ == problem.constant().stamp()) return;
  tau_ = problem.stage().tau, revision_ = problem.constant().stamp();
  entries_.clear();
  const auto& free = problem.space().free_index();
  for (int t = 0; t < problem.elements().term_count(); ++t) {
    const Term& term = problem.elements().term(t);
    for (int i = 0; i < term.elements.size(); ++i) {
      const auto ids = term.elements.vertices(i);
      const auto c = term.elements.coefficients(i);
      const int rows = term.elements.rows(), corners = term.elements.corners();
      if (std::all_of(ids.begin(), ids.end(), [&](int v) { return free[v] >= 0; })) continue;
      double q[9];
      problem.constant().element_stiffness(t, i, q);
      for (int k = 0; k < rows * rows; ++k) q[k] *= term.elements.measure(i);
      for (int a = 0; a < corners; ++a)
        for (int b = 0; b < corners; ++b) {
          if (free[ids[a]] < 0 || free[ids[b]] >= 0) continue;
          double value = 0;
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s) value += c[r * corners + a] * q[r * rows + s] * c[s * corners + b];
          entries_.push_back({ids[a], ids[b], value});
        }
    }
  }
}

bool HarmonicStart::load(const Problem& problem, const std::vector<double>& y, std::vector<double>& r) {
  const Stage& stage = problem.stage();
  couple(problem);
  r.assign(y.size(), 0.0);
  double largest = 0;
  for (const Entry& e : entries_)
    for (int k = 0; k < 3; ++k) {
      const std::size_t p = 3 * static_cast<std::size_t>(e.pinned) + k;
      const double delta = y[p] - stage.origin[p] - stage.tau * stage.velocity[p];
      r[3 * e.free + k] -= e.value * delta;
      largest = std::max(largest, std::abs(delta));
    }
  return largest > 1e-12 * problem.space().model_size();
}

class Method final : public DescentMethod {
 public:
  explicit Method(const Settings& s)
      : pairs_(s.integer("history")),
        hessian_(make_initial_hessian(s)),
        follow_pins_(s.text("start") == "harmonic") {}

  bool begin(Problem& problem, const std::vector<double>& y, Memory& memory, SolveReport& report) {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    pairs_.clear();  // pairs of an older frame describe another function
    const int made = hessian_->begin(problem, y, memory);
    report.factorisations += std::abs(made);
    return made >= 0;
  }
  /// Moves y by the harmonic extension of what the pins do, if that lowers Phi: it need not, since A is not the
  /// true Hessian.
  void start(Problem& problem, std::vector<double>& y, SolveReport& report) override {
    if (!follow_pins_) return;
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    if (!start_.load(problem, y, moved_)) return;
    hessian_->solve(problem, y, 0, moved_.data(), moved_.data());
    for (std::size_t i = 0; i < y.size(); ++i) moved_[i] += y[i];
    const double before = problem.evaluate(y.data(), nullptr).value();
    report.evaluations += 2;
    if (problem.evaluate(moved_.data(), nullptr).value() < before) y.swap(moved_);
  }
  bool direction(Problem& problem, const std::vector<double>& y, const std::vector<double>& g, int iterations,
                 std::vector<double>& d, SolveReport&) override {
    const Profiler::Scope phase(problem.profiler(), Phase::history);
    {
      const Profiler::Scope inner(problem.profiler(), Phase::global);
      hessian_->iterate(problem, y, iterations);
    }
    pairs_.direction(
        g.data(), d.data(), problem.space().vectors(),
        [&](const double* q, double* r) {
          const Profiler::Scope inner(problem.profiler(), Phase::global);
          hessian_->solve(problem, y, pairs_.scale(), q, r);
        },
        /*pushed=*/true);
    return true;
  }
  void accepted(const std::vector<double>& from, const std::vector<double>& to, const std::vector<double>& g_from,
                const std::vector<double>& g_to, Problem& problem) override {
    pairs_.push(from.data(), to.data(), g_from.data(), g_to.data(), problem.space().vectors());
  }
  bool measures(int component, int iterations) const override { return hessian_->measures(component, iterations); }
  void searched(int component, bool cut) override { hessian_->searched(component, cut); }
  bool restart(int component) override { return pairs_.clear(component); }
  bool simplify(int component) override { return pairs_.clear(component) || hessian_->simplify(component); }
  void function_changed() override { pairs_.clear(); }
  bool needs_vertices() const { return hessian_->needs_vertices() || follow_pins_; }

 private:
  Lbfgs pairs_;
  std::unique_ptr<InitialHessian> hessian_;
  bool follow_pins_;
  HarmonicStart start_;
  std::vector<double> moved_;
};

class QuasiNewton final : public Solver {
 public:
  explicit QuasiNewton(const Settings& s) : method_(s), descent_({LineSearch(s), s.text("start") == "best"}) {}
  void check(const Problem& problem) const override { require_smooth(problem, "quasi_newton"); }
  bool needs_vertices() const override { return method_.needs_vertices(); }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) override {
    SolveReport before;
    if (!method_.begin(problem, y, memory, before)) {
      before.status = Status::not_finite;
      return before;
    }
    SolveReport report = descent_.run(problem, y, stop, method_, *this);
    report.factorisations += before.factorisations;
    return report;
  }

  Method method_;
  Descent descent_;
};

}  // namespace

SolverPlugin solver_quasi_newton() {
  Params params = stop_params(300);
  params.add(
      {choice("method", {"robust", "paper"},
              "robust: iterates to the tolerance on any mesh; paper: the method of Liu et al. 2017, ten iterations "
              "from free flight"),
       integer("history", 5, between(0, 100), "number of L-BFGS pairs; 0: plain descent on the first Hessian"),
       choice("start", {"best", "target", "harmonic"},
              "first point of a stage. target: free flight; best: the better one of free flight and the best rigid "
              "motion; harmonic: free flight deformed to follow moved pins")});
  params.add(initial_hessian_params()).add(LineSearch::params(1)).add(InnerSolve::params("cholesky_float"));
  params.add({.param = "method",
              .choice = "paper",
              .values = {{"iterations", 10},
                         {"gradient_tolerance", 1e-3},
                         {"start", "target"},
                         {"coarse_modes", 0},
                         {"contact_rows", false},
                         {"search", "armijo"}}});
  return {
      "L-BFGS on a constant Hessian that is factorised once (Liu et al. 2017). Fast, takes any material: the "
      "default.",
      params, [](const Settings& s) { return std::make_unique<QuasiNewton>(s); }};
}

}  // namespace resilin
