#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "resilin/builder.h"
#include "resilin/scene.h"
#include "resilin/watch.h"

namespace resilin {
namespace {

// Who holds the flag can stop the simulation whatever was edited since.
TEST(Cancel, OutlivesEditsOfParameters) {
  const auto scene = build_simulation(
      parse_scene(
          R"({"step": 0.02, "bodies": [{"shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [4, 1, 1]}}],
                      "pins": [{"select": "x_min"}]})",
          "beam.json"),
      1);
  std::atomic<bool> cancel = false;
  Blueprint made;
  const auto source = scene->source()->with("gravity", Value(9.0), made);
  SimulationOptions options = made.options;
  options.stop.cancel = &cancel;
  Simulation simulation(std::move(made.model), make_integrator("backward_euler"), make_solver("quasi_newton"),
                        options);
  simulation.set_source(source);
  for (const char* path : {"gravity", "step", "solver"}) {
    simulation.post(path == std::string("solver") ? SetParameter{path, Value("newton")}
                                                  : SetParameter{path, Value(0.01)});
    cancel = false;
    const StepReport report = simulation.step();
    ASSERT_EQ(report.edits.size(), 1u);
    EXPECT_EQ(report.edits[0].refused, "") << path;
    EXPECT_NE(report.status, Status::cancelled) << path;
    cancel = true;
    const std::vector<double> before = simulation.positions();
    EXPECT_EQ(simulation.step().status, Status::cancelled) << path;
    EXPECT_EQ(simulation.positions(), before) << path;
  }
}

const char* const block = R"({"step": 0.02, "solver": {"type": "SOLVER"}, "pins": [{"select": "x_min"}],
  "bodies": [{"shape": {"type": "box", "size": [1, 0.5, 0.5], "cells": [8, 4, 4]}, "material": {"type": "arap", "stiffness": 1e5}}]})";

std::unique_ptr<Simulation> block_with(const std::string& solver) {
  std::string text = block;
  text.replace(text.find("SOLVER"), 6, solver);
  return build_simulation(parse_scene(text, "block.json"), 2);
}

std::uint64_t after_steps(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) EXPECT_NE(simulation.step().status, Status::cancelled);
  return hash(simulation.state());
}

// Wherever the first step is stopped while it orders or factorises, it leaves the state as it was and nothing half
// made.
TEST(Cancel, AStoppedFactorisationLeavesNothingBehind) {
  for (const char* solver : {"quasi_newton", "newton", "projective_dynamics", "chebyshev", "admm"}) {
    std::atomic<int> checks = 0, last = std::numeric_limits<int>::max();
    std::vector<std::string> heard;
    const auto stop = [&] { return ++checks >= last; };
    const auto whole = block_with(solver);
    {
      const Watch watch([&](const std::string& what) { heard.push_back(what); }, stop);
      whole->step();
    }
    const int all = checks;
    ASSERT_GE(all, 4) << solver;
    ASSERT_GE(heard.size(), 2u) << solver;
    EXPECT_TRUE(heard[0].starts_with("ordering")) << heard[0];
    EXPECT_TRUE(heard[1].starts_with("factorising")) << heard[1];
    const std::uint64_t wanted = after_steps(*whole, 3);
    for (const int n : {1, 2, 3, all / 2, all}) {
      const auto stopped = block_with(solver);
      const std::vector<double> before = stopped->positions();
      {
        checks = 0, last = n;
        const Watch watch([](const std::string&) {}, stop);
        EXPECT_EQ(stopped->step().status, Status::cancelled) << solver << ", check " << n;
      }
      EXPECT_EQ(stopped->positions(), before);
      EXPECT_EQ(stopped->state().step, 0);
      EXPECT_EQ(after_steps(*stopped, 4), wanted) << solver << ", check " << n;
    }
  }
}

TEST(Cancel, BuildingASimulationCanBeStopped) {
  std::vector<std::string> heard;
  bool enough = false;
  const Watch watch([&](const std::string& what) { heard.push_back(what); }, [&] { return enough; });
  EXPECT_NE(block_with("newton"), nullptr);
  EXPECT_EQ(heard, (std::vector<std::string>{"meshing a box", "preparing the simulation"}));
  enough = true;
  EXPECT_THROW(block_with("newton"), Cancelled);
}

}  // namespace
}  // namespace resilin
