// Figure 5 (Brandt et al. 2018): one dropped body in full, in the subspace with all elements, and hyper-reduced,
// from the same start with the same solver. The paper shows pictures and says that the reduced ones are coarser;
// here the distance from the full one is measured, frame by frame.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Way {
  const char* name;
  std::unique_ptr<Simulation> simulation;
  std::vector<double> distance = {};  // from the full one, over the spread of the rest shape
};

void run(const Settings& s, Findings& findings) {
  const lab::Drop drop{.vertices = s.integer("vertices"),
                       .stiffness = s.number("stiffness"),
                       .velocity = {0, -s.number("speed"), 0},
                       .step = s.number("step")};
  const Choice solver{"projective_dynamics",
                      {{"iterations", s.integer("iterations")}, {"gradient_tolerance", 1e-12}}};
  const auto reduced = [&](int samples) {
    return lab::dropped_creature(drop, solver, lab::reduction_of(s.integer("handles"), samples));
  };
  Way ways[] = {{"full", lab::dropped_creature(drop, solver)},
                {"subspace, all elements", reduced(-1)},
                {"hyper-reduced", reduced(s.integer("samples"))}};
  const Model& model = ways[0].simulation->model();
  const int frames = s.integer("frames");
  for (int frame = 1; frame <= frames; ++frame) {
    for (Way& way : ways) {
      lab::advance(*way.simulation);
      way.distance.push_back(
          lab::normalised_distance(model, way.simulation->positions(), ways[0].simulation->positions()));
      if (frame % std::max(1, frames / 3) == 0)
        findings.picture(fmt::format("Fig. 5: {}, frame {}", way.name, frame),
                         lab::snapshot(model, way.simulation->positions()));
    }
    findings.progress(frame, frames, fmt::format("frame {}", frame));
  }
  findings.plot(
      lab::linear("Distance from the full simulation", "frame", "over the spread of the rest shape",
                  {lab::counted(ways[1].name, ways[1].distance), lab::counted(ways[2].name, ways[2].distance)}));
  findings.at_most("subspace, all elements: mean distance", 0.1, lab::summary(ways[1].distance).mean);
  findings.at_most("hyper-reduced: mean distance", 0.1, lab::summary(ways[2].distance).mean);
  findings.report("hyper-reduced: largest distance", lab::Worst::of(ways[2].distance));
  findings.report("subspace, all elements: largest distance", lab::Worst::of(ways[1].distance));
  findings.differs_because(
      "The paper prints no numbers: the bound of a tenth is ours, set before the first run. The ground acts on all "
      "vertices of the full body, and on those of sampled elements of the reduced ones.");
}

}  // namespace

ExperimentPlugin experiment_brandt2018_figure5() {
  return {.title = "A dropped body in full, in the subspace and hyper-reduced",
          .source = "brandt2018",
          .shows = "Fig. 5",
          .doc = "Three runs from one start: pictures, and how far they come apart.",
          .params = {integer("vertices", 19000, between(300, 1000000), "of the creature"),
                     integer("handles", 120, between(4, 1000), "of the subspace"),
                     integer("samples", 1000, between(10, 1000000), "elements that are evaluated"),
                     integer("iterations", 10, between(1, 1000), "of a step"),
                     number("stiffness", "Pa", 3e4, positive(), "of the body"),
                     number("speed", "m/s", 3, at_least(0), "at which it comes to the ground"),
                     integer("frames", 60, between(3, 100000), "steps"),
                     number("step", "s", 1.0 / 60, positive(), "time step")},
          .quick = Quick{.set = {{"vertices", 500}, {"handles", 24}, {"samples", 300}, {"frames", 12}}},
          .run = run};
}

}  // namespace resilin
