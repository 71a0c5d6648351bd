// XPBD on scene A (a bar with one end turned by 3 degrees per frame), neo-Hookean, over six decades of stiffness:
// it stays finite with any number of iterations, and with the largest it follows a converged run of Newton.
// Published codes do neither: their pair of constraints does not vanish at rest (docs/theory/xpbd.md).
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"
#include "lab/trust_study.h"

namespace resilin {
namespace {

constexpr int iteration_counts[] = {1, 2, 5, 10, 20, 50};
constexpr double youngs[] = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

lab::TrustRun simulate(const Settings& s, double young, const std::string& solver) {
  const std::string material =
      fmt::format(R"({{"type": "neo_hookean", "young": {}, "poisson": {}}})", young, s.number("poisson"));
  const Scene scene = load_scene("twisting_bar", {{"bodies[0].material", material},
                                                  {"bodies[0].density", fmt::format("{}", s.number("density"))},
                                                  {"solver", solver},
                                                  {"contact", "false"}});
  return lab::trust_run(scene, {.frames = s.integer("frames"), .threads = 0, .energies = false});
}

void run(const Settings& s, Findings& findings) {
  const double diagonal = std::hypot(0.06, 0.07, 0.61);
  std::vector<Series> series;
  for (const double young : youngs) {
    if (young > s.number("stiffest")) break;
    const std::string at = fmt::format("E = {:.0e} Pa: ", young);
    const lab::TrustRun reference = simulate(s, young, lab::reference_solver());
    findings.near(at + "steps of the reference that did not converge", 0, reference.unconverged(), 0);
    Series one{.name = at, .x = {}, .y = {}};
    for (const int iterations : iteration_counts) {
      const lab::TrustRun xpbd =
          simulate(s, young, fmt::format(R"({{"type": "xpbd", "iterations": {}}})", iterations));
      findings.holds(at + fmt::format("{} iterations stay finite", iterations), xpbd.finite);
      const double distance = xpbd.finite && reference.finite
                                  ? lab::farthest(xpbd.positions.back(), reference.positions.back()) / diagonal
                                  : std::numeric_limits<double>::infinity();
      one.x.push_back(iterations), one.y.push_back(distance);
      const std::string what = at + fmt::format("{} iterations, largest distance / rest diagonal", iterations);
      if (iterations == 50) findings.at_most(what, 0.05, distance);
      else findings.report(what, distance);
    }
    series.push_back(std::move(one));
  }
  findings.plot(lab::linear("Distance from the converged run", "iterations", "largest distance / rest diagonal",
                            std::move(series)));
}

}  // namespace

ExperimentPlugin experiment_xpbd_twisted_scene_a() {
  return {.title = "XPBD on the twisted bar, from soft to stiff",
          .source = "xpbd",
          .doc = "Scene A by XPBD at 1e3 to 1e9 Pa with 1 to 50 iterations: finite, and close to Newton with 50.",
          .params = {number("stiffest", "Pa", 1e9, at_least(1e3), "Young's modulus up to which the sweep goes"),
                     number("poisson", "", 0.47, between(0, 0.49), "Poisson's ratio"),
                     number("density", "kg/m^3", 925, positive(), "density"),
                     integer("frames", 60, between(1, 10000), "steps of every run")},
          .quick = Quick{.set = {{"stiffest", 1e3}, {"frames", 3}}, .slow = true},
          .run = run};
}

}  // namespace resilin
