// E73: derivatives by central differences, energy -> gradient and gradient -> second derivative, for every
// registered material and obstacle with random parameters, for fibres, springs and soft pins, and for the whole
// objective of a scene that has them all. Degenerate stretches included: equal, zero, and s_i + s_j small where the
// energy is smooth; where it has a kink (energies of signed stretches at s_i = -s_j) the derivatives must stay
// finite. Whichever of these has a compliant form (PBD, XPBD): constraint -> gradient, and the form is the energy.
// Every registered damping model on every kind of element that it damps, as it is and with every decorator:
// R -> dR/dz, R -> dR/dz', dR/dz' -> d2R/dz'2 and S -> dS/dz. Whoever registers one more has it tested here.
#include "contact/obstacles/obstacle_potential.h"
#include "lab/statics.h"
#include "lab/toolkit.h"
#include "potentials/compliant_materials.h"
#include "potentials/fibre.h"
#include "potentials/pin.h"
#include "potentials/spring.h"
#include "setup/damping_probe.h"
#include "setup/probe.h"
#include "setup/sampling.h"

namespace resilin {
namespace {

struct Worst {
  lab::Worst gradient, hessian, constraint, form;  // the last two of compliant forms
  bool finite = true, constrains = false;
};

// Of the compliant form, if there is one. A constraint is a length or |F - R| or the like, whose gradient is of
// size one.
void compare_constraints(lab::Probe& probe, const double* z, int n, double scale, double step, bool smooth,
                         Worst& worst) {
  const lab::Constraints at = probe.constrain(z);
  if (at.count == 0) return;
  worst.constrains = true;
  const double energy = probe.evaluate(z, 0);
  worst.form.see(std::abs(at.energy() - energy) / std::max(scale, std::abs(energy)));
  for (int j = 0; j < at.count; ++j) {
    worst.finite = worst.finite && std::isfinite(at.value[j]) && at.stiffness[j] >= 0;
    for (int i = 0; i < n; ++i) worst.finite = worst.finite && std::isfinite(at.gradient[j][i]);
  }
  for (int i = 0; i < n && smooth; ++i) {
    double moved[9];
    std::copy_n(z, n, moved);
    const auto at_moved = [&](double by) { return moved[i] = z[i] + by, probe.constrain(moved); };
    const lab::Constraints up = at_moved(step), down = at_moved(-step);
    for (int j = 0; j < at.count; ++j) {
      double size = 1;
      for (int k = 0; k < n; ++k) size = std::max(size, std::abs(at.gradient[j][k]));
      worst.constraint.see(std::abs((up.value[j] - down.value[j]) / (2 * step) - at.gradient[j][i]) / size);
    }
  }
}

// `scale`: the size of a stress of strain one, so that errors at rest are measured against something.
void compare(lab::Probe& probe, const double* z, int n, double scale, double step, bool smooth, Worst& worst) {
  double gradient[9], hessian[9][9];
  lab::Worst size1 = scale, size2 = scale;
  probe.evaluate(z, 2);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      hessian[i][j] = probe.hessian(i, j);
      worst.finite = worst.finite && std::isfinite(hessian[i][j]);
      size2.see(std::abs(hessian[i][j]));
    }
  const double psi = probe.evaluate(z, 1);
  for (int i = 0; i < n; ++i) {
    gradient[i] = probe.gradient()[i];
    worst.finite = worst.finite && std::isfinite(gradient[i]) && std::isfinite(psi);
    size1.see(std::abs(gradient[i]));
  }
  compare_constraints(probe, z, n, scale, step, smooth, worst);
  if (!smooth) return;
  for (int i = 0; i < n; ++i) {
    double at[9], energy[2], side[2][9];
    for (int k = 0; k < 2; ++k) {
      std::copy_n(z, n, at);
      at[i] += k == 0 ? step : -step;
      energy[k] = probe.evaluate(at, 1);
      std::copy_n(probe.gradient(), n, side[k]);
    }
    worst.gradient.see(std::abs((energy[0] - energy[1]) / (2 * step) - gradient[i]) / size1);
    for (int j = 0; j < n; ++j)
      worst.hessian.see(std::abs((side[0][j] - side[1][j]) / (2 * step) - hessian[i][j]) / size2);
  }
}

void add_rows(const std::string& what, const Worst& worst, Findings& findings) {
  findings.at_most(what + ": energy -> gradient", 1e-7, worst.gradient);
  findings.at_most(what + ": gradient -> second derivative", 1e-6, worst.hessian);
  if (worst.constrains) {
    findings.at_most(what + ": compliant form -> energy", 1e-9, worst.form);
    findings.at_most(what + ": constraint -> gradient", 1e-7, worst.constraint);
  }
  findings.holds(what + ": all finite", worst.finite);
}

void study_materials(const Settings& s, Findings& findings) {
  lab::Random random(s.integer("seed"));
  std::vector<std::string> labels;
  std::vector<Worst> regular, degenerate;
  for (int draw = 0; draw < s.integer("draws"); ++draw) {
    auto draws = lab::draw_materials(random);
    // Once as they are by default: a drawn Poisson ratio below zero has no compliant form.
    for (lab::MaterialDraw& of : draws)
      if (draw == 0 && of.label == of.material) of.params.clear();
    labels.resize(draws.size()), regular.resize(draws.size()), degenerate.resize(draws.size());
    for (std::size_t m = 0; m < draws.size(); ++m) {
      labels[m] = draws[m].label;
      lab::Probe probe = lab::probe(draws[m].material, draws[m].params);
      const bool smooth_in_f = probe.potential().reads(1) == Reads::coordinates;  // written by invariants
      // Scaled by the smallest stretch. Where the second derivative has corners, as at a knot at s = 0, central
      // differences are only of first order in the step.
      const double step = s.number("difference") * s.number("low") * (draws[m].knots ? 0.01 : 1);
      for (const lab::Stretching kind : lab::all_stretchings)
        for (int n = 0; n < s.integer("samples"); ++n) {
          double z[9];
          lab::draw_matrix(kind, s.number("low"), s.number("high"), random, z);
          const bool plain = kind == lab::Stretching::upright || kind == lab::Stretching::inverted;
          compare(probe, z, 9, probe.stiffness(), step, smooth_in_f || !lab::on_the_kink(kind),
                  plain ? regular[m] : degenerate[m]);
        }
    }
  }
  const auto forms = std::count_if(regular.begin(), regular.end(), [](const Worst& one) { return one.constrains; });
  findings.near("materials with a compliant form", static_cast<double>(compliant_materials().size()),
                static_cast<double>(forms), 0);
  for (std::size_t m = 0; m < labels.size(); ++m) {
    add_rows(labels[m], regular[m], findings);
    add_rows(labels[m] + ", degenerate stretches", degenerate[m], findings);
  }
}

void study_others(const Settings& s, Findings& findings) {
  lab::Random random(s.integer("seed") + 1);
  Worst fibre, spring, pin;
  const double step = s.number("difference");
  for (int n = 0; n < s.integer("draws") * s.integer("samples"); ++n) {
    const double k = std::pow(10, random.uniform(0, 6)), length = random.uniform(0.1, 2);
    const std::array<double, 3> direction = {random.normal(), random.normal(), random.normal()};
    lab::Probe fibres(make_fibre(std::span(&k, 1), std::span(&direction, 1)));
    for (const auto kind :
         {lab::Stretching::upright, lab::Stretching::inverted, lab::Stretching::two_equal, lab::Stretching::flat}) {
      double z[9];
      lab::draw_matrix(kind, s.number("low"), s.number("high"), random, z);
      compare(fibres, z, 9, k, step, true, fibre);
    }
    double z[3], target[3];
    for (int i = 0; i < 3; ++i) z[i] = random.normal(), target[i] = random.normal();
    lab::Probe springs(make_spring(std::span(&k, 1), std::span(&length, 1)));
    const double stretched = std::hypot(z[0], z[1], z[2]);
    compare(springs, z, 3, k, step * stretched, stretched > 1e-2, spring);
    lab::Probe pins(make_pin(k, target, {}));
    compare(pins, z, 3, k, step, true, pin);
  }
  add_rows("fibre", fibre, findings), add_rows("spring", spring, findings), add_rows("soft pin", pin, findings);

  for (const auto& entry : registry<ObstaclePlugin>()) {
    Worst worst;
    for (int n = 0; n < s.integer("samples"); ++n) {
      const auto obstacle = lab::draw_obstacle(entry.plugin, random);
      const double k = std::pow(10, random.uniform(0, 6));
      lab::Probe probe(make_obstacle_potential(obstacle, k));
      double z[3];
      if (n % 2 == 0) lab::draw_inside(*obstacle, random, z);
      else
        for (double& x : z) x = random.normal();
      // At the touching point the second derivative jumps, by definition of the energy.
      compare(probe, z, 3, k, step, lab::smooth_at(*obstacle, z, step), worst);
    }
    add_rows("obstacle " + entry.name, worst, findings);
  }
}

// ---- damping

struct DampingErrors {
  lab::Worst by_z, by_rate, curvature, stage;
  bool finite = true;
};

// A state as a stage meets it: a rate of size one, and stretches above one, where the stiffness of the material is
// positive definite and its projection has no corner. They are apart from each other: near equal ones their axes
// turn too fast for differences.
void draw_state(const Settings& s, int n, lab::Random& random, double* z, double* rate) {
  double u[9], v[9], stretch[3];
  random.rotation(u), random.rotation(v);
  for (int k = 0; k < 3; ++k) stretch[k] = 1 + (s.number("high") - 1) / 3 * (k + random.uniform(0, 0.8));
  for (int i = 0; i < n; ++i) {
    z[i] = 0, rate[i] = random.normal();
    for (int k = 0; k < 3; ++k) z[i] += u[3 * (i / 3) + k] * stretch[k] * v[3 * (i % 3) + k];
  }
}

// f is a function of x [n]; `gradient` what it should be.
template <class F>
void difference(const double* x, int n, double step, const double* gradient, double scale, lab::Worst& worst,
                F&& f) {
  for (int i = 0; i < n; ++i) {
    double moved[9];
    std::copy_n(x, n, moved);
    moved[i] = x[i] + step;
    const double up = f(moved);
    moved[i] = x[i] - step;
    worst.see(std::abs((up - f(moved)) / (2 * step) - gradient[i]) / scale);
  }
}

double largest(const double* x, int n) {
  lab::Worst out = 1e-300;
  for (int i = 0; i < n; ++i) out.see(std::abs(x[i]));
  return out;
}

void compare_damping(lab::DampingProbe& probe, const Settings& s, bool exact_curvature, lab::Random& random,
                     DampingErrors& errors) {
  const int n = probe.size();
  const double step = s.number("difference"), tau = 0.1;
  double z[9], rate[9], origin[9], velocity[9], by_z[9], by_rate[9], h[81], g[9];
  draw_state(s, n, random, z, rate);
  probe.rate(z, rate, by_z, by_rate);
  probe.curvature(z, rate, h);
  // Against the force of a rate of one, so that a rate that hardly damps is measured against something.
  const double size = std::max({largest(by_z, n), largest(by_rate, n), largest(h, n * n)});
  difference(z, n, step, by_z, size, errors.by_z, [&](double* x) { return probe.rate(x, rate, nullptr, nullptr); });
  difference(rate, n, step, by_rate, size, errors.by_rate,
             [&](double* x) { return probe.rate(z, x, nullptr, nullptr); });
  for (int j = 0; j < n && exact_curvature; ++j)
    difference(rate, n, step, h + n * j, largest(h, n * n), errors.curvature, [&](double* x) {
      double force[9];
      probe.rate(z, x, nullptr, force);
      return force[j];
    });
  for (int i = 0; i < n; ++i) origin[i] = z[i] - tau * rate[i], velocity[i] = rate[i] + 0.3 * random.normal();
  probe.stage(z, origin, velocity, tau, g);
  // S bends over lengths of tau times the rate.
  difference(z, n, step * tau, g, std::max(size, largest(g, n)), errors.stage,
             [&](double* x) { return probe.stage(x, origin, velocity, tau, nullptr); });
}

// Rank-deficient and inverted states: only finite.
void degenerate_damping(lab::DampingProbe& probe, const Settings& s, lab::Random& random, DampingErrors& errors) {
  const int n = probe.size();
  for (const lab::Stretching kind : lab::all_stretchings) {
    double z[9], rate[9], by_z[9], by_rate[9], h[81];
    lab::draw_matrix(kind, s.number("low"), s.number("high"), random, z);
    for (double& x : rate) x = random.normal();
    errors.finite = errors.finite && std::isfinite(probe.rate(z, rate, by_z, by_rate));
    probe.curvature(z, rate, h);
    for (int i = 0; i < n * n; ++i)
      errors.finite = errors.finite && std::isfinite(h[i]) && std::isfinite(by_z[i % n]);
    for (int i = 0; i < n; ++i) errors.finite = errors.finite && std::isfinite(by_rate[i]);
  }
}

void study_damping(const Settings& s, Findings& findings) {
  lab::Random random(s.integer("seed") + 3);
  std::vector<std::pair<std::string, DampingErrors>> models;
  for (int draw = 0; draw < s.integer("draws"); ++draw)
    for (const lab::DampingDraw& of : lab::draw_dampings(random)) {
      auto at = std::find_if(models.begin(), models.end(), [&](const auto& one) { return one.first == of.label; });
      if (at == models.end()) at = models.insert(at, {of.label, {}});
      lab::DampingProbe probe(lab::damping_on(of.kind, of.type, of.params));
      // A spline of rates leaves its own slope out of the curvature, which may be negative.
      const bool exact = Value(of.params).dump().find("strain_rate") == std::string::npos;
      for (int n = 0; n < s.integer("samples"); ++n) compare_damping(probe, s, exact, random, at->second);
      degenerate_damping(probe, s, random, at->second);
    }
  for (const auto& [label, errors] : models) {
    findings.at_most(label + ": R -> dR/dz", 1e-7, errors.by_z);
    findings.at_most(label + ": R -> dR/dz'", 1e-7, errors.by_rate);
    findings.at_most(label + ": dR/dz' -> d2R/dz'2", 1e-6, errors.curvature);
    findings.at_most(label + ": S -> dS/dz", 1e-7, errors.stage);
    findings.holds(label + ": all finite", errors.finite);
  }
}

// A beam of neo-Hookean tets with fibres, some springs, soft pins, every obstacle (as it is by default: the beam is
// about the origin), and hard pins.
Model everything() {
  const TetMesh mesh = lab::distorted_box({.size = {2, 1, 1}, .cells = {4, 2, 2}}, 0.2, 3);
  Model model = lab::solid(mesh, 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.35}});
  lab::add_fibre(model, 0, 5e4, {1, 2, 0.5});
  const std::vector<int> edges = {3, 20, 7, 31, 12, 40};
  const std::vector<double> stiffness = {1e4, 2e4, 3e4}, length = {0.4, 0.7, 1.1};
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(stiffness, length)}});
  const std::vector<int>& soft = mesh.vertex_groups.at("x_max");
  std::vector<double> target;
  for (const int v : soft)
    for (int k = 0; k < 3; ++k) target.push_back(mesh.vertices[3 * v + k] + (k == 0 ? 0.1 : 0));
  model.terms.push_back({"soft pins", Elements::points(soft), {make_pin(2e4, target, {})}});
  for (const auto& [name, plugin] : registry<ObstaclePlugin>()) lab::add_obstacle(model, name, plugin.example, 3e4);
  lab::pin(model, mesh.vertex_groups.at("x_min"));
  return model;
}

void study_objective(const Settings& s, Findings& findings) {
  lab::Random random(s.integer("seed") + 2);
  Model model = everything();
  std::vector<double> q = lab::twisted(model.rest, 60), still(q.size(), 0.0);
  for (const int v : model.pins[0].vertices) std::copy_n(&model.rest[3 * v], 3, &q[3 * v]);
  lab::OneStage one(std::move(model), q, still, 0.02);
  DynamicSystem& system = one.system();
  SymmetricMatrix matrix = system.problem().linearise(system.space().rest().data()).pattern();
  const std::size_t n = q.size();
  std::vector<double> g(n), side(n), y(n), d(n), reduced(3 * system.space().free_rows()), product(reduced.size());
  lab::Worst first, second;
  const double step = s.number("difference");
  for (int draw = 0; draw < s.integer("samples"); ++draw) {
    for (std::size_t i = 0; i < n; ++i) {
      const int f = system.space().free_index()[i / 3];
      y[i] = q[i] + (f < 0 ? 0 : 0.02 * random.normal());
      d[i] = f < 0 ? 0 : random.normal();
      if (f >= 0) reduced[3 * f + i % 3] = d[i];
    }
    system.problem().evaluate(y.data(), g.data());
    system.problem().linearise(y.data()).assemble(matrix, false);
    matrix.multiply(reduced.data(), product.data());
    lab::Worst error, largest;
    double slope = 0, energy[2], size = 0;
    std::vector<double> difference(n, 0.0);
    for (int k = 0; k < 2; ++k) {
      const double sign = k == 0 ? 1 : -1;
      std::vector<double> at = y;
      for (std::size_t i = 0; i < n; ++i) at[i] += sign * step * d[i];
      energy[k] = system.problem().evaluate(at.data(), side.data()).value();
      for (std::size_t i = 0; i < n; ++i) difference[i] += sign * side[i] / (2 * step);
    }
    for (std::size_t i = 0; i < n; ++i) {
      slope += g[i] * d[i], size += std::abs(g[i] * d[i]);
      const int f = system.space().free_index()[i / 3];
      if (f < 0) continue;
      const double want = product[3 * f + i % 3];
      error.see(std::abs(difference[i] - want)), largest.see(std::abs(want));
    }
    first.see(std::abs((energy[0] - energy[1]) / (2 * step) - slope) / size);
    second.see(error / largest);
  }
  findings.at_most("whole objective: energy -> gradient", 1e-7, first,
                   "tets with fibres, springs, soft and hard pins, obstacles, inertia");
  findings.at_most("whole objective: gradient -> second derivative", 1e-6, second);
}

void run(const Settings& s, Findings& findings) {
  study_materials(s, findings), study_others(s, findings);
  study_damping(s, findings), study_objective(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E73() {
  return {.title = "Derivatives of every energy by finite differences",
          .source = "oracle",
          .doc = "Central differences of every registered material, obstacle, damping model and compliant form.",
          .params = {integer("draws", 4, between(1, 1000), "random parameter sets of each energy"),
                     integer("samples", 20, between(1, 100000), "deformations of each kind and parameter set"),
                     number("low", "", 0.35, between(0.3, 1), "smallest stretch"),
                     number("high", "", 2, between(1, 2.5), "largest stretch"),
                     number("difference", "", 1e-5, {1e-7, 1e-3, false, false},
                            "step of the central differences; the bounds are for 1e-5"),
                     integer("seed", 1, at_least(0), "seed of the samples")},
          .quick = Quick{.set = {{"draws", 2}}},
          .run = run};
}

}  // namespace resilin
