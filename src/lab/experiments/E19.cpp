// E19: the shaken bar (Liu et al. Fig. 10): corotated, held in the middle and shaken fast. No ghost forces: the
// internal forces of every frame add up to zero, whatever the solver left unconverged, and a thousand frames stay
// finite.
#include "lab/toolkit.h"

namespace resilin {
namespace {

Model bar(const Settings& s) {
  const int n = s.integer("cells");
  const TetMesh mesh = box({.size = {1.6, 0.16, 0.16}, .cells = {10 * n, n, n}});
  Model model =
      lab::solid(mesh, 1000, "corotated", {{"young", s.number("young")}, {"poisson", s.number("poisson")}});
  const double half = 1.01 * 1.6 / (10 * n);
  lab::pin(model, lab::vertices_where(mesh.vertices, [&](const double* x) { return std::abs(x[0]) <= half; }),
           Motion({lab::shake({0, 1, 0}, s.number("amplitude"), s.number("frequency"))}));
  return model;
}

void run(const Settings& s, Findings& findings) {
  const auto simulation =
      lab::make_simulation(bar(s), s.number("step"), "quasi_newton", {{"iterations", s.integer("iterations")}});
  lab::Worst worst, reach;
  int frames = 0;
  std::vector<double> f(simulation->positions().size());
  for (; frames < s.integer("frames"); ++frames) {
    if (simulation->step().status == Status::not_finite) break;
    const std::vector<double>& q = simulation->positions();
    simulation->system().potential_energy(q.data(), f.data());
    double net[3] = {}, total = 0;
    for (std::size_t i = 0; i < f.size(); i += 3) {
      for (int k = 0; k < 3; ++k) net[k] += f[i + k];
      total += std::hypot(f[i], f[i + 1], f[i + 2]);
    }
    worst.see(std::hypot(net[0], net[1], net[2]) / total);
    reach.see(lab::largest_coordinate(q));
  }
  const double size = simulation->model().size();
  findings.near("frames that stayed finite", s.integer("frames"), frames, 0);
  findings.at_most("|sum of internal forces| / sum |f|, worst frame", 1e-9, worst);
  findings.at_most("max |x| / size", 3, reach / size, "the bar stays where it is held");
  findings.report("tets inverted in the last frame",
                  lab::inverted_tets(simulation->model(), simulation->positions()));
}

}  // namespace

ExperimentPlugin experiment_E19() {
  return {.title = "A shaken bar without ghost forces",
          .source = "liu2017",
          .shows = "Fig. 10",
          .doc = "Corotated bar, middle pinned, shaken fast for 1000 frames.",
          .params = {integer("cells", 3, between(1, 12), "cells across; ten times as many along it"),
                     number("young", "Pa", 2e5, positive(), "Young's modulus"),
                     number("poisson", "", 0.4, between(0, 0.49), "Poisson ratio"),
                     number("amplitude", "m", 0.2, at_least(0), "amplitude of the shaking"),
                     number("frequency", "Hz", 2.5, positive(), "frequency of the shaking"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     integer("frames", 1000, between(1, 1000000), "frames"),
                     integer("iterations", 10, between(1, 1000), "per frame")},
          .quick = Quick{.set = {{"frames", 100}}},
          .run = run};
}

}  // namespace resilin
