// Baselines that Ledwon 2024 derives (Algs. 1 and 3; corrections X38 and X39) and does not run: steepest descent
// and dense BFGS, on the small beam. Dense BFGS is written here on a 3n x 3n matrix. Begun with the inverse of the
// constant Hessian it must give the iterates of L-BFGS that forgets nothing; begun with a multiple of the identity
// it shows what the constant Hessian is worth.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <Eigen/Dense>

#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Iterates = std::vector<std::vector<double>>;

// The constant Hessian couples x, y and z alike.
MatrixXd constant_hessian(DynamicSystem& system) {
  const SymmetricMatrix a = system.problem().constant().matrix();
  MatrixXd out = MatrixXd::Zero(3 * a.size(), 3 * a.size());
  for (int i = 0; i < a.size(); ++i)
    for (int slot = a.start[i]; slot < a.start[i + 1]; ++slot)
      for (int k = 0; k < 3; ++k)
        out(3 * i + k, 3 * a.column[slot] + k) = out(3 * a.column[slot] + k, 3 * i + k) = a.value[slot];
  return out;
}

// H <- (I - rho s y^T) H (I - rho y s^T) + rho s s^T (X38), Armijo backtracking with the library's constants.
Iterates dense_bfgs(lab::OneStage& stage, MatrixXd inverse, int iterations) {
  const auto evaluate = [&](const VectorXd& x, VectorXd& g) {
    g.resize(x.size());
    return stage.system().problem().evaluate(x.data(), g.data());
  };
  VectorXd x = Eigen::Map<const VectorXd>(stage.stage().guess.data(), inverse.rows()), g, next_g;
  double value = evaluate(x, g).value();
  Iterates out = {{x.begin(), x.end()}};
  for (int i = 0; i < iterations; ++i) {
    const VectorXd d = -(inverse * g);
    const double slope = d.dot(g);
    double alpha = 1;
    Evaluation next;
    for (int halvings = 0; halvings <= 40; ++halvings, alpha /= 2)
      if (next = evaluate(x + alpha * d, next_g); next.value() <= value + 0.3 * alpha * slope + next.round_off())
        break;
    const VectorXd s = alpha * d, y = next_g - g;
    x += s, g = next_g, value = next.value();
    out.push_back({x.begin(), x.end()});
    if (!(s.dot(y) > 1e-12 * s.norm() * y.norm())) continue;
    const double rho = 1 / s.dot(y);
    const VectorXd hy = inverse * y;
    inverse += rho * ((1 + rho * y.dot(hy)) * s * s.transpose() - hy * s.transpose() - s * hy.transpose());
  }
  return out;
}

Iterates observed(lab::OneStage& stage, const lab::Values& params, int iterations) {
  const auto solver = lab::make_solver("quasi_newton", lab::with_double_factor("quasi_newton", params));
  Iterates out;
  solver->observe = [&](const std::vector<double>& y, const IterationRecord&) { out.push_back(y); };
  std::vector<double> y;
  stage.solve(*solver, {.iterations = iterations, .tolerance = 0}, y);
  return out;
}

void run(const Settings& s, Findings& findings) {
  lab::OneStage stage = lab::released_beam(lab::beam_options(s));
  std::vector<double> y;
  const double minimum = stage.minimum(y, 1e-10), start = stage.value(stage.stage().guess);
  const int n = s.integer("iterations");
  const MatrixXd hessian = constant_hessian(stage.system());
  const double diagonal = hessian.trace() / static_cast<double>(hessian.rows());
  const std::vector<std::pair<std::string, Iterates>> runs = {
      {"QN, m = 5", observed(stage, {}, n)},
      {"L-BFGS that forgets nothing", observed(stage, {{"history", std::min(n, 100)}}, n)},
      {"dense BFGS from the constant Hessian", dense_bfgs(stage, hessian.inverse(), n)},
      {"dense BFGS from the identity",
       dense_bfgs(stage, MatrixXd::Identity(hessian.rows(), hessian.rows()) / diagonal, n)},
      {"steepest descent", observed(stage, {{"history", 0}, {"initial_hessian", "scaled_identity"}}, n)}};
  Plot plot = lab::semilogy("Baselines on the released beam", "iteration", "relative error");
  std::vector<double> last, needed;
  for (const auto& [name, iterates] : runs) {
    std::vector<double> errors;
    for (const auto& x : iterates) errors.push_back((stage.value(x) - minimum) / (start - minimum));
    last.push_back(errors.back()), needed.push_back(lab::iterations_to(errors, 1e-6));
    findings.report(name + ": relative error at the end", errors.back());
    findings.report(name + ": iterations to 1 %", lab::iterations_to(errors, 0.01));
    plot.series.push_back(lab::counted(name, errors));
  }
  findings.plot(std::move(plot));
  lab::Worst worst;
  const std::size_t common =
      std::min<std::size_t>(s.integer("compared") + 1, std::min(runs[1].second.size(), runs[2].second.size()));
  for (std::size_t i = 0; i < common; ++i) worst.see(lab::farthest(runs[1].second[i], runs[2].second[i]));
  findings.at_most("dense BFGS and L-BFGS that forgets nothing: largest distance of iterates / length", 1e-9,
                   worst / stage.system().model().size(), fmt::format("{} iterations", common - 1));
  findings.at_most("dense BFGS from the constant Hessian / from the identity: iterations to 1e-6", 1,
                   needed[2] / needed[3]);
  findings.at_most("QN / steepest descent: error at the end", 0.01, last[0] / last[4]);
}

}  // namespace

ExperimentPlugin experiment_ledwon2024_baselines() {
  return {.title = "Steepest descent and dense BFGS on the small beam",
          .source = "ledwon2024",
          .shows = "Algs. 1 and 3",
          .doc = "What the thesis derives and does not run: both baselines against quasi-Newton.",
          .params = lab::beam_params(1e8, 1e-2, 100, 2,
                                     {integer("compared", 15, between(1, 100),
                                              "iterations in which dense and limited memory are compared")}),
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
