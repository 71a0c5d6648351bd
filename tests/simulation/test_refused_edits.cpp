#include <gtest/gtest.h>

#include "resilin/scene.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

std::unique_ptr<Simulation> beam() {
  return build_simulation(parse_scene(R"({"step": 0.02, "solver": "projective_dynamics",
                      "bodies": [{"shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [4, 1, 1]},
                                  "material": {"type": "arap", "stiffness": 1e5}}],
                      "pins": [{"select": "x_min"}]})",
                                      "beam.json"),
                          1);
}

// A material that the solver cannot take is found out when it already stands in the model: it is taken out again.
TEST(Edit, WhatTheSolverRefusesChangesNothing) {
  const auto edited = beam(), plain = beam();
  edited->step(), plain->step();
  edited->post(SetParameter{"bodies[0].material.type", Value("neo_hookean")});
  edited->post(SetParameter{"bodies[0].material", parse_json(R"({"type": "neo_hookean", "young": 1e6})", "test")});
  const StepReport report = edited->step();
  ASSERT_EQ(report.edits.size(), 2u);
  for (const EditRecord& edit : report.edits) EXPECT_NE(edit.refused, "");
  plain->step();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(edited->step().status, plain->step().status);
    EXPECT_EQ(hash(edited->state()), hash(plain->state())) << i;
  }
  EXPECT_EQ(edited->model().terms[0].elastic[0]->name(), "arap");
}

}  // namespace
}  // namespace resilin
