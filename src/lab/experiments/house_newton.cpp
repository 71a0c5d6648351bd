// Newton's method where bodies touch. With the exact second derivative of pairs (narrow_phase/pair_hessian.h) it is
// the reference for the other solvers there too: it falls to 1e-10 of the first gradient of a stage.
#include <fmt/format.h>

#include <functional>

#include "lab/contact_scenes.h"
#include "lab/experiment.h"
#include "lab/share.h"
#include "resilin/scene.h"
#include "setup/worst.h"

namespace resilin {
namespace {

using MakeSimulation = std::function<std::unique_ptr<Simulation>(const std::string& solver, const Values& params)>;

MakeSimulation of_gallery(const std::string& name) {
  return [name](const std::string& solver, const Values& params) {
    Value::Object own = params;
    own.emplace_back("type", solver);
    return build_simulation(load_scene(name, {{"solver", Value(own).dump()}}));
  };
}

MakeSimulation two_blocks(const Settings& s) {
  return [&s](const std::string& solver, const Values& params) {
    Builder builder = lab::box_stack(2, s.integer("cells"), s.number("young"), 0.007, 0.5);
    builder.contact({.friction = 0.5});
    return builder.simulation({.step = s.number("step"), .solver = {solver, params}});
  };
}

void study(const Settings& s, const std::string& name, const MakeSimulation& make, Findings& findings) {
  const auto past = make("quasi_newton", {});
  const auto newton =
      make("newton", {{"iterations", s.integer("iterations")},
                      {"gradient_tolerance", s.number("fall")},
                      {"hessian", s.text("hessian")},
                      {"start", "target"}});  // from free flight: a frame at rest begins at its end otherwise
  setup::Worst fall, iterations;
  lab::Share converged;
  for (int frame = 1; frame <= s.integer("frames"); ++frame) {
    if (frame % s.integer("every") == 0) {
      newton->set_state(past->state());
      const SolveReport report = newton->step().solve;
      const double ratio = report.residual / report.first_residual;
      fall.see(ratio), iterations.see(report.iterations), converged.see(report.status == Status::converged);
      findings.table_row({name, std::to_string(frame), std::to_string(report.iterations),
                          fmt::format("{:.1e}", report.first_residual), fmt::format("{:.1e}", ratio)});
    }
    past->step();
  }
  findings.at_most(name + ": last gradient over the first, worst frame", s.number("fall"), fall);
  converged.judge(name + ": converged", 1, findings);
  findings.report(name + ": iterations, most", iterations);
}

void run(const Settings& s, Findings& findings) {
  findings.table("Newton where bodies touch",
                 {"scene", "frame", "iterations", "first gradient [N]", "last / first"}, {});
  study(s, "two blocks", two_blocks(s), findings);
  for (const std::string name : {"stack", "pile"})
    if (s.text("scenes").find(name) != std::string::npos) study(s, name, of_gallery(name), findings);
  findings.differs_because(
      "Newton starts from free flight, which was decided after a look: the best rigid motion of a frame at rest is "
      "its "
      "end but for 2e-5 N, and rounding leaves 1e-5 of that.");
}

}  // namespace

ExperimentPlugin experiment_house_newton() {
  return {.title = "Newton converges where bodies touch",
          .source = "house",
          .doc = "Newton's method on frames of two blocks and of the scenes stack and pile: fall of the gradient.",
          .params = {text("scenes", "stack, pile", "of the gallery, besides two blocks"),
                     integer("cells", 3, between(1, 50), "cells along a side of a block"),
                     number("young", "Pa", 1e6, positive(), "Young's modulus of the blocks"),
                     number("step", "s", 1.0 / 60, positive(), "time step of the blocks"),
                     integer("frames", 90, between(1, 10000), "of every scene"),
                     integer("every", 9, between(1, 10000), "frames between those that Newton solves"),
                     integer("iterations", 300, between(1, 100000), "of Newton, at most"),
                     text("hessian", "filtered", "of Newton (resilin list newton)"),
                     number("fall", "", 1e-10, positive(), "of the gradient that is asked for")},
          .quick = Quick{.set = {{"scenes", ""}, {"frames", 20}, {"every", 5}}},
          .run = run};
}

}  // namespace resilin
