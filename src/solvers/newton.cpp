// Newton's method with a line search: the reference for every other solver. Its Hessian must lead downhill:
//   filtered     element Hessians are projected to positive semidefinite (Teran et al. 2005)
//   exact_first  the true one, projected only when it is not positive definite: quadratic convergence near the minimum
//   shifted      the true one plus a multiple of the identity (Nocedal and Wright, Alg. 3.3)
//   exact        the true one, with conjugate gradients that stop at negative curvature (Gast et al. 2015)
#include <numeric>

#include "resilin/errors.h"
#include "resilin/solver.h"
#include "solvers/descent.h"
#include "solvers/point_hessian.h"

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

  bool direction(Objective& objective, const std::vector<double>& y, const std::vector<double>& g, int,
                 std::vector<double>& d, SolveReport& report) override {
    const Profiler::Scope phase(objective.profiler(), Phase::global);
    if (!factorise(objective, y, report)) {
      report.status = Status::not_finite;
      return false;
    }
    for (std::size_t i = 0; i < g.size(); ++i) d[i] = -g[i];
    if (objective.has_contact()) objective.touching_pairs(y.data(), pairs_);
    if (pairs_.empty()) hessian_.solve(objective, d.data(), d.data());
    else solve_with_pairs(objective, d);
    return true;
  }

 private:
  bool factorise(Objective& objective, const std::vector<double>& y, SolveReport& report) {
    ++report.factorisations;
    if (kind_ == "shifted") return hessian_.factorise_shifted(objective, y.data()) >= 0;
    if (kind_ != "filtered" && hessian_.factorise(objective, y.data(), false)) return true;
    if (kind_ == "exact_first") ++report.factorisations;
    return hessian_.factorise(objective, y.data(), true);
  }

  // (H + K) d = r by conjugate gradients, K of the pairs that touch, with H^-1 as the preconditioner. H p follows from H z = r, so that H itself is
  // not needed.
  void solve_with_pairs(Objective& objective, std::vector<double>& d) {
    const std::size_t n = d.size();
    residual_ = d, z_.resize(n), p_.resize(n), hp_.resize(n);
    hessian_.solve(objective, residual_.data(), z_.data());
    p_ = z_, hp_ = residual_;
    std::fill(d.begin(), d.end(), 0.0);
    double rz = dot(residual_, z_);
    const double enough = pair_tolerance * pair_tolerance * rz;
    for (int i = 0; i < most_pair_iterations && rz > enough; ++i) {
      kp_ = hp_;
      for (const TouchingPair& pair : pairs_) add_stiffness(objective, pair, p_, kp_);
      const double alpha = rz / dot(p_, kp_);
      for (std::size_t k = 0; k < n; ++k) d[k] += alpha * p_[k], residual_[k] -= alpha * kp_[k];
      hessian_.solve(objective, residual_.data(), z_.data());
      const double next = dot(residual_, z_), beta = next / rz;
      rz = next;
      for (std::size_t k = 0; k < n; ++k) p_[k] = z_[k] + beta * p_[k], hp_[k] = residual_[k] + beta * hp_[k];
    }
  }
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  // On free vertices: the others do not move.
  static void add_stiffness(const Objective& objective, const TouchingPair& pair, const std::vector<double>& p,
                            std::vector<double>& to) {
    double u[3] = {}, along = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        u[k] += pair.weight[i] * p[3 * static_cast<std::size_t>(pair.vertices[i]) + k];
    for (std::size_t k = 0; k < 3; ++k) along += pair.normal[k] * u[k];
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 3 && objective.free_index()[static_cast<std::size_t>(pair.vertices[i])] >= 0; ++k)
        to[3 * static_cast<std::size_t>(pair.vertices[i]) + k] +=
            pair.weight[i] *
            (pair.stiffness * along * pair.normal[k] + pair.tangential * (u[k] - along * pair.normal[k]));
  }
  static constexpr int most_pair_iterations = 200;
  static constexpr double pair_tolerance = 1e-8;

  std::string kind_;
  InnerSolve inner_;
  PointHessian hessian_;
  std::vector<TouchingPair> pairs_;
  std::vector<double> residual_, z_, p_, hp_, kp_;
};

class Newton final : public Solver {
 public:
  explicit Newton(const Settings& s) : method_(s), descent_({LineSearch(s), s.text("start") == "best"}) {}
  void check(const Objective& objective) const override { require_smooth(objective, "newton"); }

 private:
  SolveReport minimise(Objective& objective, const Stage& stage, std::vector<double>& y, Memory&,
                       const StopRule& stop) override {
    return descent_.run(objective, stage, y, stop, method_, *this);
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
