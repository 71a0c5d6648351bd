// Fig. 18 of Liu et al. 2017: an animal of corotated material starts at random positions, half of its tets
// inverted, and comes back to its shape. E18 judges the same on many seeds of a cube; here it is seen.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr int shown[] = {0, 1, 5, 20, 60};

void run(const Settings& s, Findings& findings) {
  const auto simulation = lab::start_scene(lab::liu_scene("random_creature", s.number("detail")), s.number("step"),
                                           "quasi_newton", {{"history", 5}});
  const Model& model = simulation->model();
  std::vector<double> energy, count;
  const auto record = [&](int frame) {
    energy.push_back(simulation->energy().elastic);
    count.push_back(lab::inverted_tets(model, simulation->positions()));
    if (std::count(std::begin(shown), std::end(shown), frame) > 0 || frame == s.integer("frames"))
      findings.picture(fmt::format("Fig. 18: frame {}, {} tets inverted", frame, count.back()),
                       lab::snapshot(model, simulation->positions(), {0, 0, 1}));
  };
  record(0);
  for (int frame = 1; frame <= s.integer("frames"); ++frame) {
    lab::advance(*simulation);
    record(frame);
  }
  const double tets = model.element_count();
  findings.at_least("share of tets inverted at the start", 0.3, count.front() / tets);
  findings.near("tets inverted at the end", 0, count.back(), 0);
  findings.at_most("E_elastic / E_0 at the end", 1e-3, energy.back() / energy.front());
  findings.plot(lab::linear("Fig. 18: inverted tets", "frame", "tets", {lab::counted("inverted", count)}));
  findings.plot(lab::semilogy("Fig. 18: elastic energy", "frame", "energy [J]", {lab::counted("elastic", energy)}));
}

}  // namespace

ExperimentPlugin experiment_liu2017_figure18() {
  return {.title = "An animal recovers from random positions",
          .source = "liu2017",
          .shows = "Fig. 18",
          .doc = "Inverted tets and elastic energy by frame, from vertices placed at random.",
          .params = {integer("frames", 300, between(1, 10000), "simulated"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     number("detail", "", 1, between(0.3, 3), "size of the body")},
          .quick = Quick{.set = {{"detail", 0.5}}},
          .run = run};
}

}  // namespace resilin
