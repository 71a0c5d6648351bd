// A reduced body whose stiffness is another one than when it was reduced is as one that was made so; and a soft
// pull at one has the impulse of its force.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "resilin/scene.h"
#include "resilin/solver.h"
#include "support/measures.h"

namespace resilin {
namespace {

using test::largest_difference;

constexpr double step = 0.01;

// A bar, the left third of which may have a stiffness of its own.
std::unique_ptr<Simulation> bar(double stiffness, double left, const std::string& more = "") {
  return build_simulation(parse_scene(fmt::format(R"({{"step": {}, "gravity": 0, "contact": false,
        "reduction": {{"handles": 12, "fit_handles": 8, "samples": 60{}}},
        "bodies": [{{"shape": {{"type": "box", "size": [2, 0.5, 0.5], "cells": [8, 2, 2]}},
                     "material": {{"type": "arap", "stiffness": {}}},
                     "regions": [{{"select": {{"box": [[-3, -3, -3], [-0.4, 3, 3]]}},
                                   "material": {{"stiffness": {}}}}}]}}],
        "solver": {{"type": "projective_dynamics", "iterations": 10, "gradient_tolerance": 1e-12}}}})",
                                                  step, more, stiffness, left),
                                      "bar.json"),
                          1);
}

void stretch(Simulation& simulation) {
  State state;
  state.q = simulation.model().rest, state.v.assign(state.q.size(), 0.0);
  for (std::size_t i = 0; i < state.q.size(); i += 3) state.q[i] *= 1.3;
  simulation.set_state(state);
}

// All elements by one factor; most by one factor and the others by another; or the others only.
TEST(ReducedEdits, StiffnessThatWasChangedIsThatOfABodyMadeSo) {
  const struct { double stiffness, left; } cases[] = {{4e4, 4e4}, {4e4, 1e4}, {4e4, 9e4}, {1e4, 9e4}, {2e3, 1e4}};
  for (const auto& [stiffness, left] : cases) {
    const auto direct = bar(stiffness, left), edited = bar(1e4, 1e4), plain = bar(1e4, 1e4);
    edited->post(SetParameter{"bodies[0].material.stiffness", stiffness});
    edited->post(SetParameter{"bodies[0].regions[0].material.stiffness", left});
    for (auto* s : {&direct, &edited, &plain}) {
      stretch(**s);
      for (int i = 0; i < 6; ++i) ASSERT_NE((*s)->step().status, Status::not_finite);
    }
    for (const EditRecord& record : edited->edits()) EXPECT_EQ(record.refused, "");
    EXPECT_LE(largest_difference(edited->positions(), direct->positions()), 1e-8) << stiffness << " " << left;
    EXPECT_GT(largest_difference(edited->positions(), plain->positions()), 1e-3) << stiffness << " " << left;
  }
}

// A soft spring of a hand gives its force times the step to the body as a whole.
TEST(ReducedEdits, AHandThatMovesTheTargetGivesItsImpulse) {
  const double stiffness = 20;
  const auto simulation = bar(1e4, 1e4, R"(, "interaction": "target")");
  const std::vector<double> rest = simulation->model().rest;
  simulation->post(Drag{"hand", {0}, {rest[0], rest[1] + 1, rest[2]}, stiffness});
  simulation->step();
  EXPECT_NEAR(simulation->momentum()[1], stiffness * step, 0.02 * stiffness * step);
}

}  // namespace
}  // namespace resilin
