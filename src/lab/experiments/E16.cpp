// E16: the interval on which Eq. 11 fits the stiffness of the constant Hessian (Liu et al. 2017, Fig. 15) hardly
// matters for the twisting neo-Hookean bar. The minimum does not depend on it at all.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr double intervals[][2] = {{0.9, 1.1}, {0.8, 1.2}, {0.5, 1.5}, {0.2, 1.8}};

// The bar of Table I, with its material made anew.
lab::LiuScene bar(const Settings& s, double low, double high) {
  lab::LiuScene scene = lab::liu_scene("twisting_bar", s.number("detail"));
  lab::set_material(scene.model, 0, "neo_hookean",
                    {{"young", 1e3}, {"poisson", 0.4}, {"fit_interval", Value::List{low, high}}});
  return scene;
}

void run(const Settings& s, Findings& findings) {
  const auto past = lab::start_scene(lab::liu_scene("twisting_bar", s.number("detail")));
  const lab::Study start = lab::study_at(*past, s.integer("frame"));
  std::vector<int> needed;
  std::vector<lab::Curve> curves;
  lab::Least minimum = start.least();
  for (const auto& [low, high] : intervals) {
    const auto simulation = lab::start_scene(bar(s, low, high));
    simulation->set_state(past->state());
    lab::Study study = lab::study_at(*simulation, s.integer("frame"));
    const SolveReport report = study.trace("quasi_newton", {}, s.integer("iterations"));
    needed.push_back(lab::iterations_to(study.errors(report), s.number("target")));
    curves.push_back({fmt::format("[{}, {}]", low, high), report});
    minimum.see(study.least());
    findings.relative(fmt::format("minimum with [{}, {}]", low, high), start.least(), study.least(), 1e-8);
  }
  const int best = *std::min_element(needed.begin(), needed.end());
  for (std::size_t i = 0; i < std::size(intervals); ++i)
    findings.at_most(fmt::format("iterations to {:g} with [{}, {}], at most 1.6 of the best", s.number("target"),
                                 intervals[i][0], intervals[i][1]),
                     1.6 * best, needed[i]);
  lab::plot_errors(findings, "Fig. 15: intervals of the fit", curves, minimum);
}

}  // namespace

ExperimentPlugin experiment_E16() {
  return {.title = "Interval of the stiffness fit",
          .source = "liu2017",
          .shows = "Fig. 15",
          .doc = "Iterations of quasi-Newton with the stiffness of Eq. 11 fitted on four intervals.",
          .params = {integer("iterations", 200, between(1, 10000), "iterations of every solve at most"),
                     number("target", "", 1e-4, {0, 1, true, true}, "relative error to reach"),
                     number("detail", "", 1, between(0.3, 4), "twisting bar: 1 is 7 x 8 x 62 vertices"),
                     integer("frame", 20, at_least(0), "frame that is studied")},
          .quick = Quick{.set = {{"detail", 0.5}}},
          .run = run};
}

}  // namespace resilin
