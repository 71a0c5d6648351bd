// E57 (Brandt et al. 2018, Section 7): how far ten iterations a step of hyper-reduced projective dynamics are from
// a thousand, over seconds.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const Model model = lab::creature_model(s.integer("vertices"), s.number("stiffness"));
  const State state = lab::at_rest(lab::bent(model.rest, 90));
  std::vector<std::unique_ptr<Simulation>> runs;
  for (const int iterations : {s.integer("few"), s.integer("many")}) {
    runs.push_back(lab::reduced_simulation(model, lab::reduction_of(s.integer("handles"), s.integer("samples")),
                                           s.number("step"), iterations));
    runs.back()->set_state(state);
  }
  lab::Worst apart;
  std::vector<double> curve;
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    for (const auto& run : runs) lab::advance(*run);
    curve.push_back(lab::largest_difference(runs[0]->positions(), runs[1]->positions()) / model.size());
    apart.see(curve.back());
    findings.progress(frame + 1, s.integer("frames"), fmt::format("frame {}", frame + 1));
  }
  findings.plot(lab::linear("Few iterations against many", "frame", "largest distance / size",
                            {lab::counted("distance", curve)}));
  findings.at_most(fmt::format("{} against {} iterations: largest distance of a vertex / size", s.integer("few"),
                               s.integer("many")),
                   0.02, apart, "paper: \"very small\"");
}

}  // namespace

ExperimentPlugin experiment_E57() {
  return {
      .title = "Ten iterations of a step against a thousand",
      .source = "brandt2018",
      .shows = "Sec. 7, convergence",
      .doc = "A released body by hyper-reduced projective dynamics, twice.",
      .params = {integer("vertices", 5000, between(300, 1000000), "of the creature"),
                 integer("handles", 60, between(4, 1000), "of the subspace"),
                 integer("samples", 600, between(10, 1000000), "elements that are evaluated"),
                 integer("few", 10, between(1, 1000), "iterations of the first run"),
                 integer("many", 1000, between(1, 100000), "iterations of the second run"),
                 number("stiffness", "Pa", 1e4, positive(), "of the body"),
                 integer("frames", 300, between(1, 1000000), "steps: 5 s"),
                 number("step", "s", 1.0 / 60, positive(), "time step")},
      .quick = Quick{.set = {{"vertices", 800}, {"handles", 16}, {"samples", 200}, {"many", 100}, {"frames", 30}}},
      .run = run};
}

}  // namespace resilin
