#include <gtest/gtest.h>

#include <atomic>

#include "resilin/builder.h"
#include "resilin/scene.h"

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

}  // namespace
}  // namespace resilin
