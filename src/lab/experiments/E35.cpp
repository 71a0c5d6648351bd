// E35: closed forms of local steps against minimisers that use values or slopes only, on random cases.
//   friction    mu f_n |T(x - x_p)| + w^2/2 |x - z|^2 is minimised by a shrink of the tangential displacement (Brown et al., X25)
//   power law   a beta (r/a)^(p+1) + w^2/2 (r - R)^2, a = alpha dt, has the root of beta (p+1) a^-p r^p + w^2 (r - R) (X20)
//   Eq. 53      beta (delta.grad U - U/a) + w^2/2 |s - s_hat|^2 with a quadratic U in the stretches: one linear system (X21)
//   strain, springs, pins   (k p + w v)/(k + w), as the solver admm uses them (X43, X44)
#include <algorithm>
#include <array>
#include <cmath>

#include "lab/experiment.h"
#include "lab/prox_probe.h"
#include "lab/sampling.h"
#include "lab/worst.h"
#include "potentials/pin.h"
#include "potentials/spring.h"

namespace resilin {
namespace {

using Vec3 = std::array<double, 3>;
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double log_uniform(lab::Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

// Where a rising function changes sign in [low, high], to the last bit.
template <class F>
double bisect(double low, double high, F&& f) {
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (f(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// ---- friction

struct Contact {
  Vec3 z, place, normal;
  double pull, weight;  // mu f_n, w^2
};

Vec3 tangential(const Contact& c, const Vec3& x) {
  Vec3 d;
  for (int k = 0; k < 3; ++k) d[k] = x[k] - c.place[k];
  const double along = dot(d, c.normal);
  for (int k = 0; k < 3; ++k) d[k] -= along * c.normal[k];
  return d;
}

Vec3 shrink(const Contact& c) {
  const Vec3 d = tangential(c, c.z);
  const double length = std::sqrt(dot(d, d)), keep = std::max(0.0, 1 - c.pull / (c.weight * length));
  Vec3 x;
  for (int k = 0; k < 3; ++k) x[k] = c.z[k] - (1 - keep) * d[k];
  return x;
}

double friction_value(const Contact& c, const Vec3& x) {
  const Vec3 d = tangential(c, x);
  double squares = 0;
  for (int k = 0; k < 3; ++k) squares += (x[k] - c.z[k]) * (x[k] - c.z[k]);
  return c.pull * std::sqrt(dot(d, d)) + 0.5 * c.weight * squares;
}

struct Friction {
  lab::Worst worst;          // |shrink - bisection along the ray|, relative
  int lower = 0, wrong = 0;  // random neighbours that lie lower; cases whose sticking contradicts w^2 |d| <= mu f_n
};

void friction_case(lab::Random& random, Friction& out) {
  Contact c;
  double turn[9];
  random.rotation(turn);
  for (int k = 0; k < 3; ++k) c.normal[k] = turn[k], c.z[k] = random.normal(), c.place[k] = random.normal();
  c.weight = log_uniform(random, 1e-3, 1e6);
  const Vec3 d = tangential(c, c.z);
  const double length = std::sqrt(dot(d, d));
  c.pull = c.weight * length * random.uniform(0, 2);
  const Vec3 x = shrink(c), moved = tangential(c, x);
  // f along z - (1 - s) d: pull |d| + w^2 |d|^2 (s - 1) changes sign at the minimum, unless it lies at s = 0.
  const double slope0 = c.pull * length - c.weight * length * length;
  const double s =
      slope0 >= 0 ? 0
                  : bisect(0, 1, [&](double t) { return c.pull * length + c.weight * length * length * (t - 1); });
  out.worst.see(std::abs(std::sqrt(dot(moved, moved)) - s * length) / length);
  if ((s == 0) != (c.weight * length <= c.pull)) ++out.wrong;
  const double value = friction_value(c, x);
  for (int i = 0; i < 6; ++i) {
    Vec3 near = x;
    for (int k = 0; k < 3; ++k) near[k] += 1e-4 * length * random.normal();
    if (!(friction_value(c, near) >= value * (1 - 1e-13))) ++out.lower;
  }
}

// ---- power law

// Newton on the rising function of X20 inside a bracket; closed for p = 0 and p = 1.
double power_root(double beta, double p, double a, double weight, double from) {
  const double k = beta * (p + 1) * std::pow(a, -p);
  if (p == 0) return std::max(0.0, from - k / weight);
  if (p == 1) return weight * from / (weight + k);
  double low = 0, high = from, r = 0.5 * from;
  for (int i = 0; i < 200; ++i) {
    const double f = k * std::pow(r, p) + weight * (r - from);
    (f < 0 ? low : high) = r;
    double next = r - f / (k * p * std::pow(r, p - 1) + weight);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == r) break;
    r = next;
  }
  return r;
}

// The least value of the energy itself, by golden section: derivative-free, in extended precision.
double power_minimum(double beta, double p, double a, double weight, double from) {
  const auto f = [&](long double r) {
    return a * beta * std::pow(r / a, static_cast<long double>(p + 1)) + 0.5L * weight * (r - from) * (r - from);
  };
  const long double golden = 0.5L * (std::sqrt(5.0L) - 1);
  long double low = 0, high = from, x = high - golden * (high - low), y = low + golden * (high - low), fx = f(x),
              fy = f(y);
  for (int i = 0; i < 60; ++i) {
    if (fx <= fy) high = y, y = x, fy = fx, x = high - golden * (high - low), fx = f(x);
    else low = x, x = y, fx = fy, y = low + golden * (high - low), fy = f(y);
  }
  return static_cast<double>(0.5L * (low + high));
}

double power_case(lab::Random& random) {
  const double exponents[] = {0, 0.25, 0.5, 1, 1.5, 2, 3};
  const double p = exponents[random.bits() % 7], a = log_uniform(random, 1e-4, 1e-1),
               from = log_uniform(random, 1e-3, 2);
  const double weight = log_uniform(random, 1e2, 1e8);
  // Neither part vanishes.
  const double beta = weight * from / ((p + 1) * std::pow(from / a, p)) * log_uniform(random, 1e-3, 10);
  return std::abs(power_root(beta, p, a, weight, from) - power_minimum(beta, p, a, weight, from)) / from;
}

// ---- Eq. 53

// U = mu sum (s - 1)^2 + lambda/2 (sum s - 3)^2 has K = 2 mu + lambda 1 1^T: (g K + w) s = g K s_p + w s_hat, g = beta/a, by
// Sherman-Morrison. The value is the printed one; its minimum is found by Newton on its central differences.
double principal_case(lab::Random& random) {
  const double mu = log_uniform(random, 1e2, 1e6), lambda = mu * random.uniform(0, 10),
               a = log_uniform(random, 1e-3, 1e-1);
  const double g = random.uniform(0.1, 3), beta = g * a, weight = mu * log_uniform(random, 0.1, 10);
  Vec3 before, wanted, right;
  for (int k = 0; k < 3; ++k) before[k] = random.uniform(0.5, 1.5), wanted[k] = random.uniform(0.5, 1.5);
  const double sum_before = before[0] + before[1] + before[2], diagonal = 2 * g * mu + weight;
  for (int k = 0; k < 3; ++k) right[k] = g * (2 * mu * before[k] + lambda * sum_before) + weight * wanted[k];
  const double total = right[0] + right[1] + right[2];
  Vec3 s;
  for (int k = 0; k < 3; ++k) s[k] = (right[k] - g * lambda * total / (diagonal + 3 * g * lambda)) / diagonal;

  const auto value = [&](const Vec3& x) {
    const double trace = x[0] + x[1] + x[2] - 3;
    double u = 0.5 * lambda * trace * trace, work = 0, spring = 0;
    for (int k = 0; k < 3; ++k) {
      u += mu * (x[k] - 1) * (x[k] - 1);
      work += (x[k] - before[k]) / a * (2 * mu * (x[k] - 1) + lambda * trace);
      spring += (x[k] - wanted[k]) * (x[k] - wanted[k]);
    }
    return beta * (work - u / a) + 0.5 * weight * spring;
  };
  // The value is quadratic: central differences of any width are exact, and so is one step of the minimiser in each coordinate.
  lab::Worst worst;
  for (int k = 0; k < 3; ++k) {
    Vec3 up = s, down = s;
    up[k] += 0.5, down[k] -= 0.5;
    const double slope = value(up) - value(down), curvature = 4 * (value(up) + value(down) - 2 * value(s));
    worst.see(std::abs(slope / curvature));
  }
  return worst;
}

// ---- the library's own

double own_case(lab::ProxProbe& probe, lab::Random& random) {
  double v[9], z[9];
  for (int i = 0; i < probe.components(); ++i)
    v[i] = random.normal() + (probe.components() == 9 && i % 4 == 0 ? 1 : 0);
  const double weight = probe.stiffness() * log_uniform(random, 0.1, 100);
  probe.solve(v, weight, z);
  double squares = 1;
  for (int i = 0; i < probe.components(); ++i) squares += v[i] * v[i];
  return probe.slope(z, v, weight) / ((weight + probe.stiffness()) * std::sqrt(squares));
}

void run(const Settings& s, Findings& findings) {
  lab::Random random(static_cast<std::uint64_t>(s.integer("seed")));
  const int cases = s.integer("cases");
  Friction friction;
  lab::Worst power, principal;
  for (int i = 0; i < cases; ++i) {
    friction_case(random, friction);
    power.see(power_case(random));
    principal.see(principal_case(random));
  }
  const double bound = 1e-9;
  findings.at_most("friction: |shrink - minimiser| / |d_t|", bound, friction.worst, "X25");
  findings.near("friction: random neighbours that lie lower", 0, friction.lower, 0);
  findings.near("friction: sticks otherwise than w^2 |d_t| <= mu f_n", 0, friction.wrong, 0);
  findings.at_most("power law: |root - minimiser| / R", bound, power, "X20; golden section in extended precision");
  findings.at_most("Eq. 53: |stretch - minimiser|", bound, principal, "X21");
  const double stiffness[1] = {120}, length[1] = {0.8}, place[3] = {0.3, -0.2, 1};
  std::vector<std::pair<std::string, lab::ProxProbe>> own;
  own.emplace_back("strain", lab::prox_probe("arap", {}));
  own.emplace_back("spring", lab::ProxProbe({make_spring(stiffness, length)}));
  own.emplace_back("pin", lab::ProxProbe({make_pin(1e3, place, Motion{})}));
  for (auto& [name, probe] : own) {
    lab::Worst worst;
    for (int i = 0; i < cases; ++i) worst.see(own_case(probe, random));
    findings.at_most(name + ": |slope at the closed form| / (k + w)", bound, worst, "X43, X44");
  }
}

}  // namespace

ExperimentPlugin experiment_E35() {
  return {
      .title = "Closed forms of local steps",
      .source = "brown2018",
      .doc = "Friction, power law, principal strain and projective energies: closed minimisers against searches.",
      .params = {integer("cases", 100000, between(1, 10000000), "random cases of each kind"),
                 integer("seed", 35, between(0, 1000000), "seed of the random cases")},
      .quick = Quick{.set = {{"cases", 5000}}},
      .run = run};
}

}  // namespace resilin
