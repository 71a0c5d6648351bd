#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "resilin/errors.h"
#include "resilin/scene.h"
#include "resilin/solver.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

std::unique_ptr<Simulation> reduced(const char* solver, const char* integrator,
                                    Interaction interaction = Interaction::energy) {
  SimulationOptions options;
  options.reduction = ReductionSettings{.handles = 4, .fit_handles = 2, .samples = 20};
  options.reduction->interaction = interaction;
  return std::make_unique<Simulation>(solid(beam_mesh(2), 1000, "arap", {}), make_integrator(integrator),
                                      published_solver(solver), options);
}

// `reduction`, `bodies` and what follows them, as JSON.
std::unique_ptr<Simulation> scene(const std::string& reduction, const std::string& rest, double gravity = 0,
                                  int threads = 1) {
  return build_simulation(
      parse_scene(fmt::format(R"({{"step": 0.01, "gravity": {}, "contact": false, "reduction": {{{}}}, "bodies": {},
        "solver": {{"type": "projective_dynamics", "iterations": 10, "gradient_tolerance": 1e-12}}}})",
                              gravity, reduction, rest),
                  "reduced.json"),
      threads);
}
constexpr const char* few = R"("handles": 12, "fit_handles": 8, "samples": 60)";

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_NE(simulation.step().status, Status::not_finite);
}
double lowest(const Simulation& s) {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < s.positions().size(); i += 3) out = std::min(out, s.positions()[i]);
  return out;
}
State stretched(const Simulation& s, double factor) {
  State state;
  state.q = s.model().rest, state.v.assign(state.q.size(), 0.0);
  for (std::size_t i = 0; i < state.q.size(); i += 3) state.q[i] *= factor;
  return state;
}

TEST(ReducedSimulation, RefusesWhatWorksVertexByVertex) {
  EXPECT_THROW(reduced("newton", "backward_euler"), InputError);
  EXPECT_THROW(reduced("admm", "backward_euler"), InputError);
  EXPECT_THROW(reduced("quasi_newton", "linearly_implicit_euler"), InputError);
  EXPECT_THROW(reduced("quasi_newton", "runge_kutta4", Interaction::target), InputError);
}

TEST(ReducedSimulation, StepsWithIntegratorsOfSeveralKinds) {
  for (const char* integrator : {"backward_euler", "bdf2", "tr_bdf2", "implicit_midpoint", "runge_kutta4"}) {
    const auto simulation = reduced("quasi_newton", integrator);
    EXPECT_NE(simulation->step().status, Status::not_finite) << integrator;
    EXPECT_EQ(simulation->positions().size(), simulation->model().rest.size());
  }
}

// Tets, triangles, bending and springs at once, each with a fit of its own: it moves as with all elements.
TEST(ReducedSimulation, SeveralKindsOfConstraintsAreFittedAtOnce) {
  std::string edges, vertices;
  for (int i = 0; i < 90; ++i) {
    vertices += fmt::format("{}[{}, {}, 3]", i > 0 ? ", " : "", 0.1 * (i % 30), 0.1 * (i / 30));
    if (i % 30 > 0) edges += fmt::format("{}[{}, {}]", edges.empty() ? "" : ", ", i - 1, i);
    if (i >= 30) edges += fmt::format(", [{}, {}]", i - 30, i);
  }
  const std::string bodies = fmt::format(R"([
    {{"shape": {{"type": "box", "size": [2, 0.5, 0.5], "cells": [12, 3, 3]}}, "material": {{"type": "arap", "stiffness": 1e4}},
      "skin": {{"thickness": 0.01, "material": {{"type": "arap", "stiffness": 1e5}}, "bending": {{"type": "mean_curvature", "stiffness": 1}}}}}},
    {{"shell": {{"type": "grid", "size": [2, 1], "cells": [14, 8]}}, "thickness": 0.001, "material": {{"type": "arap", "stiffness": 1e5}},
      "bending": {{"type": "quadratic", "stiffness": 0.1}}, "translate": [0, 0, 2]}},
    {{"springs": {{"vertices": [{}], "edges": [{}], "stiffness": 100, "mass": 0.01}}}}])",
                                         vertices, edges);
  const auto fitted = scene(R"("handles": 40, "fit_handles": 30, "samples": 80)", bodies),
             whole = scene(R"("handles": 40, "fit_handles": 30, "samples": 100000)", bodies);
  const State start = stretched(*fitted, 1.2);
  fitted->set_state(start), whole->set_state(start);
  run(*fitted, 10), run(*whole, 10);
  const double moved = largest_difference(whole->positions(), start.q);
  EXPECT_GT(moved, 0.1);
  EXPECT_LT(largest_difference(fitted->positions(), whole->positions()), 0.2 * moved);
}

// The shell of Table 1, with few vertices: triangle strain and bending, held at an edge, swings down. All vertices
// are compared, before the free corners run ahead: where these are depends on the samples and on last bits.
TEST(ReducedSimulation, ASheetSwingsAsWithAllItsElements) {
  const char* sheet =
      R"([{"shell": {"type": "grid", "size": [1, 1], "cells": [20, 23]}, "thickness": 1e-3, "density": 300, "material": {"type": "arap", "stiffness": 1e5},
      "bending": {"type": "mean_curvature", "stiffness": 1e-4}, "rotate": {"axis": [1, 0, 0], "degrees": 90}}], "pins": [{"select": {"group": "y_max"}}])";
  const auto fitted = scene(R"("handles": 20, "fit_handles": 20, "samples": 200)", sheet, 9.81),
             whole = scene(R"("handles": 20, "fit_handles": 20, "samples": 100000)", sheet, 9.81);
  run(*fitted, 20), run(*whole, 20);
  const double fall = mean(whole->model().rest)[1] - mean(whole->positions())[1];
  EXPECT_GT(fall, 0.15);
  EXPECT_LT(mean_distance(fitted->positions(), whole->positions()), 0.15 * fall);
}

// Appendix A: a plane that moves the target.
constexpr const char* block =
    R"([{"shape": {"type": "box", "size": [1, 0.5, 0.5], "cells": [6, 3, 3], "center": [0, 0.3, 0]}, "material": {"type": "arap", "stiffness": 1e5}, )";
std::string on_plane(double speed) {
  return fmt::format(R"({} "initial": {{"velocity": [{}, 0, 0]}}}}], "obstacles": [{{"type": "plane"}}])", block,
                     speed);
}

TEST(ReducedSimulation, ABodyThatFallsOnAPlaneThatMovesTheTargetComesToRestThere) {
  const auto s = scene(std::string(few) + R"(, "interaction": "target")", on_plane(0), 9.81);
  run(*s, 200);
  EXPECT_NEAR(lowest(*s), 0, 0.01);
  const std::vector<double> before = s->positions();
  run(*s, 20);
  EXPECT_LE(largest_difference(s->positions(), before), 1e-3);
}

// Keeps the first stage that it is asked to minimise.
class StageRecorder final : public Solver {
 public:
  explicit StageRecorder(Stage& stage) : stage_(stage) {}
  bool needs_vertices() const override { return false; }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory&, const StopRule&) override {
    if (stage_.target.empty()) stage_ = problem.stage(), stage_.guess = y;
    return {};
  }
  Stage& stage_;
};

// compare and the plot of convergence minimise first_stage(). Its target is moved by the plane as in a step.
TEST(ReducedSimulation, TheFirstStageIsTheOneThatAStepMinimises) {
  const Model model = scene(few, on_plane(0), 9.81)->model();
  for (const char* integrator : {"backward_euler", "tr_bdf2", "bdf2", "implicit_midpoint"}) {
    SimulationOptions options;
    options.step = 0.05;
    options.reduction = ReductionSettings{.handles = 12, .fit_handles = 8, .samples = 60};
    std::vector<double> targets[2];
    for (const Interaction interaction : {Interaction::energy, Interaction::target}) {
      options.reduction->interaction = interaction;
      Stage solved;
      Simulation simulation(model, make_integrator(integrator), std::make_unique<StageRecorder>(solved), options);
      State fast = stretched(simulation, 1);
      for (std::size_t i = 1; i < fast.v.size(); i += 3) fast.v[i] = -10;  // through the plane within a step
      simulation.set_state(fast);
      const Stage first = simulation.first_stage();
      simulation.step();
      EXPECT_EQ(first.target, solved.target) << integrator;
      EXPECT_EQ(first.guess, solved.guess) << integrator;
      targets[interaction == Interaction::target ? 1 : 0] = first.target;
    }
    EXPECT_GT(largest_difference(targets[0], targets[1]), 0.05) << integrator;
  }
}

TEST(ReducedSimulation, FrictionOfAMovedTargetSlidesOrSticks) {
  std::vector<double> way;
  for (const double friction : {0.0, 1.0}) {
    const auto s =
        scene(fmt::format(R"({}, "interaction": "target", "friction": {})", few, friction), on_plane(1), 9.81);
    run(*s, 60);
    const double before = mean(s->positions())[0];
    run(*s, 40);
    way.push_back(mean(s->positions())[0] - before);
  }
  EXPECT_NEAR(way[0], 0.4, 0.04);
  EXPECT_NEAR(way[1], 0, 0.01);
}

TEST(ReducedSimulation, RepulsionThrowsBack) {
  std::vector<double> speed;  // right after the impact: later on the elasticity of the body decides
  for (const double repulsion : {0.0, 0.8}) {
    const auto s =
        scene(fmt::format(R"({}, "interaction": "target", "repulsion": {})", few, repulsion), on_plane(0), 9.81);
    while (lowest(*s) > 0.005) run(*s, 1);
    run(*s, 2);
    speed.push_back(mean(s->velocities())[1]);
  }
  EXPECT_GT(speed[1], speed[0] + 0.05) << speed[0];
  EXPECT_THROW(scene(std::string(few) + R"(, "repulsion": 0.5)", on_plane(0)), InputError);
}

TEST(ReducedSimulation, AHandThatMovesTheTargetTakesTheBodyAlong) {
  const auto s =
      scene(std::string(few) + R"(, "interaction": "target")", std::string(block) + R"("name": "block"}])");
  const int v = 0;
  const std::vector<double> rest = s->model().rest;
  s->post(Drag{"hand", {v}, {rest[0], rest[1] + 1, rest[2]}, 1e5});
  run(*s, 300);
  EXPECT_NEAR(s->positions()[1] - rest[1], 1, 0.05);
  s->post(Release{"hand"});
  run(*s, 1);
  EXPECT_TRUE(s->step().edits.empty());
}

// ---- edits

std::string bar(const std::string& stiffness) {
  return fmt::format(
      R"([{{"shape": {{"type": "box", "size": [2, 0.5, 0.5], "cells": [8, 2, 2]}}, "material": {{"type": "arap", "stiffness": 1e4}},
      "regions": [{{"select": {{"box": [[-3, -3, -3], [-0.4, 3, 3]]}}, "material": {{"stiffness": {}}}}}]}}])",
      stiffness);
}

// Projections do not depend on the stiffness, so that a fit that was changed is the one that would have been made.
TEST(ReducedSimulation, StiffnessThatChangesInAPartIsFittedAnew) {
  const auto direct = scene(few, bar("1e5")), edited = scene(few, bar("1e4")), back = scene(few, bar("1e4"));
  const State start = stretched(*direct, 1.3);
  for (auto* s : {&direct, &edited, &back}) (*s)->set_state(start);
  const auto plain = scene(few, bar("1e4"));
  plain->set_state(start);
  const char* path = "bodies[0].regions[0].material.stiffness";
  edited->post(SetParameter{path, 1e5});
  back->post(SetParameter{path, 3e4});
  back->post(SetParameter{path, 1e4});
  for (auto* s : {&direct, &edited, &back, &plain}) run(**s, 8);
  for (const EditRecord& record : edited->edits()) EXPECT_EQ(record.refused, "");
  EXPECT_LE(largest_difference(edited->positions(), direct->positions()), 1e-9);
  EXPECT_EQ(back->positions(), plain->positions());
  EXPECT_GT(largest_difference(edited->positions(), plain->positions()), 0.01);
}

// Parts and wholes; factors that are still there are taken again.
TEST(ReducedSimulation, WhatWasChangedInBetweenLeavesNoTrace) {
  for (const char* path : {"bodies[0].regions[0].material.stiffness", "bodies[0].material.stiffness"}) {
    const auto once = scene(few, bar("1e4")), twice = scene(few, bar("1e4"));
    const State start = stretched(*once, 1.3);
    for (const double stiffness : {3e4, 1e4, 3e4}) {
      run(*twice, 1);
      twice->post(SetParameter{path, stiffness});
    }
    run(*twice, 1);
    for (auto* s : {&once, &twice}) {
      (*s)->set_state(start);
      (*s)->post(SetParameter{path, 3e4});
      run(**s, 5);
    }
    EXPECT_EQ(once->positions(), twice->positions()) << path;
  }
}

// Two ladders of springs side by side; an edit ties them together, pins one and lets it go again.
TEST(ReducedSimulation, ConstraintsComeAndGoWhileItRuns) {
  constexpr int length = 20;
  Value::List edges;
  std::string vertices, apart;
  const auto tie = [&](int a, int b) {
    edges.push_back(Value::List{a, b});
    apart += fmt::format("{}[{}, {}]", apart.empty() ? "" : ", ", a, b);
  };
  for (int i = 0; i < 4 * length; ++i) {
    vertices += fmt::format("{}[{}, {}, 0]", i > 0 ? ", " : "", i % length, i / length);
    if (i % length > 0) tie(i - 1, i);
    if (i / length % 2 == 1) tie(i - length, i);
  }
  const auto s =
      scene(R"("handles": 12, "fit_handles": 8, "samples": 20)",
            fmt::format(R"([{{"springs": {{"vertices": [{}], "edges": [{}], "stiffness": 1000, "mass": 0.01}}}}],
      "pins": [{{"select": {{"indices": [0, 20]}}, "kind": "soft", "stiffness": 1e4}}])",
                        vertices, apart),
            9.81);
  const auto height = [&](int v) { return s->positions()[3 * static_cast<std::size_t>(v) + 1]; };
  run(*s, 20);
  EXPECT_LT(height(79), 3 - 0.1);  // the ladder that nothing holds falls
  s->post(PinVertices{{79}, {}});
  edges.push_back(Value::List{20, 40}), edges.push_back(Value::List{39, 59});
  s->post(SetParameter{"bodies[0].springs.edges", edges});
  run(*s, 1);
  const double pinned = height(79);
  run(*s, 30);
  EXPECT_NEAR(height(79), pinned, 0.02);
  s->post(UnpinVertices{{79}});
  run(*s, 30);
  EXPECT_LT(height(79), pinned - 0.05);
  EXPECT_GT(height(40), -2) << "it hangs on the other one";
  for (const EditRecord& record : s->edits()) EXPECT_EQ(record.refused, "");
}

// A projection onto one stretch is one onto a volume and no shear.
TEST(ReducedSimulation, VolumesFollowTheirTargetsInProjectiveDynamics) {
  const auto s =
      scene(R"("handles": 12, "fit_handles": 8, "samples": 60)",
            R"([{"shape": {"type": "box", "cells": [4, 4, 4]}, "material": {"type": "arap", "stiffness": 1e3},
      "potentials": [{"type": "strain_limit", "low": 1, "high": 1, "stiffness": 1e5}]}])");
  for (const double target : {1.5, 0.7}) {
    const bool grows = target > 1;  // low stays below high
    for (const char* end : {grows ? "high" : "low", grows ? "low" : "high"})
      s->post(SetParameter{fmt::format("bodies[0].potentials[0].{}", end), std::cbrt(target)});
    run(*s, 300);
    EXPECT_NEAR(tet_volume(s->positions(), s->model().bodies[0]), target, 0.05 * target);
  }
}

}  // namespace
}  // namespace resilin::test
