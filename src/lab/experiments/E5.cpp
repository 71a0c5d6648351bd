// E5: the stiffness k of Liu et al. Eq. 11 for the eight rows of X45, against closed forms on any interval [low,
// high], and its limit lambda + 2 mu when the interval shrinks to 1. k = int (x - 1) f dx / int (x - 1)^2 dx.
#include "lab/toolkit.h"
#include "setup/probe.h"

namespace resilin {
namespace {

// int (x - 1)^n over the interval.
double moment(int n, double low, double high) {
  return (std::pow(high - 1, n + 1) - std::pow(low - 1, n + 1)) / (n + 1);
}

// Mean slopes of the parts that the stresses are made of; each is int (x - 1) f / int (x - 1)^2.
struct Slopes {
  double cubic, quartic, reciprocal, logarithm;
};
Slopes slopes(double low, double high) {
  const double m2 = moment(2, low, high);
  const auto reciprocal = [](double x) { return x * x * x / 3 - x * x / 2 - x + std::log(x); };  // (x - 1)(x - 1/x)
  const auto logarithm = [](double x) {
    return x * std::log(x) - x - std::log(x) * std::log(x) / 2;
  };                                                                      // (x - 1) ln x / x
  return {2 + 3 * moment(3, low, high) / m2 + moment(4, low, high) / m2,  // f = x (x^2 - 1)
          4 * moment(4, low, high) / m2,                                  // f = 4 (x - 1)^3
          (reciprocal(high) - reciprocal(low)) / m2, (logarithm(high) - logarithm(low)) / m2};
}

struct Entry {
  std::string material;
  lab::Values params;
  double expected, rest;  // k on the interval; lambda + 2 mu
  double curvature;       // of k in the half width d: rest (1 + curvature d^2), for the limit
};

std::vector<Entry> entries(const Settings& s, double low, double high) {
  const double mu = s.number("mu"), lambda = s.number("lambda"), k = s.number("stiffness");
  const double c1 = s.number("c1"), c2 = s.number("c2"), c3 = s.number("c3");
  const Slopes f = slopes(low, high);
  const lab::Values lame = {{"mu", mu}, {"lambda", lambda}};
  const double p = 2 * mu + lambda, mr = c1 + 2 * c2;
  return {{"corotated", lame, p, p, 0},
          {"st_venant_kirchhoff", lame, (mu + lambda / 2) * f.cubic, p, 0.3},
          {"neo_hookean", lame, mu * f.reciprocal + lambda * f.logarithm, p, (0.6 * mu + 1.1 * lambda) / p},
          {"mooney_rivlin",
           {{"c1", c1}, {"c2", c2}, {"c3", c3}},
           2 * mr * f.reciprocal + 2 * c3,
           4 * mr + 2 * c3,
           1.2 * mr / (4 * mr + 2 * c3)},
          {"fixed_corotated", lame, p, p, 0},
          {"simplified_neo_hookean", lame, 2 * mu + lambda, p, 0},
          {"arap", {{"stiffness", k}}, k, k, 0},
          {"polynomial", {{"mu", mu}}, mu * f.quartic, 0, 0}};
}

double fitted(const Entry& e, double low, double high) {
  lab::Values params = e.params;
  params.emplace_back("fit_interval", Value::List{low, high});
  return lab::probe(e.material, params).stiffness();
}

void run(const Settings& s, Findings& findings) {
  const double low = s.number("low"), high = s.number("high"), d = s.number("shrunk");
  if (!(low < high)) s.value("high").fail("must be above low");
  for (const Entry& e : entries(s, low, high)) {
    findings.relative(e.material + ": k on the interval", e.expected, fitted(e, low, high), 1e-6);
    const double limit = fitted(e, 1 - d, 1 + d);
    if (e.rest == 0) {  // the polynomial has no stiffness at rest: k falls like d^2
      findings.near(e.material + ": k(interval -> 1) / mu", 0, limit / s.number("mu"), 2.4 * d * d * (1 + 1e-6));
      continue;
    }
    // 1e-4 at d = 0.01, more only where the exact expansion in d says so (lambda > 14 mu).
    findings.relative(e.material + ": k(interval -> 1) = lambda + 2 mu", e.rest, limit,
                      d * d * std::max(1.0, 1.01 * e.curvature));
  }
  if (low != 0.5 || high != 1.5) return;
  const Slopes f = slopes(low, high);  // the printed coefficients of X45
  findings.near("printed: StVK 2.15", 2.15, f.cubic, 1e-6);
  findings.near("printed: neo-Hookean 2.183347 mu", 2.183347, f.reciprocal, 1e-6);
  findings.near("printed: neo-Hookean 1.353561 lambda", 1.353561, f.logarithm, 1e-6);
  findings.near("printed: polynomial 0.6 mu", 0.6, f.quartic, 1e-6);
}

}  // namespace

ExperimentPlugin experiment_E5() {
  return {
      .title = "Stiffness fit of the constant Hessian",
      .source = "liu2017",
      .doc = "k of Eq. 11 for the eight materials of correction X45, closed form on any interval.",
      .params = {number("mu", "Pa", 3.85e5, positive(), "shear modulus; also of the polynomial"),
                 number("lambda", "Pa", 5.77e5, at_least(0), "first Lame constant"),
                 number("c1", "Pa", 1.6e5, positive(), "Mooney-Rivlin"),
                 number("c2", "Pa", 2e4, at_least(0), "Mooney-Rivlin"),
                 number("c3", "Pa", 6.7e5, at_least(0), "Mooney-Rivlin"),
                 number("stiffness", "Pa", 1e6, positive(), "k of PD strain"),
                 number("low", "", 0.5, between(0.12, 10), "start of the interval; above the extension below J0"),
                 number("high", "", 1.5, between(0.12, 10), "end of the interval"),
                 number("shrunk", "", 0.01, between(1e-4, 0.1),
                        "half width d of the interval that stands for the limit")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
