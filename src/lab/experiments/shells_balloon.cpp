// Balloons: the volume follows a target that is edited while it runs, x0.5 to x2, within 5 %: a thin shell with air
// inside, and a soft solid with a skin. Brandt et al. 2018 change an elephant so; here without reduction.
#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

// `bulk` over the stiffness of what is inflated: the higher, the nearer the balance is to the target.
std::string scene_text(bool solid, double bulk, const Settings& s) {
  const std::string rubber = R"({"type": "neo_hookean", "young": 1e5, "poisson": 0.4})";
  const std::string body =
      solid ? fmt::format(R"("shape": {{"type": "sphere", "radius": 0.5, "spacing": {}}},
                             "material": {{"type": "neo_hookean", "young": 2e3, "poisson": 0.3}}, "density": 100,
                             "skin": {{"thickness": 0.005, "material": {}, "density": 1000}})",
                          0.5 / s.integer("cells"), rubber)
            : fmt::format(R"("shell": {{"type": "sphere", "radius": 0.5, "subdivisions": {}}}, "thickness": 0.005,
                             "material": {}, "bending": "none")",
                          s.integer("subdivisions"), rubber);
  return fmt::format(R"({{"step": 0.016666666666666666, "gravity": 0, "solver": {{"type": "quasi_newton"}},
                          "bodies": [{{{}, "damping": {{"type": "rayleigh", "beta": 0.02}},
                          "inflation": {{"stiffness": {}}}}}]}})",
                     body, bulk);
}

void run(const Settings& s, Findings& findings) {
  lab::Share share;
  int factorisations = 0;
  lab::begin_table(findings, "Volumes", "body | stiffness [Pa] | target | volume");
  for (const bool solid : {false, true})
    for (const double bulk : s.numbers("stiffness")) {
      const auto simulation = build_simulation(parse_scene(scene_text(solid, bulk, s), "balloon"));
      lab::advance(*simulation);
      const double rest = enclosed_volume(simulation->model().rest, simulation->model().bodies[0].triangles);
      for (const double target : s.numbers("target")) {
        simulation->post(SetParameter{"bodies[0].inflation.target", target});
        for (int frame = 0; frame < s.integer("frames"); ++frame)
          factorisations += lab::advance(*simulation).solve.factorisations;
        const double volume =
            enclosed_volume(simulation->positions(), simulation->model().bodies[0].triangles) / rest;
        share.see(std::abs(volume - target) <= 0.05 * target);
        findings.table_row(lab::cells("{} | {:.3g} | {:.3g} | {:.4f}", solid ? "solid with a skin" : "shell", bulk,
                                      target, volume));
        if (bulk == s.numbers("stiffness").back() && (target == 0.5 || target == 2))
          findings.picture(fmt::format("{}, target {:.2g}", solid ? "solid" : "shell", target),
                           lab::snapshot(simulation->model(), simulation->positions(), {0.3, 0.3, 1}));
      }
    }
  share.judge("volume within 5 % of its target", 1, findings);
  findings.at_most("factorisations for new targets", 0, factorisations);
}

}  // namespace

ExperimentPlugin experiment_shells_balloon() {
  return {.title = "Balloons follow their target volume",
          .source = "shells",
          .doc = "Volume of a shell and of a solid with a skin after edits of the target of their inflation.",
          .params = {numbers("target", "", {2, 0.5, 1.5, 0.75, 1}, positive(), "targets, one after the other"),
                     numbers("stiffness", "Pa", {1e5, 1e6}, positive(), "bulk moduli of what is inside"),
                     integer("subdivisions", 3, between(0, 6), "of the icosahedron of the shell"),
                     integer("cells", 5, between(1, 50), "tets along the radius of the solid"),
                     integer("frames", 90, between(1, 10000), "frames of 1/60 s for each target")},
          .quick =
              Quick{.set = lab::given(R"({"target": [2, 0.5], "stiffness": [1e6], "subdivisions": 2, "cells": 3})"),
                    .slow = true},
          .run = run};
}

}  // namespace resilin
