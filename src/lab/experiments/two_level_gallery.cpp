// Every scene of the gallery with and without the coarse level: iterations and time to 1e-3 from the same states.
// Two levels may be the default only if they lose nowhere by more than 5 % (decision 13). Times are those of this
// machine, the least of a few solves in turn.
#include "lab/bar_scenes.h"
#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

constexpr int target = 1;     // of lab::error_targets: 1e-3
constexpr int large = 20000;  // vertices: a quarter of the frames must do

lab::NeededOptions options(const Settings& s, const Model& model) {
  const int divisor = model.vertex_count() > large ? 4 : 1;
  const int every = std::max(1, s.integer("every") / divisor);
  return {.frames = std::max(every, s.integer("frames") / divisor),
          .every = every,
          .repeat = divisor > 1 ? 1 : s.integer("repeat"),
          .reference = 600 / divisor};
}

void run(const Settings& s, Findings& findings) {
  const Values coarse = {{"coarse_modes", s.integer("coarse_modes")},
                         {"coarse_after", s.integer("coarse_after")},
                         {"start", s.text("start")}};
  const int most = s.integer("iterations");
  const std::vector<lab::Method> methods = {{"paper", "quasi_newton", {}, most},
                                            {"two-level", "quasi_newton", coarse, most}};
  lab::GeometricMean mean;
  double worst = 0;
  int unstable = 0;
  std::string loser;
  for (const auto& [name, description] : gallery()) {
    if (name.find(s.text("scenes")) == std::string::npos) continue;
    const auto past = build_simulation(load_scene(name, {{"solver.method", "paper"},
                                                         {"solver.iterations", "30"},
                                                         {"solver.gradient_tolerance", "1e-4"},
                                                         {"contact", "false"}}));
    const auto result = lab::needed(*past, methods, options(s, past->model()));
    const lab::Needed &paper = result[0], &ours = result[1];
    const double time = ours.ms[target] / paper.ms[target];
    findings.report(name + ": time to 1e-3, two-level over paper's", time,
                    fmt::format("iterations {:.1f} and {:.1f}{}", ours.iterations[target], paper.iterations[target],
                                ours.missed[target] + paper.missed[target] > 0 ? ", not always reached" : ""));
    mean.see(time);
    if (time > worst) worst = time, loser = name;
    unstable += paper.finite && !ours.finite ? 1 : 0;
  }
  findings.report("time to 1e-3, two-level over paper's, geometric mean", mean.count() > 0 ? mean.value() : NAN);
  findings.near("scenes that stay finite with the paper's method only", 0, unstable, 0);
  findings.report("time to 1e-3, two-level over paper's, worst scene", worst,
                  fmt::format("{}; above 1.05 it stays an option", loser));
}

}  // namespace

ExperimentPlugin experiment_two_level_gallery() {
  return {.title = "Two levels: the gallery",
          .source = "two_level",
          .doc = "Iterations and time to 1e-3 in every scene of the gallery, with and without the coarse level.",
          .params = {text("scenes", "", "only those with this in their names"),
                     integer("frames", 64, between(1, 1000),
                             "frames of each scene's own run, solved with more iterations"),
                     integer("every", 8, between(1, 1000), "which of them is compared"),
                     integer("repeat", 2, between(1, 100), "timed solves of each method"),
                     integer("iterations", 100, between(1, 10000), "iterations of every solve at most"),
                     integer("coarse_modes", 4, between(1, 16), "first point of a stage of the two-level method"),
                     integer("coarse_after", 1, between(0, 1000), "first point of a stage of the two-level method"),
                     choice("start", {"target", "harmonic"}, "first point of a stage of the two-level method")},
          .quick = Quick{.set = {{"scenes", "cantilever"}, {"frames", 8}, {"repeat", 1}}},
          .run = run};
}

}  // namespace resilin
