// Newton's method with a line search: the reference for every other solver. Its Hessian must lead downhill:
//   filtered     element Hessians are projected to positive semidefinite (Teran et al. 2005)
//   exact_first  the true one, projected only when it is not positive definite: quadratic convergence near the
//                minimum
//   shifted      the true one plus a multiple of the identity (Nocedal and Wright, Alg. 3.3)
//   exact        the true one, with conjugate gradients that stop at negative curvature (Gast et al. 2015)
#include "resilin/errors.h"
#include "resilin/solver.h"
#include "solvers/descent/descent.h"
#include "solvers/precondition/point_hessian.h"
#include "solvers/requirements.h"

namespace resilin {
namespace {

class Method final : public DescentMethod {
 public:
  explicit Method(const Settings& s) : kind_(s.text("hessian")), inner_(s), hessian_(inner_) {
    if (kind_ == "exact" && inner_.direct())
      s.value("hessian").fail(
          "an exact Hessian may be indefinite: set linear_method to cg or pcg, or use exact_first");
    if (kind_ == "shifted" && !inner_.direct())
      s.value("hessian").fail(
          "hessian shifted finds its shift by factorising: use linear_method direct, or hessian exact");
  }

  bool direction(Problem& problem, const std::vector<double>& y, const std::vector<double>& g, int,
                 std::vector<double>& d, SolveReport& report) override {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    if (!factorise(problem, y, report)) {
      report.status = Status::not_finite;
      return false;
    }
    for (std::size_t i = 0; i < g.size(); ++i) d[i] = -g[i];
    hessian_.solve(problem, d.data(), d.data());
    return true;
  }

 private:
  bool factorise(Problem& problem, const std::vector<double>& y, SolveReport& report) {
    ++report.factorisations;
    if (kind_ == "shifted") return hessian_.factorise_shifted(problem, y.data()) >= 0;
    if (kind_ != "filtered" && hessian_.factorise(problem, y.data(), false)) return true;
    if (kind_ == "exact_first") ++report.factorisations;
    return hessian_.factorise(problem, y.data(), true);
  }

  std::string kind_;
  InnerSolve inner_;
  PointHessian hessian_;
};

class Newton final : public Solver {
 public:
  explicit Newton(const Settings& s) : method_(s), descent_({LineSearch(s), s.text("start") == "best"}) {}
  void check(const Problem& problem) const override { require_smooth(problem, "newton"); }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory&, const StopRule& stop) override {
    return descent_.run(problem, y, stop, method_, *this);
  }

  Method method_;
  Descent descent_;
};

}  // namespace

SolverPlugin solver_newton() {
  Params params = stop_params(100);
  params.add(
      {choice(
           "hessian", {"filtered", "exact_first", "shifted", "exact"},
           "Hessian of each iteration. filtered: negative eigenvalues of elements are removed; exact_first: "
           "filtered only if needed; shifted: plus a multiple of the identity; exact: unchanged (cg or pcg only)"),
       choice("start", {"best", "target"},
              "first point of a stage. target: free flight; best: the better one of free flight and the best rigid "
              "motion")});
  params.add(LineSearch::params(0.5)).add(InnerSolve::params("cholesky"));
  return {
      "Newton's method with a direct solve in every iteration. Few, expensive iterations; the reference for all "
      "others.",
      params, [](const Settings& s) { return std::make_unique<Newton>(s); }};
}

}  // namespace resilin
