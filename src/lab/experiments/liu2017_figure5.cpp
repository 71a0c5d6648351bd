// Fig. 5 of Liu et al. 2017: a corotated cube dropped on the ground, without and with fibres kappa/2 (|F d| - 1)^2.
// E21 judges the modulus that fibres add; here the cube with upright fibres is flattened less by the impact.
#include "lab/toolkit.h"

namespace resilin {
namespace {

Model cube(const Settings& s, double kappa) {
  const int n = s.integer("cells");
  TetMesh mesh = lab::cube_mesh(n);
  translate(mesh, {0, 0.5 + s.number("drop"), 0});
  Model model =
      lab::solid(mesh, s.number("density"), "corotated", {{"mu", s.number("mu")}, {"lambda", s.number("lambda")}});
  if (kappa > 0) lab::add_fibre(model, 0, kappa, {0, 1, 0});
  model.gravity = {0, -9.81, 0};
  // As stiff as a vertex of the body itself.
  lab::add_obstacle(model, "plane", {}, (s.number("lambda") + 2 * s.number("mu")) / n);
  return model;
}

double height(const std::vector<double>& q) {
  const Bounds box = bounds(q);
  return box.upper[1] - box.lower[1];
}

// Least height of the cube, which is 1 m at rest.
double drop(const Settings& s, double kappa, std::vector<double>& heights, Findings& findings) {
  const auto simulation = lab::make_simulation(cube(s, kappa), s.number("step"), "quasi_newton", {});
  std::vector<double> flattest = simulation->positions();
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    lab::advance(*simulation);
    heights.push_back(height(simulation->positions()));
    if (heights.back() < height(flattest)) flattest = simulation->positions();
  }
  findings.picture(fmt::format("Fig. 5: flattest moment, kappa = {} Pa", kappa),
                   lab::snapshot(simulation->model(), flattest));
  return height(flattest);
}

void run(const Settings& s, Findings& findings) {
  std::vector<double> plain, stiff;
  const double without = drop(s, 0, plain, findings), with = drop(s, s.number("kappa"), stiff, findings);
  findings.at_most("without fibres: least height [m]: it is flattened", 0.95, without);
  findings.at_least("with fibres: least height [m], more than without", without + 0.01, with);
  findings.plot(lab::linear("Fig. 5: height of the cube", "frame", "height [m]",
                            {lab::counted("isotropic", plain), lab::counted("with fibres", stiff)}));
  findings.differs_because(
      "the paper prints neither the direction of the fibres nor the height of the fall: ours are upright, and 0.5 "
      "m.");
}

}  // namespace

ExperimentPlugin experiment_liu2017_figure5() {
  return {.title = "A cube with fibres falls on the ground",
          .source = "liu2017",
          .shows = "Fig. 5",
          .doc = "How flat a corotated cube becomes on impact, without and with upright fibres.",
          .params = {integer("cells", 6, between(1, 20), "cells per edge of the unit cube"),
                     number("mu", "Pa", 10, positive(), "shear modulus"),
                     number("lambda", "Pa", 100, at_least(0), "first Lame constant"),
                     number("kappa", "Pa", 50, positive(), "stiffness of the fibres"),
                     number("density", "kg/m^3", 1, positive(), "density"),
                     number("drop", "m", 0.5, at_least(0), "height of the fall"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     integer("frames", 40, between(1, 10000), "simulated")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
