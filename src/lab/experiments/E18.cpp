// E18: recovery from any start (Liu et al. Fig. 12, the random hippo). S-CUBE of corotated material starts at
// random positions, flattened, mirrored, or with all vertices in one point: inverted elements
// recover, and nothing is ever not a number. The log neo-Hookean is not offered: its extension (X10) grows like
// J^4, random tets have |J| = 60, and ten iterations do not tame that.
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Outcome {
  int inverted_first = 0, inverted_last = 0;
  double energy_ratio = 1, searches = 0;
  bool finite = true;
  Status status = Status::converged;
};

Outcome recover(const Settings& s, const TetMesh& mesh, const std::vector<double>& start) {
  const auto simulation = lab::make_simulation(
      lab::solid(mesh, s.number("density"), s.text("material"),
                 {{"mu", s.number("mu")}, {"lambda", s.number("lambda")}}),
      s.number("step"), "quasi_newton",
      {{"history", s.integer("history")}, {"iterations", s.integer("iterations")}, {"gradient_tolerance", 1e-9}});
  State state = simulation->state();
  state.q = start;
  simulation->set_state(state);
  const double first = simulation->energy().elastic;
  Outcome out;
  out.inverted_first = lab::inverted_tets(simulation->model(), start);
  double iterations = 0;
  const auto frames = std::lround(s.number("duration") / s.number("step"));
  for (int frame = 0; frame < frames && out.status != Status::not_finite; ++frame) {
    const StepReport report = simulation->step();
    out.status = report.status;
    out.searches += report.solve.line_searches;
    iterations += report.solve.iterations;
    out.finite = out.finite && is_finite(simulation->state());
  }
  out.searches /= std::max(1.0, iterations);
  out.energy_ratio = simulation->energy().elastic / first;
  out.inverted_last = lab::inverted_tets(simulation->model(), simulation->positions());
  return out;
}

void random_starts(const Settings& s, const TetMesh& mesh, Findings& findings) {
  int left = 0, fewest = mesh.tet_count(), unrecovered = 0;
  lab::Worst worst;
  double searches = 0;
  const int seeds = s.integer("seeds");
  for (int seed = 1; seed <= seeds; ++seed) {
    lab::Random random(seed);
    std::vector<double> start(mesh.vertices.size());
    for (double& x : start) x = random.uniform(-0.5, 0.5);
    const Outcome out = recover(s, mesh, start);
    fewest = std::min(fewest, out.inverted_first);
    left = std::max(left, out.inverted_last);
    worst.see(out.energy_ratio);
    searches += out.searches / seeds;
    unrecovered += !(out.finite && out.inverted_last == 0 && out.energy_ratio <= 1e-3);
  }
  findings.at_least("random: least share of tets inverted at the start", 0.3,
                    static_cast<double>(fewest) / mesh.tet_count());
  findings.near("random: most tets inverted at the end", 0, left, 0);
  findings.at_most("random: largest E_elastic / E_0 at the end", 1e-3, worst);
  findings.near("random: seeds that did not recover", 0, unrecovered, 0);
  findings.report("random: line searches per iteration", searches, "paper 1.07, independent program 1.08 to 1.09");
}

void run(const Settings& s, Findings& findings) {
  const TetMesh mesh = lab::cube_mesh(s.integer("cells"), BoxPattern::six);
  random_starts(s, mesh, findings);

  std::vector<double> flat = mesh.vertices, mirrored = mesh.vertices;
  for (std::size_t i = 0; i < flat.size(); i += 3) flat[i + 1] = 0, mirrored[i] *= -1;
  for (const auto& [name, start] : {std::pair{"flattened", flat}, std::pair{"mirrored", mirrored}}) {
    const Outcome out = recover(s, mesh, start);
    const std::string at = std::string(name) + ": ";
    findings.near(at + "tets that are flat or inverted at the start", mesh.tet_count(), out.inverted_first, 0);
    findings.near(at + "tets inverted at the end", 0, out.inverted_last, 0);
    findings.at_most(at + "E_elastic / E_0 at the end", 1e-3, out.energy_ratio);
  }
  const Outcome point = recover(s, mesh, std::vector<double>(mesh.vertices.size(), 0.25));
  findings.holds("all vertices in one point: finite, recovered or a typed status", point.finite,
                 std::string("last status: ") + name(point.status));
  findings.report("all vertices in one point: tets inverted at the end", point.inverted_last);
  findings.report("all vertices in one point: E_elastic / E_0 at the end", point.energy_ratio);
}

}  // namespace

ExperimentPlugin experiment_E18() {
  return {.title = "Recovery from random, flattened, mirrored and coincident starts",
          .source = "liu2017",
          .shows = "Fig. 18",
          .doc = "S-CUBE, m = 5: all inverted elements recover within 10 s and E_el falls below 1e-3 E_0.",
          .params = {integer("cells", 4, between(1, 12), "cells per edge of the unit cube, six tets each"),
                     choice("material", {"corotated", "fixed_corotated"}, "material of the cube"),
                     number("mu", "Pa", 20, positive(), "shear modulus"),
                     number("lambda", "Pa", 100, at_least(0), "first Lame constant"),
                     number("density", "kg/m^3", 1, positive(), "density"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     number("duration", "s", 10, positive(), "simulated time"),
                     integer("seeds", 12, between(1, 100000), "random starts"),
                     integer("iterations", 10, between(1, 1000), "per frame"),
                     integer("history", 5, between(0, 100), "m of L-BFGS")},
          .quick = Quick{.set = {{"seeds", 2}, {"cells", 3}}},
          .run = run};
}

}  // namespace resilin
