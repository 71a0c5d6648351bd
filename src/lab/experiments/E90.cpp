// A stack of boxes rests for a minute. Softer than 1.5e6 Pa such a tower would buckle under its own weight. Boxes
// start a little above each other and come to rest; then no box drifts, nothing crosses, and energy does not grow.
#include "contact/broad_phase/contact_surface.h"
#include "contact/narrow_phase/intersections.h"
#include "lab/contact_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

std::vector<Vec3> centres(const Simulation& simulation) {
  std::vector<Vec3> out;
  for (const Body& body : simulation.model().bodies) {
    Vec3 sum{0, 0, 0};
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v)
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += simulation.positions()[3 * static_cast<std::size_t>(v) + k] / body.vertex_count;
    out.push_back(sum);
  }
  return out;
}

void run(const Settings& s, Findings& findings) {
  const double step = s.number("step");
  if (!(s.number("seconds") > s.number("settle"))) s.value("seconds").fail("must be more than settle");
  for (const double young : s.numbers("young")) {
    Builder builder =
        lab::box_stack(s.integer("boxes"), s.integer("cells"), young, s.number("gap"), s.number("friction"));
    builder.contact({.friction = s.number("friction")});
    const auto simulation = builder.simulation({.step = step});
    const ContactSurface surface = contact_surface(simulation->model());
    const long frames = std::lround(s.number("seconds") / step), settled = std::lround(s.number("settle") / step);
    std::vector<Vec3> from;
    double energy = 0;
    lab::Worst drift, grown, crossed;
    long iterations = 0;
    int factorisations = 0, unconverged = 0;
    const auto total = [&] {
      const Energy e = simulation->energy();
      return e.kinetic + e.elastic + e.external;
    };
    for (long i = 1; i <= frames; ++i) {
      const StepReport report = lab::advance(*simulation);
      factorisations += report.solve.factorisations, iterations += report.solve.iterations;
      unconverged += report.status != Status::converged ? 1 : 0;
      if (i % 60 == 0) crossed.see(static_cast<double>(crossings(surface, simulation->positions().data()).size()));
      if (i == settled) from = centres(*simulation), energy = total();
      if (i <= settled) continue;
      const auto now = centres(*simulation);
      for (std::size_t b = 0; b < now.size(); ++b)
        drift.see(std::hypot(now[b][0] - from[b][0], now[b][1] - from[b][1], now[b][2] - from[b][2]));
      if (i % 60 == 0) grown.see(total() - energy);
    }
    const std::string at = fmt::format("{:.3g} Pa: ", young);
    const double scale = simulation->model().total_mass() * 9.81 * 0.1;
    findings.at_most(at + "drift of a box after the first seconds [m]", 1e-3, drift);
    findings.at_most(at + "edges that cross a triangle", 0, crossed);
    findings.at_most(at + "growth of energy, relative to lifting the stack by a box", 1e-6, grown / scale);
    findings.at_most(at + "factorisations", 1, factorisations);
    findings.report(at + "iterations of a frame", static_cast<double>(iterations) / static_cast<double>(frames));
    findings.report(at + "frames that did not converge", unconverged);
    findings.picture(at, lab::snapshot(simulation->model(), simulation->positions(), {0.4, 0.2, 1}));
  }
}

}  // namespace

ExperimentPlugin experiment_E90() {
  return {.title = "A stack of ten boxes rests for a minute",
          .source = "contact",
          .doc = "Drift, crossings and energy of a stack of soft boxes with friction.",
          .params = {numbers("young", "Pa", {5e6}, positive(), "Young's moduli"),
                     integer("boxes", 10, between(1, 100), "boxes of 0.1 m"),
                     integer("cells", 2, between(1, 20), "cells along a side of a box"),
                     number("gap", "m", 0.007, at_least(0), "between boxes at the start"),
                     number("friction", "", 0.5, at_least(0), "coefficient of friction"),
                     number("seconds", "s", 60, positive(), "duration"),
                     number("settle", "s", 5, positive(), "duration before drift is measured"),
                     number("step", "s", 1.0 / 60, positive(), "time step")},
          .quick = Quick{.set = {{"boxes", 3}, {"seconds", 3}, {"settle", 1}}, .slow = true},
          .run = run};
}

}  // namespace resilin
