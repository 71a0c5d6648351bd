// E52 and Figure 4 (Brandt et al. 2018): how well the right side of the global step, U^T sum measure k D^T p, is
// known from few sampled elements, along a drop. The paper prints a curve without numbers; the thresholds are ours.
// With all elements sampled the error is round-off.
#include "lab/reduced_bodies.h"
#include "lab/right_side.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const double h = s.number("step");
  const auto simulation = lab::dropped_creature({.vertices = s.integer("vertices"),
                                                 .stiffness = s.number("stiffness"),
                                                 .velocity = {0.5, -s.number("speed"), 0},
                                                 .step = h});
  const Model& model = simulation->model();
  lab::RightSide sampled(model, lab::reduction_of(s.integer("handles"), s.integer("samples")), h);
  lab::RightSide all(model, lab::reduction_of(s.integer("handles"), -1), h);
  std::vector<double> errors;
  lab::Worst exact;
  for (int frame = 1; frame <= s.integer("frames"); ++frame) {
    lab::advance(*simulation);
    errors.push_back(sampled.error(simulation->positions()));
    if (frame % 10 == 0) exact.see(all.error(simulation->positions()));
    findings.progress(frame, s.integer("frames"), fmt::format("frame {}", frame));
  }
  findings.plot(
      {"Fig. 4: relative error of the right side",
       "frame",
       "relative error",
       false,
       true,
       {lab::counted(fmt::format("{} of {} elements", s.integer("samples"), model.terms[0].elements.size()),
                     errors)}});
  findings.at_most("median of the relative error", 0.05, lab::summary(errors).median);
  findings.at_most("largest relative error", 0.25, lab::Worst::of(errors));
  findings.at_most("all elements: largest relative error", 1e-10, exact);
  findings.differs_because(
      "The body is a creature that is dropped with a speed along the ground, simulated in full; frames are "
      "projected to the subspace.");
}

}  // namespace

ExperimentPlugin experiment_E52() {
  return {.title = "The right side of the global step from few elements",
          .source = "brandt2018",
          .shows = "Fig. 4",
          .doc = "Fitted against fully evaluated projections along a drop.",
          .params = {integer("vertices", 19000, between(300, 1000000), "of the creature"),
                     integer("handles", 120, between(2, 1000), "of the subspace"),
                     integer("samples", 1000, between(10, 1000000), "elements that are evaluated"),
                     number("stiffness", "Pa", 3e4, positive(), "of the body"),
                     number("speed", "m/s", 3, at_least(0), "at which it comes to the ground"),
                     integer("frames", 90, between(10, 100000), "frames"),
                     number("step", "s", 1.0 / 60, positive(), "time step")},
          .quick = Quick{.set = {{"frames", 40}}, .slow = true},
          .run = run};
}

}  // namespace resilin
