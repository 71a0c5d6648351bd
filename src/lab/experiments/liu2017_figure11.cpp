// Fig. 11 of Liu et al. 2017: the stress of the polynomial material a(x) = mu (x - 1)^4, piecewise linear by two
// constraints of projective dynamics, PD strain and a strain limit. The limit damps while it is not active, because
// it stands in the constant matrix all the same. That is an error of few iterations, not of the energy: it vanishes
// as projective dynamics converges.
#include "lab/stretches.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr double knee = 0.3;   // strain at which the second constraint sets in
constexpr double reach = 0.5;  // strain up to which the polynomial is approximated

// f = 4 mu e^3 at the knee and at the end of its reach.
double first_stiffness(double mu) { return 4 * mu * knee * knee; }
double second_stiffness(double mu) {
  return (4 * mu * reach * reach * reach - first_stiffness(mu) * reach) / (reach - knee);
}

Builder bar(const Settings& s, Choice material, std::vector<Choice> potentials) {
  const int cells = s.integer("cells");
  const TetMesh mesh = box({{4, 1, 1}, {4 * cells, cells, cells}});
  Builder builder;
  builder.gravity({0, 0, 0});
  const int body = builder.add(
      Solid{.mesh = mesh, .material = std::move(material), .density = 1000, .potentials = std::move(potentials)});
  builder.pin({.body = body, .vertices = mesh.vertex_groups.at("x_min")});
  // A first velocity across it that bends it without reaching the knee.
  std::vector<double> v(mesh.vertices.size());
  for (std::size_t i = 0; i < v.size(); i += 3) v[i + 1] = s.number("speed") * (mesh.vertices[i] + 2) / 4;
  builder.launch(body, v);
  return builder;
}

struct Motion {
  std::vector<double> energy;  // over that of the start
  lab::Worst largest_strain;
};

Motion simulate(const Builder& builder, const Settings& s, const std::string& solver, int iterations) {
  const auto simulation = builder.simulation(
      {.step = 1.0 / 60,
       .solver = {solver, lab::as_published(solver, {{"iterations", iterations}, {"tolerance", 0}})}});
  const double start = simulation->energy().kinetic;
  Motion out;
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    lab::advance(*simulation);
    const Energy now = simulation->energy();
    out.energy.push_back((now.kinetic + now.elastic) / start);
    const lab::StretchRange range = lab::stretch_range(simulation->system(), simulation->positions());
    out.largest_strain.see(std::max(range.largest - 1, 1 - range.smallest));
  }
  return out;
}

void run(const Settings& s, Findings& findings) {
  const double mu = s.number("mu"), k1 = first_stiffness(mu), k2 = second_stiffness(mu);
  lab::Worst gap;
  Series polynomial{"polynomial", {}, {}}, constraints{"two constraints", {}, {}};
  for (int i = 0; i <= 200; ++i) {
    const double e = reach * (i - 100) / 100, beyond = e - std::clamp(e, -knee, knee);
    const double wanted = 4 * mu * e * e * e, found = k1 * e + k2 * beyond;
    gap.see(std::abs(wanted - found) / (4 * mu * reach * reach * reach));
    polynomial.x.push_back(1 + e), polynomial.y.push_back(wanted / mu);
    constraints.x.push_back(1 + e), constraints.y.push_back(found / mu);
  }
  findings.plot(lab::linear("Fig. 11: stress", "stretch", "stress / mu", {polynomial, constraints}));
  findings.at_most("largest gap of the two stress curves over the largest stress", 0.1, gap);

  const Choice strain{"arap", {{"stiffness", k1}}};
  const Choice limit{"strain_limit", {{"low", 1 - knee}, {"high", 1 + knee}, {"stiffness", k2}}};
  const Builder without = bar(s, strain, {}), with = bar(s, strain, {limit});
  lab::Share damped;
  const int few = s.integer("iterations");
  Plot energies =
      lab::linear("Energy of a bar that swings below the limit", "frame", "energy / energy of the start");
  double lost_few = 0, lost_many = 0;
  for (const int iterations : {few, 2 * few, 100 * few}) {
    const Motion plain = simulate(without, s, "projective_dynamics", iterations),
                 limited = simulate(with, s, "projective_dynamics", iterations);
    if (iterations == few)
      findings.at_most("largest strain of the motion: the limit is never active", knee, plain.largest_strain);
    if (iterations < 100 * few) damped.see(limited.energy.back() < 0.98 * plain.energy.back());
    (iterations == few ? lost_few : lost_many) = plain.energy.back() - limited.energy.back();
    findings.report(fmt::format("energy kept, {} iterations: without the limit", iterations), plain.energy.back());
    findings.report(fmt::format("energy kept, {} iterations: with the limit", iterations), limited.energy.back());
    energies.series.push_back(lab::counted(fmt::format("without, {} iterations", iterations), plain.energy));
    energies.series.push_back(lab::counted(fmt::format("with, {} iterations", iterations), limited.energy));
  }
  findings.plot(energies);
  damped.judge("a limit that is not active takes more than 2 % of the energy", 1, findings);
  findings.at_most("what it takes, converged / at the fewest iterations", 0.02, std::abs(lost_many) / lost_few);
  const Motion ours = simulate(with, s, "quasi_newton", few);
  findings.report(fmt::format("energy kept by quasi-Newton on the same energy, {} iterations", few),
                  ours.energy.back());
  findings.differs_because(
      "The paper shows a video. Here a bar is set swinging so that it stays below the limit, and the energy that "
      "it keeps is compared with and without the limit.");
}

}  // namespace

ExperimentPlugin experiment_liu2017_figure11() {
  return {.title = "A polynomial material by two constraints of projective dynamics",
          .source = "liu2017",
          .shows = "Fig. 11",
          .doc = "The stress curve, and the damping of a strain limit that is not active.",
          .params = {number("mu", "Pa", 1e7, positive(), "mu of the polynomial"),
                     number("speed", "m/s", 0.5, positive(), "first velocity of the free end"),
                     integer("iterations", 10, between(1, 1000), "iterations of a frame, the fewest"),
                     integer("frames", 90, between(1, 10000), "frames of 1/60 s"),
                     integer("cells", 2, between(1, 40), "cells across the bar")},
          .quick = Quick{.set = {{"frames", 30}, {"cells", 1}}},
          .run = run};
}

}  // namespace resilin
