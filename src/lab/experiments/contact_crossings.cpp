// Nothing passes through anything, also when a solve does not converge: scenes in which bodies meet, with few
// iterations. After every frame all edges are tested against all triangles with exact signs. With energies only
// each of these scenes must cross, else it would prove nothing.
#include "contact/broad_phase/contact_surface.h"
#include "contact/narrow_phase/intersections.h"
#include "lab/contact_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Run {
  int crossed = 0, unconverged = 0, factorisations = 0;
  lab::Worst crossings;  // in a frame
  std::string picture;
};

Run simulate(const lab::ContactScene& scene, int iterations, int frames, bool safe) {
  Builder builder = scene.make();
  builder.contact({.friction = 0.3, .safe = safe});
  const auto simulation =
      builder.simulation({.step = 1.0 / 60, .solver = {"quasi_newton", {{"iterations", iterations}}}});
  const ContactSurface surface = contact_surface(simulation->model());
  Run out;
  for (int i = 0; i < frames; ++i) {
    const StepReport report = lab::advance(*simulation);
    out.unconverged += report.status != Status::converged ? 1 : 0;
    out.factorisations += report.solve.factorisations;
    const auto found = crossings(surface, simulation->positions().data()).size();
    out.crossed += found > 0 ? 1 : 0;
    out.crossings.see(static_cast<double>(found));
  }
  out.picture = lab::snapshot(simulation->model(), simulation->positions(), {0.4, 0.3, 1});
  return out;
}

void run(const Settings& s, Findings& findings) {
  const int frames = s.integer("frames");
  lab::Share crossing;
  int done = 0;
  const auto scenes = lab::contact_scenes(s.integer("cells"), s.integer("pile"));
  for (const lab::ContactScene& scene : scenes) {
    if (scene.name.find(s.text("scenes")) == std::string::npos) continue;
    bool first = true;
    for (const double iterations : s.numbers("iterations")) {
      const Run kept = simulate(scene, static_cast<int>(iterations), frames, true);
      const std::string at = fmt::format("{}, {:.0f} iterations: ", scene.name, iterations);
      findings.at_most(at + "frames with a crossing", 0, kept.crossed,
                       fmt::format("{} of {} frames did not converge", kept.unconverged, frames));
      findings.at_most(at + "factorisations", 1, kept.factorisations);
      if (first) findings.picture(scene.name, kept.picture);
      first = false;
    }
    const Run free = simulate(scene, static_cast<int>(s.numbers("iterations")[0]), frames, false);
    findings.report(scene.name + ", energies only: frames with a crossing", free.crossed);
    crossing.see(free.crossed > 0);
    findings.progress(++done, static_cast<int>(scenes.size()), scene.name);
  }
  crossing.judge("energies only: the same scenes cross", 1, findings);
  findings.differs_because(
      "The folded sheet was made harsher, since the energy alone held it apart: its upper half comes down at 12 "
      "m/s, not 6, its fold has half the radius, and no ground holds the lower half.");
}

}  // namespace

ExperimentPlugin experiment_contact_crossings() {
  return {.title = "Nothing passes through anything",
          .source = "contact",
          .doc = "Balls, folding sheets, a pile, pressed meshes: crossings after every frame, converged or not.",
          .params = {text("scenes", "", "only those with this in their names"),
                     numbers("iterations", "", {5, 10, 20}, positive(), "iterations of a frame, at most"),
                     integer("frames", 300, between(1, 100000), "frames of 1/60 s"),
                     integer("cells", 24, between(3, 200), "cells along a side of a sheet"),
                     integer("pile", 30, between(1, 1000), "shapes in the pile")},
          .quick = Quick{.set = {{"iterations", Value::List{5}}, {"frames", 50}, {"cells", 18}, {"pile", 8}},
                         .slow = true},
          .run = run};
}

}  // namespace resilin
