// Strain limiting holds: a sheet that hangs from an edge and is heavy enough to be stretched far beyond the limit,
// stepped by ADMM to convergence. No triangle is beyond the limit by more than 1 % in any frame.
#include "lab/stretches.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Largest {
  lab::Worst stretch;
  int unconverged = 0;
  std::string picture;
};

Largest hang(const Settings& s, double high, bool limited) {
  const int cells = s.integer("cells");
  const TriangleMesh mesh = grid_sheet({{1, 1}, {cells, cells}});
  Builder builder;
  Skin skin{.thickness = 1e-3,
            .material = {"arap", {{"stiffness", s.number("stiffness")}}},
            .density = 300,
            .bending = {"quadratic", {{"stiffness", 1e-6}}}};
  if (limited) skin.potentials = {{"strain_limit", {{"low", 0.8}, {"high", high}}}};
  const int body = builder.add(Shell{.mesh = mesh, .skin = skin});
  builder.pin({.body = body, .vertices = mesh.vertex_groups.at("y_max")});
  const auto simulation = builder.simulation(
      {.step = 1.0 / 60, .solver = {"admm", {{"iterations", s.integer("iterations")}, {"tolerance", 1e-4}}}});
  Largest out;
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    out.unconverged += lab::advance(*simulation).status != Status::converged;
    out.stretch.see(lab::stretch_range(simulation->system(), simulation->positions()).largest);
  }
  out.picture = lab::snapshot(simulation->model(), simulation->positions(), {0, 0, 1});
  return out;
}

void run(const Settings& s, Findings& findings) {
  const Largest free = hang(s, 1, false);
  findings.report("largest stretch without a limit", free.stretch);
  findings.picture("without a limit", free.picture);
  for (const double high : s.numbers("high")) {
    const Largest held = hang(s, high, true);
    const std::string at = fmt::format("limit {:.3g}: ", high);
    findings.at_most(at + "largest stretch / limit", 1.01, held.stretch / high);
    findings.at_most(at + "frames that did not converge", 0, held.unconverged);
    findings.at_least(at + "largest stretch without a limit / limit", 1.05, free.stretch / high);
    findings.picture(fmt::format("limit {:.3g}", high), held.picture);
  }
}

}  // namespace

ExperimentPlugin experiment_shells_limit() {
  return {.title = "Strain limiting holds",
          .source = "shells",
          .doc = "The largest stretch of a heavy sheet with and without a limit of strain, in ADMM.",
          .params = {numbers("high", "", {1.02, 1.05, 1.1}, positive(), "limits of the stretch"),
                     number("stiffness", "Pa", 1.2e4, positive(), "PD strain stiffness of the sheet"),
                     integer("cells", 12, between(1, 200), "cells along each side"),
                     integer("frames", 60, between(1, 10000), "frames of 1/60 s"),
                     integer("iterations", 3000, between(1, 1000000), "iterations of a frame, at most")},
          .quick = Quick{.set = {{"high", Value::List{1.05}}, {"cells", 6}, {"frames", 15}}, .slow = true},
          .run = run};
}

}  // namespace resilin
