// E50 (Brandt et al. 2018, X35): a body at rest stays at rest, turned or not. The fit holds projections that are
// affine over the whole body, so that rest projections, and those of a turned body, are fitted exactly.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const Model model = lab::creature_model(s.integer("vertices"));
  for (const bool turned : {false, true}) {
    lab::Worst moved;
    for (const double handles : s.numbers("handles")) {
      const auto simulation =
          lab::reduced_simulation(model, lab::reduction_of(static_cast<int>(handles), s.integer("samples")),
                                  s.number("step"), s.integer("iterations"));
      State state = lab::at_rest(model.rest);
      if (turned) rotate(state.q, {1, 2, -1}, 77);
      simulation->set_state(state);
      lab::advance(*simulation, s.integer("frames"));
      moved.see(lab::largest_difference(simulation->positions(), state.q) / model.size());
    }
    findings.at_most(turned ? "turned: largest motion / size" : "at rest: largest motion / size", 1e-8, moved);
  }
}

}  // namespace

ExperimentPlugin experiment_E50() {
  return {
      .title = "A reduced body at rest stays at rest",
      .source = "brandt2018",
      .shows = "Appendix C",
      .doc = "Steps without load from the rest shape, and from the turned one.",
      .params = {integer("vertices", 5000, between(300, 1000000), "of the creature"),
                 numbers("handles", "", {30, 120}, at_least(2), "of the subspaces"),
                 integer("samples", 500, between(10, 1000000), "elements that are evaluated"),
                 integer("iterations", 10, between(1, 1000), "of a step"),
                 integer("frames", 1000, between(1, 1000000), "steps"),
                 number("step", "s", 1.0 / 60, positive(), "time step")},
      .quick = Quick{.set = {{"vertices", 800}, {"handles", Value::List{16}}, {"samples", 100}, {"frames", 50}}},
      .run = run};
}

}  // namespace resilin
