// E93: the secant pairs of the quasi-Newton solver, by themselves. The two-loop recursion equals the dense BFGS
// inverse
//   H <- (1 - rho s t^T) H (1 - rho t s^T) + rho s s^T                         (X38)
// on random pairs; on a convex quadratic with exact line search and m >= n it ends in n + 1 iterations;
// Rosenbrock's function is minimised from the classical start.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 about its own AVX-512 header inside Eigen
#include <Eigen/Dense>

#include "core/thread_pool.h"
#include "lab/toolkit.h"
#include "solvers/descent/lbfgs.h"

namespace resilin {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool push(Lbfgs& pairs, const VectorXd& y, const VectorXd& y_next, const VectorXd& g, const VectorXd& g_next,
          ThreadPool& pool) {
  const ComponentSet whole = ComponentSet::whole(y.size());
  Vectors vectors(whole, pool);
  return pairs.push(y.data(), y_next.data(), g.data(), g_next.data(), vectors);
}

VectorXd direction(Lbfgs& pairs, const VectorXd& g, ThreadPool& pool) {
  const ComponentSet whole = ComponentSet::whole(g.size());
  Vectors vectors(whole, pool);
  VectorXd d(g.size());
  pairs.direction(g.data(), d.data(), vectors, [](const double*, double*) {});  // initial Hessian 1, in place
  return d;
}

VectorXd random_vector(int n, lab::Random& random) {
  VectorXd x(n);
  for (int i = 0; i < n; ++i) x[i] = random.normal();
  return x;
}

MatrixXd random_spd(int n, double condition, lab::Random& random) {
  MatrixXd a(n, n);
  for (int i = 0; i < n * n; ++i) a.data()[i] = random.normal();
  const MatrixXd q = Eigen::HouseholderQR<MatrixXd>(a).householderQ();
  VectorXd values(n);
  for (int i = 0; i < n; ++i) values[i] = std::pow(condition, n > 1 ? static_cast<double>(i) / (n - 1) : 0);
  return q * values.asDiagonal() * q.transpose();
}

double dense_difference(const Settings& s, ThreadPool& pool) {
  lab::Random random(s.integer("seed"));
  const int n = s.integer("size"), m = s.integer("history");
  lab::Worst worst;
  for (int trial = 0; trial < s.integer("trials"); ++trial) {
    const MatrixXd a = random_spd(n, s.number("condition"), random);
    Lbfgs pairs(m);
    std::vector<VectorXd> step, change;
    for (int k = 0; k < m + 3; ++k) {  // the oldest fall out
      const VectorXd x = random_vector(n, random), t = a * x, zero = VectorXd::Zero(n);
      if (push(pairs, zero, x, zero, t, pool)) step.push_back(x), change.push_back(t);
    }
    MatrixXd h = MatrixXd::Identity(n, n);
    for (std::size_t k = step.size() - std::min<std::size_t>(step.size(), m); k < step.size(); ++k) {
      const double rho = 1 / step[k].dot(change[k]);
      const MatrixXd left = MatrixXd::Identity(n, n) - rho * step[k] * change[k].transpose();
      h = left * h * left.transpose() + rho * step[k] * step[k].transpose();
    }
    const VectorXd g = random_vector(n, random), want = -(h * g);
    worst.see((direction(pairs, g, pool) - want).norm() / want.norm());
  }
  return worst;
}

// Iterations until |g| <= 1e-9 |g_0|, at most 10 n.
int quadratic_iterations(const Settings& s, ThreadPool& pool) {
  lab::Random random(s.integer("seed") + 1);
  const int n = s.integer("size");
  int worst = 0;
  for (int trial = 0; trial < s.integer("trials"); ++trial) {
    const MatrixXd a = random_spd(n, s.number("condition"), random);
    Lbfgs pairs(n);
    VectorXd x = random_vector(n, random), g = a * x;
    const double first = g.norm();
    int k = 0;
    for (; k < 10 * n && g.norm() > 1e-9 * first; ++k) {
      const VectorXd d = direction(pairs, g, pool);
      const double alpha = -g.dot(d) / d.dot(a * d);  // exact
      const VectorXd moved = x + alpha * d, next = a * moved;
      push(pairs, x, moved, g, next, pool);
      x = moved, g = next;
    }
    worst = std::max(worst, k);
  }
  return worst;
}

struct Valley {
  int iterations = 0;
  double distance = 0;
};

// sum 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2 with Armijo backtracking.
Valley rosenbrock(int n, ThreadPool& pool) {
  const auto value = [&](const VectorXd& x, VectorXd& g) {
    g.setZero(n);
    double f = 0;
    for (int i = 0; i + 1 < n; ++i) {
      const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
      f += 100 * a * a + b * b;
      g[i] += -400 * a * x[i] - 2 * b, g[i + 1] += 200 * a;
    }
    return f;
  };
  VectorXd x(n), g(n), trial_g(n);
  for (int i = 0; i < n; ++i) x[i] = i % 2 == 0 ? -1.2 : 1;
  Lbfgs pairs(5);
  double f = value(x, g);
  Valley out;
  for (; out.iterations < 2000 && g.norm() > 1e-10; ++out.iterations) {
    const VectorXd d = direction(pairs, g, pool);
    double alpha = out.iterations == 0 ? 1 / g.norm() : 1, next = 0;
    VectorXd trial(n);
    for (int halvings = 0; halvings < 60; ++halvings, alpha /= 2) {
      trial = x + alpha * d;
      next = value(trial, trial_g);
      if (next <= f + 1e-4 * alpha * g.dot(d)) break;
    }
    push(pairs, x, trial, g, trial_g, pool);
    x = trial, g = trial_g, f = next;
  }
  out.distance = (x - VectorXd::Ones(n)).norm();
  return out;
}

void run(const Settings& s, Findings& findings) {
  ThreadPool pool(1);
  findings.at_most("two-loop recursion against the dense BFGS inverse, relative", 1e-10, dense_difference(s, pool));
  findings.at_most("convex quadratic, m >= n, exact line search: iterations", s.integer("size") + 1,
                   quadratic_iterations(s, pool), "until |g| <= 1e-9 |g_0|; the most of all trials");
  for (const int n : {2, s.integer("valley_size")}) {
    const Valley valley = rosenbrock(n, pool);
    const std::string what = "Rosenbrock, n = " + std::to_string(n) + ": ";
    findings.at_most(what + "distance from the minimum", 1e-8, valley.distance);
    findings.report(what + "iterations", valley.iterations);
  }
}

}  // namespace

ExperimentPlugin experiment_E93() {
  return {.title = "L-BFGS by itself: dense inverse, finite termination, Rosenbrock",
          .source = "oracle",
          .doc = "Secant pairs of quasi-Newton against dense BFGS and problems with known minima.",
          .params = {integer("size", 12, between(2, 60), "unknowns n of the quadratics"),
                     integer("history", 5, between(1, 50), "pairs kept in the comparison with the dense inverse"),
                     number("condition", "", 30, {1, 1e4, false, false}, "condition number of the quadratics"),
                     integer("trials", 20, between(1, 10000), "random quadratics"),
                     integer("valley_size", 4, between(2, 100),
                             "unknowns of the larger Rosenbrock function; above 4 it has a second minimum"),
                     integer("seed", 1, at_least(0), "seed of the random numbers")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
