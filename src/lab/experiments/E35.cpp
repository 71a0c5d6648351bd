// E35: the library's own local steps, those that `admm` takes, against minimisers of the written energies that use
// values or slopes only, on random cases.
//   power law   a beta (r/a)^(p+1) + w/2 (r - R)^2, a = alpha dt (Brown et al., X20): drag on vertices,
//   stretch_rate on tets
//   dry         the same with p = 0 on vertices: c |x - x_p| + w/2 |x - z|^2, a shrink that sticks when w |d| <= c
//   friction    X25: this shrink in the tangent plane with c = mu f_n, with springs that hold what sticks
//   Eq. 53      beta (d . grad U - U/a) + w/2 |s - s_hat|^2 with U quadratic in the stretches (X21):
//   principal_strain on a corotated solid
//   strain, springs, pins   (k p + w v)/(k + w) (X43, X44)
#include "contact/friction/friction.h"
#include "lab/toolkit.h"
#include "potentials/pin.h"
#include "potentials/spring.h"
#include "setup/damping_probe.h"
#include "setup/prox_probe.h"
#include "setup/sampling.h"
#include "simd/pack.h"

namespace resilin {
namespace {

using lab::Worst;
using Points = std::array<std::array<double, 9>, lanes>;  // z of eight elements

double log_uniform(lab::Random& random, double low, double high) {
  return low * std::pow(high / low, random.uniform());
}

double distance(const double* a, const double* b, int n) {
  double squares = 0;
  for (int i = 0; i < n; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

// u diag(s) v^T
void compose(const double u[9], const double s[3], const double v[9], double z[9]) {
  for (int e = 0; e < 9; ++e) {
    z[e] = 0;
    for (int k = 0; k < 3; ++k) z[e] += u[3 * (e / 3) + k] * s[k] * v[3 * (e % 3) + k];
  }
}

// Eight local steps at once, each from its own origin.
void local_steps(lab::ProxProbe& probe, const Points& origin, double tau, const Points& v, double weight,
                 Points& z) {
  const double *from[lanes], *to[lanes];
  for (int l = 0; l < lanes; ++l) from[l] = origin[l].data(), to[l] = v[l].data();
  probe.set_stage(from, tau);
  const int n = probe.components();
  double out[9 * lanes];
  probe.solve_lanes(to, weight, out);
  for (int l = 0; l < lanes; ++l) std::copy_n(out + n * l, n, z[l].data());
}

// ---- power law

struct Power {
  double p, a, weight, beta;
};

// The least value of the energy itself, by golden section: derivative-free, in extended precision.
double power_minimum(const Power& at, double from) {
  const auto f = [&](long double r) {
    return at.a * at.beta * std::pow(r / at.a, static_cast<long double>(at.p + 1)) +
           0.5L * at.weight * (r - from) * (r - from);
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

// Neither part of the energy vanishes at distances near `from`.
Power draw_power(double p, double from, lab::Random& random) {
  Power out{p, log_uniform(random, 1e-4, 1e-1), log_uniform(random, 1e2, 1e8), 0};
  out.beta = out.weight * from / ((p + 1) * std::pow(from / out.a, p)) * log_uniform(random, 1e-3, 10);
  return out;
}

// The library writes R = k/2 |y'|^2 and A^(1-q) R^q, q = (p + 1)/2: beta = A^(1-q) (k/2)^q.
lab::ProxProbe power_probe(const std::string& type, const std::string& coefficient, const Power& at,
                           lab::Random& random) {
  const double q = (at.p + 1) / 2, scale = log_uniform(random, 1e-2, 1e2);
  const double k = 2 * std::pow(at.beta * std::pow(scale, q - 1), 1 / q);
  return lab::ProxProbe(lab::damping_of_one(
      type, {{coefficient, k}, {"power", at.p}, {"power_scale", scale}, {"smoothing", 0.0}, {"separate", true}}));
}

constexpr double exponents[] = {0, 0.25, 0.5, 1, 1.5, 2, 3};
double draw_exponent(lab::Random& random) { return exponents[random.bits() % std::size(exponents)]; }

// How far the step of a vertex is from the minimiser, over the distance to its origin.
void drag_cases(lab::Random& random, Worst& worst) {
  const double from = log_uniform(random, 1e-3, 2);
  const Power at = draw_power(draw_exponent(random), from, random);
  lab::ProxProbe probe = power_probe("drag", "coefficient", at, random);
  Points origin, v, z;
  for (int l = 0; l < lanes; ++l) {
    double turn[9];
    random.rotation(turn);
    for (int k = 0; k < 3; ++k) origin[l][k] = random.normal(), v[l][k] = origin[l][k] + from * turn[k];
  }
  local_steps(probe, origin, at.a, v, at.weight, z);
  const double r = power_minimum(at, from);
  for (int l = 0; l < lanes; ++l) {
    double want[3];
    for (int k = 0; k < 3; ++k) want[k] = origin[l][k] + r / from * (v[l][k] - origin[l][k]);
    worst.see(distance(z[l].data(), want, 3) / from);
  }
}

// The same for tets whose stretch tensors before and wanted share their axes: there the rotation of the minimiser
// is known.
void stretch_cases(lab::Random& random, Worst& worst) {
  const double from = log_uniform(random, 1e-2, 0.5);
  const Power at = draw_power(draw_exponent(random), from, random);
  lab::ProxProbe probe = power_probe("stretch_rate", "viscosity", at, random);
  const double r = power_minimum(at, from);
  Points origin, v, z, want;
  for (int l = 0; l < lanes; ++l) {
    double u[9], turn[9], other[9], direction[9], before[3], after[3], least[3];
    random.rotation(u), random.rotation(turn), random.rotation(other), random.rotation(direction);
    for (int k = 0; k < 3; ++k) {
      before[k] = random.uniform(0.8, 1.5), after[k] = before[k] + from * direction[k];
      least[k] = before[k] + r * direction[k];
    }
    compose(u, before, other, origin[l].data()), compose(u, after, turn, v[l].data());
    compose(u, least, turn, want[l].data());
  }
  local_steps(probe, origin, at.a, v, at.weight, z);
  for (int l = 0; l < lanes; ++l) worst.see(distance(z[l].data(), want[l].data(), 9) / from);
}

// ---- dry

struct Dry {
  Worst worst;               // |step - shrink| / |d|
  int lower = 0, wrong = 0;  // random neighbours that lie lower; cases that stick otherwise than w |d| <= c
};

void dry_cases(lab::Random& random, Dry& out) {
  const double weight = log_uniform(random, 1e-3, 1e6), pull = weight * random.uniform(0, 3),
               tau = log_uniform(random, 1e-4, 1e-1), scale = log_uniform(random, 1e-2, 1e2);
  // R' = sqrt(A R) = sqrt(A k/2) |v|
  lab::ProxProbe probe(lab::damping_of_one(
      "drag",
      {{"coefficient", 2 * pull * pull / scale}, {"power", 0.0}, {"power_scale", scale}, {"smoothing", 0.0}}));
  Points origin, v, z;
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < 3; ++k) origin[l][k] = random.normal(), v[l][k] = random.normal();
  local_steps(probe, origin, tau, v, weight, z);
  for (int l = 0; l < lanes; ++l) {
    const double length = distance(v[l].data(), origin[l].data(), 3),
                 keep = std::max(0.0, 1 - pull / (weight * length));
    const auto value = [&](const double* x) {
      const double moved = distance(x, origin[l].data(), 3), left = distance(x, v[l].data(), 3);
      return pull * moved + 0.5 * weight * left * left;
    };
    double shrunk[3], near[3];
    for (int k = 0; k < 3; ++k) shrunk[k] = origin[l][k] + keep * (v[l][k] - origin[l][k]);
    out.worst.see(distance(z[l].data(), shrunk, 3) / length);
    const bool sticks = distance(z[l].data(), origin[l].data(), 3) == 0;
    // At the very edge rounding decides.
    out.wrong += std::abs(weight * length - pull) > 1e-12 * pull && sticks != (weight * length <= pull);
    const double least = value(z[l].data());
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 3; ++k) near[k] = z[l][k] + 1e-4 * length * random.normal();
      out.lower += !(value(near) >= least * (1 - 1e-13));
    }
  }
}

// ---- friction

// Anchored friction (contact/friction.h) is the Moreau envelope of f |u|: its local step shrinks what is left of
// the tangential part by f/w, as X25, or sticks to the anchor by springs.
void friction_cases(lab::Random& random, Worst& worst) {
  const double weight = log_uniform(random, 1e-3, 1e6), k = weight * log_uniform(random, 0.01, 100);
  FrictionContact contact{
      {random.normal(), random.normal(), random.normal()}, {}, k, weight * random.uniform(0, 3)};
  double turn[9], v[3], z[3];
  random.rotation(turn);
  std::copy_n(turn, 3, contact.normal.begin());
  lab::ProxProbe probe({std::make_shared<Friction>(ElementKind::point, std::vector{contact})});
  for (double& x : v) x = 2 * random.normal();
  probe.solve(v, weight, z);
  const auto d = slip_of(contact, v);
  const double length = std::hypot(d[0], d[1], d[2]);
  const double shrunk = std::max(weight / (weight + k), 1 - contact.limit / (weight * length));
  double wanted[3];
  for (std::size_t i = 0; i < 3; ++i) wanted[i] = v[i] - (1 - shrunk) * d[i];
  worst.see(distance(z, wanted, 3) / length);
}

// ---- Eq. 53

struct Principal {
  double mu, lambda, a, beta, weight;
};

// The value as printed; s_p and s_hat as sorted stretches.
double principal_value(const Principal& of, const double* s, const double* before, const double* wanted) {
  const double trace = s[0] + s[1] + s[2] - 3;
  double u = 0.5 * of.lambda * trace * trace, work = 0, spring = 0;
  for (int k = 0; k < 3; ++k) {
    u += of.mu * (s[k] - 1) * (s[k] - 1);
    work += (s[k] - before[k]) / of.a * (2 * of.mu * (s[k] - 1) + of.lambda * trace);
    spring += (s[k] - wanted[k]) * (s[k] - wanted[k]);
  }
  return of.beta * (work - u / of.a) + 0.5 * of.weight * spring;
}

// How far a minimiser along each coordinate would move the library's stretches. The value is quadratic: central
// differences of any width are exact, and so is that step. What of z is not on the principal axes of v counts too.
void judge_principal(const Principal& of, const double u[9], const double v[9], const double* before,
                     const double* wanted, const double* z, Worst& worst) {
  double s[3], aside = 0;
  for (int e = 0; e < 9; ++e) {
    double entry = 0;  // of u^T z v
    for (int i = 0; i < 9; ++i) entry += u[3 * (i / 3) + e / 3] * z[i] * v[3 * (i % 3) + e % 3];
    if (e % 4 == 0) s[e / 4] = entry;
    else aside += std::abs(entry);
  }
  worst.see(aside);
  for (int k = 0; k < 3; ++k) {
    double up[3], down[3];
    std::copy_n(s, 3, up), std::copy_n(s, 3, down);
    up[k] += 0.5, down[k] -= 0.5;
    const double above = principal_value(of, up, before, wanted), below = principal_value(of, down, before, wanted),
                 here = principal_value(of, s, before, wanted);
    worst.see(std::abs((above - below) / (4 * (above + below - 2 * here))));
  }
}

void principal_cases(lab::Random& random, Worst& worst) {
  Principal of{};
  of.mu = log_uniform(random, 1e2, 1e6), of.lambda = of.mu * random.uniform(0, 10),
  of.a = log_uniform(random, 1e-3, 1e-1), of.beta = of.a * random.uniform(0.1, 3),
  of.weight = of.mu * log_uniform(random, 0.1, 10);
  lab::ProxProbe probe(lab::damping_of_one("principal_strain", {{"beta", of.beta}, {"separate", true}}, "corotated",
                                           {{"mu", of.mu}, {"lambda", of.lambda}}));
  Points origin, v, z;
  double u[lanes][9], turn[lanes][9], before[lanes][3], wanted[lanes][3];
  for (int l = 0; l < lanes; ++l) {
    double aside[9], other[9];
    random.rotation(u[l]), random.rotation(turn[l]), random.rotation(aside), random.rotation(other);
    for (int k = 0; k < 3; ++k) before[l][k] = random.uniform(0.5, 1.5), wanted[l][k] = random.uniform(0.5, 1.5);
    std::sort(before[l], before[l] + 3, std::greater<>()), std::sort(wanted[l], wanted[l] + 3, std::greater<>());
    compose(aside, before[l], other, origin[l].data()), compose(u[l], wanted[l], turn[l], v[l].data());
  }
  local_steps(probe, origin, of.a, v, of.weight, z);
  for (int l = 0; l < lanes; ++l) judge_principal(of, u[l], turn[l], before[l], wanted[l], z[l].data(), worst);
}

// ---- strain, springs, pins

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
  Dry dry;
  Worst drag, stretch, principal, friction;
  for (int i = 0; i < cases; i += lanes) {
    dry_cases(random, dry);
    drag_cases(random, drag), stretch_cases(random, stretch);
    principal_cases(random, principal);
    friction_cases(random, friction);
  }
  const double bound = 1e-9;
  findings.at_most("dry drag: |step - shrink| / |d|", bound, dry.worst, "X25 without a tangent plane");
  findings.near("dry drag: random neighbours that lie lower", 0, dry.lower, 0);
  findings.near("dry drag: sticks otherwise than w |d| <= c", 0, dry.wrong, 0);
  findings.at_most("friction: |step - closed form| / |d|", bound, friction,
                   "X25 with springs that hold what sticks");
  findings.at_most("power law, drag: |step - minimiser| / R", bound, drag,
                   "X20; golden section in extended precision");
  findings.at_most("power law, stretch_rate: |step - minimiser| / R", bound, stretch,
                   "X20; stretches before and wanted on the same axes");
  findings.at_most("Eq. 53, principal_strain: |stretch - minimiser|", bound, principal, "X21");
  const double stiffness[1] = {120}, length[1] = {0.8}, place[3] = {0.3, -0.2, 1};
  std::vector<std::pair<std::string, lab::ProxProbe>> own;
  own.emplace_back("strain", lab::prox_probe("arap", {}));
  own.emplace_back("spring", lab::ProxProbe({make_spring(stiffness, length)}));
  own.emplace_back("pin", lab::ProxProbe({make_pin(1e3, place, Motion{})}));
  for (auto& [name, probe] : own) {
    Worst worst;
    for (int i = 0; i < cases; ++i) worst.see(own_case(probe, random));
    findings.at_most(name + ": |slope at the closed form| / (k + w)", bound, worst, "X43, X44");
  }
}

}  // namespace

ExperimentPlugin experiment_E35() {
  return {
      .title = "Closed forms of local steps",
      .source = "brown2018",
      .doc = "The library's local steps of powers, dry drag, principal strain and strain against searches.",
      .params = {integer("cases", 100000, between(1, 10000000), "random cases of each kind, in groups of eight"),
                 integer("seed", 35, between(0, 1000000), "seed of the random cases")},
      .quick = Quick{.set = {{"cases", 5000}}},
      .run = run};
}

}  // namespace resilin
