#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "problem/dynamic_system.h"
#include "resilin/edit.h"
#include "resilin/errors.h"
#include "resilin/scene.h"
#include "resilin/simulation.h"
#include "solvers/precondition/factor.h"
#include "support/setup.h"

namespace resilin {
namespace {

using test::largest_difference;

const char* const text = R"({
  "step": 0.02, "solver": "quasi_newton",
  "bodies": [{"name": "beam", "shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [8, 2, 2]},
              "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.3}}],
  "pins": [{"select": "x_min"}]})";

std::unique_ptr<Simulation> beam(const std::vector<Override>& overrides = {}, int threads = 1) {
  return build_simulation(parse_scene(text, "beam.json", overrides), threads);
}
void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_NE(simulation.step().status, Status::not_finite);
}
TEST(Edit, JsonFormsComeBack) {
  const std::vector<Edit> all = {SetParameter{"gravity", 3.5},
                                 Drag{"hand", {1, 2}, {0.1, 0.2, 0.3}, 50, {1, 2, 3, 4, 5, 6}, {0.25, 0.75}},
                                 Release{"hand"},
                                 PinVertices{{3, 4}, {0, 0, 0, 1, 1, 1}},
                                 UnpinVertices{{3}},
                                 SetState{{1, 2, 3}, {4, 5, 6}},
                                 Reset{},
                                 Flatten{"beam", 2},
                                 Randomise{"beam", 7},
                                 Kick{"", {1, 2, 3}}};
  ASSERT_EQ(all.size(), edit_names().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Value once = write_edit(all[i]);
    EXPECT_EQ(read_edit(once).index(), i);
    EXPECT_EQ(write_edit(read_edit(parse_json(once.dump(), "test"))).dump(), once.dump());
    const EditRecord record = read_record(write_record({12, all[i], "no"}));
    EXPECT_EQ(record.step, 12);
    EXPECT_EQ(record.refused, "no");
  }
  EXPECT_THROW(read_edit(parse_json(R"({"edit": "drop"})", "test")), InputError);
  EXPECT_THROW(read_edit(parse_json(R"({"edit": "kick", "speed": 3})", "test")), InputError);
}

// The first state is that of the scene as it is now, unless somebody has given another one.
TEST(Edit, AResetGoesBackToTheFirstStateOfTheEditedScene) {
  const std::string path = "bodies[0].initial";
  const Value spin = Value::Object{{"velocity", Value::List{0, 0, 1.5}}};
  const auto edited = beam(), anew = beam({{path, spin.dump()}});
  run(*edited, 3);
  edited->post(SetParameter{path, spin}), edited->post(Reset{});
  State first = anew->state();
  first.time = edited->state().time, first.step = edited->state().step;
  anew->set_state(first);
  run(*edited, 1), run(*anew, 1);
  EXPECT_EQ(edited->positions(), anew->positions());

  const auto own = beam();
  State moved = own->state();
  for (double& v : moved.v) v += 0.25;
  own->set_state(moved);
  own->post(SetParameter{path, spin}), own->post(Reset{});
  StepReport report = own->step();
  ASSERT_EQ(report.edits.size(), 2u);
  const auto plain = beam({{path, spin.dump()}});
  plain->set_state(moved);
  run(*plain, 1);
  EXPECT_EQ(own->positions(), plain->positions());
}

// The corners of a triangle by barycentric weights: the same force as at the point, and nothing of corners that it
// is not made of.
TEST(Edit, ADragOfASurfacePointPullsByItsWeights) {
  const auto one = beam(), three = beam();
  const Body& body = one->model().bodies[0];
  const auto corner = std::find_if(body.triangles.begin(), body.triangles.end(), [&](int v) {
    return one->model().rest[3 * static_cast<std::size_t>(v)] == 0.5;
  });
  ASSERT_NE(corner, body.triangles.end());
  const std::size_t first = static_cast<std::size_t>(corner - body.triangles.begin()) / 3 * 3,
                    at = static_cast<std::size_t>(corner - body.triangles.begin()) - first;
  const std::vector<int> triangle(body.triangles.begin() + first, body.triangles.begin() + first + 3);
  std::vector<double> weights = {0, 0, 0};
  weights[at] = 1;
  const std::array<double, 3> target{0.8, 0.4, 0.2};
  one->post(Drag{"hand", {*corner}, target, 400});
  three->post(Drag{"hand", triangle, target, 400, {}, weights});
  run(*one, 10), run(*three, 10);
  EXPECT_LT(largest_difference(one->positions(), three->positions()), 1e-9);
  EXPECT_GT(largest_difference(one->positions(), one->model().rest), 0.05);
  for (const std::vector<double>& wrong :
       {std::vector<double>{0.5, 0.5}, std::vector<double>{0.5, 0.2, 0.2}, std::vector<double>{1.5, -0.25, -0.25},
        std::vector<double>{std::numeric_limits<double>::quiet_NaN(), 0.5, 0.5}}) {
    three->post(Drag{"other", triangle, target, 400, {}, wrong});
    EXPECT_NE(three->step().edits.at(0).refused, "");
  }
}

// Whatever parameter is changed: from there on the simulation is the one that the changed scene gives.
TEST(Edit, AChangedParameterGivesTheSimulationOfTheChangedScene) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"bodies[0].material.young", "1e6"},
      {"bodies[0].material", R"({"type": "corotated", "young": 2e5})"},
      {"bodies[0].damping", R"({"type": "strain_rate", "shear": 50})"},
      {"gravity", "3"},
      {"step", "0.01"},
      {"bodies[0].density", "500"},
      {"solver.iterations", "7"},
      {"solver", R"({"type": "newton"})"},
      {"integrator", "\"tr_bdf2\""},
      {"obstacles", R"([{"type": "plane", "height": -0.2}])"},
      {"pins[0].motion", R"([{"translate": {"direction": [0, 1, 0], "amplitude": 0.1, "frequency": 2}}])"}};
  for (const std::string integrator : {"backward_euler", "tr_bdf2", "bdf2"})
    for (const auto& [path, value] : changes) {
      const auto edited = beam({{"integrator", "\"" + integrator + "\""}});
      run(*edited, 4);
      edited->post(SetParameter{path, parse_json(value, "test")});
      const auto fresh = beam({{"integrator", "\"" + integrator + "\""}, {path, value}});
      fresh->set_state(edited->state());
      const StepReport report = edited->step();
      ASSERT_EQ(report.edits.size(), 1u);
      EXPECT_EQ(report.edits[0].refused, "") << path;
      fresh->step();
      EXPECT_LE(largest_difference(edited->positions(), fresh->positions()), 1e-12) << path << " " << integrator;
      run(*edited, 3), run(*fresh, 3);
      EXPECT_LE(largest_difference(edited->positions(), fresh->positions()), 1e-12) << path << " " << integrator;
    }
}

// Whatever a solver keeps (factors, patterns, packs of constraints, weights) is not used for another model.
TEST(Edit, NoSolverKeepsWhatIsStale) {
  for (const std::string solver :
       {"quasi_newton", "newton", "projective_dynamics", "admm", "xpbd", "pbd", "chebyshev"}) {
    const std::vector<Override> soft = {{"solver", "\"" + solver + "\""},
                                        {"bodies[0].material", R"({"type": "arap", "stiffness": 2e4})"}};
    const auto edited = beam(soft);
    run(*edited, 3);
    const int tip = edited->model().vertex_count() - 1;
    for (const Edit& edit :
         std::vector<Edit>{PinVertices{{tip}}, SetParameter{"bodies[0].material.stiffness", 2e5},
                           UnpinVertices{{tip}}, SetParameter{"bodies[0].material.stiffness", 2e4}}) {
      edited->post(edit);
      const State before = edited->state();
      ASSERT_EQ(edited->step().edits.back().refused, "") << solver;
      const auto fresh = beam(soft);
      fresh->restore(edited->edits());
      fresh->set_state(before);
      fresh->step();
      EXPECT_LE(largest_difference(edited->positions(), fresh->positions()), 1e-12)
          << solver << " edit " << edit.index();
    }
  }
}

// The state knows of which model its memory is.
TEST(Edit, AnOldStateDoesNotBringStaleForces) {
  for (const std::string integrator : {"\"tr_bdf2\"", "\"trapezoidal\"", "\"bdf2\""}) {
    const auto soft = beam({{"integrator", integrator}});
    run(*soft, 5);
    const auto with = beam({{"integrator", integrator}, {"bodies[0].material.young", "1e6"}}),
               without = beam({{"integrator", integrator}, {"bodies[0].material.young", "1e6"}});
    State state = soft->state();
    with->set_state(state);
    state.history = {}, state.solver = {};
    without->set_state(state);
    run(*with, 1), run(*without, 1);
    EXPECT_EQ(hash(with->state()), hash(without->state())) << integrator;
  }
}

TEST(Edit, RefusedOnesSayWhyAndChangeNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<Edit, std::string>> wrong = {
      {SetParameter{"bodies[0].material.young", -1}, "young"},
      {SetParameter{"bodies[0].material.yuong", 1e5}, "young"},
      {SetParameter{"bodies[3].density", 1}, "bodies"},
      {SetParameter{"bodies[0].shape.cells", Value::List{3, 3, 3}}, "other vertices"},
      {SetParameter{"solver", "projective_dynamics"}, "neo_hookean"},
      {Drag{"hand", {-1}}, "-1"},
      {Drag{"hand", {5, 5}}, "twice"},
      {Drag{"hand"}, "hand"},
      {Drag{"hand", {5}, {nan, 0, 0}}, "finite"},
      {Release{"hand"}, "hand"},
      {PinVertices{{}}, "no vertices"},
      {PinVertices{{100000}}, "100000"},
      {UnpinVertices{{80}}, "not pinned"},
      {SetState{{1, 2, 3}, {}}, "3 numbers"},
      {Kick{"bean", {1, 0, 0}}, "beam"},
      {Flatten{"", 3}, "axis"},
  };
  const auto plain = beam(), edited = beam();
  for (const auto& [edit, word] : wrong) {
    edited->post(edit);
    const StepReport report = edited->step();
    plain->step();
    ASSERT_EQ(report.edits.size(), 1u);
    EXPECT_NE(report.edits[0].refused.find(word), std::string::npos) << report.edits[0].refused << " / " << word;
    EXPECT_EQ(hash(edited->state()), hash(plain->state())) << word;
    EXPECT_EQ(edited->system().revision(), plain->system().revision()) << word;
  }
}

TEST(Edit, ADragPullsWithoutAFactorisationAndLetsGo) {
  for (const std::string solver : {"quasi_newton", "newton", "admm", "xpbd", "projective_dynamics"}) {
    const auto simulation = beam({{"solver", "\"" + solver + "\""},
                                  {"gravity", "0"},
                                  {"step", "0.01"},
                                  {"bodies[0].material", R"({"type": "arap", "stiffness": 1e5})"}});
    run(*simulation, 2);
    const int tip = simulation->model().vertex_count() - 1;
    const double* x = &simulation->positions()[3 * static_cast<std::size_t>(tip)];
    const std::array<double, 3> target = {x[0] - 0.02, x[1] + 0.05, x[2]};
    simulation->post(Drag{"hand", {tip}, target, 1e6});
    int factorisations = 0;
    for (int i = 0; i < 60; ++i) factorisations += simulation->step().solve.factorisations;
    if (solver != "newton") {
      EXPECT_EQ(factorisations, 0) << solver;
    }
    EXPECT_LE(std::hypot(x[0] - target[0], x[1] - target[1], x[2] - target[2]), 5e-3) << solver;
    simulation->post(Release{"hand"});
    double away = 0;
    for (int i = 0; i < 60; ++i) {
      simulation->step();
      away = std::max(away, std::hypot(x[0] - target[0], x[1] - target[1], x[2] - target[2]));
    }
    EXPECT_GE(away, 0.04) << solver;
  }
}

TEST(Edit, PinsHoldAndLetGo) {
  const auto simulation = beam();
  run(*simulation, 5);
  const int tip = simulation->model().vertex_count() - 1;
  const std::vector<double> held(simulation->positions().begin() + 3 * tip, simulation->positions().end());
  simulation->post(PinVertices{{tip}});
  run(*simulation, 10);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(simulation->positions()[3 * static_cast<std::size_t>(tip) + k], held[k]);
  simulation->post(SetParameter{"bodies[0].material.young", 5e4});  // the pin outlives a change of the scene
  run(*simulation, 5);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(simulation->positions()[3 * static_cast<std::size_t>(tip) + k], held[k]);
  std::vector<int> all;
  for (const Pin& pin : simulation->model().pins) all.insert(all.end(), pin.vertices.begin(), pin.vertices.end());
  simulation->post(UnpinVertices{all});
  const double before = simulation->momentum()[1];
  run(*simulation, 10);
  EXPECT_NEAR(simulation->momentum()[1] - before, -9.81 * 0.2 * simulation->model().total_mass(),
              0.5 * simulation->model().total_mass());
}

TEST(Edit, AbuseIsRecoveredFrom) {
  const auto simulation = beam();
  for (const Edit& edit :
       std::vector<Edit>{Flatten{"beam", 1}, Randomise{"beam", 3}, Kick{"", {0, 30, 0}}, Reset{}}) {
    simulation->post(edit);
    run(*simulation, 3);
  }
  simulation->post(Reset{});
  const StepReport report = simulation->step();
  EXPECT_EQ(report.edits.size(), 1u);
  EXPECT_LE(largest_difference(simulation->positions(), simulation->model().rest), 0.01);
}

// Contact with itself must not hold a body in the shape that an edit has given it.
TEST(Edit, AbuseIsRecoveredFromWithContact) {
  for (const Edit& edit : std::vector<Edit>{Flatten{"beam", 1}, Randomise{"beam", 5}}) {
    const auto touching = beam({{"contact", "true"}}), passing = beam({{"contact", "false"}});
    for (const auto& simulation : {touching.get(), passing.get()}) {
      simulation->post(edit);
      run(*simulation, 15);
      EXPECT_EQ(simulation->step().status, Status::converged);
    }
    EXPECT_LT(largest_difference(touching->positions(), passing->positions()), 1e-9);
  }
}

TEST(Edit, LoggedOnesGiveTheSameBitsAgain) {
  const auto first = beam();
  const std::vector<std::pair<int, Edit>> plan = {{2, Drag{"hand", {100}, {1, 0.3, 0}, 500}},
                                                  {3, Kick{"", {0, 1, 0}}},
                                                  {5, SetParameter{"bodies[0].material.young", 3e5}},
                                                  {6, Randomise{"", 5}},
                                                  {8, Drag{"hand", {}, {1, 0.5, 0}, 500}},
                                                  {9, PinVertices{{60}}},
                                                  {11, Release{"hand"}},
                                                  {12, Release{"nobody"}}};
  const auto play = [&](Simulation& simulation, int from, int to) {
    for (int i = from; i < to; ++i) {
      for (const auto& [step, edit] : plan)
        if (step == i) simulation.post(edit);
      simulation.step();
    }
  };
  play(*first, 0, 20);
  const auto again = beam({}, 2);
  std::size_t next = 0;
  for (int i = 0; i < 20; ++i) {
    for (; next < first->edits().size() && first->edits()[next].step == i; ++next)
      again->post(first->edits()[next].edit);
    again->step();
  }
  EXPECT_EQ(hash(again->state()), hash(first->state()));
  // From the middle: the log and the state are all it takes.
  const auto half = beam();
  play(*half, 0, 10);
  const auto resumed = beam();
  resumed->restore(half->edits());
  resumed->set_state(half->state());
  play(*resumed, 10, 20);
  EXPECT_EQ(hash(resumed->state()), hash(first->state()));
  EXPECT_EQ(resumed->edits().size(), first->edits().size());
}

TEST(Edit, MayBePostedByObserversAndThreads) {
  const auto simulation = beam();
  int calls = 0, number = 0;
  number = simulation->observe([&](const Simulation& s, const StepReport&) {
    const_cast<Simulation&>(s).post(Kick{"", {0, 0.1, 0}});
    if (++calls == 3) const_cast<Simulation&>(s).unobserve(number);
  });
  std::thread other([&] {
    for (int i = 0; i < 50; ++i) simulation->post(Kick{"", {0, 1e-3, 0}});
  });
  run(*simulation, 6);
  other.join();
  run(*simulation, 1);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(simulation->edits().size(), 53u);
}

TEST(Readers, ArraysStayWhereTheyAre) {
  const auto simulation = beam();
  const double *q = simulation->positions().data(), *v = simulation->velocities().data();
  run(*simulation, 3);
  State state = simulation->state();
  simulation->set_state(state);
  run(*simulation, 1);
  EXPECT_EQ(simulation->positions().data(), q);
  EXPECT_EQ(simulation->velocities().data(), v);
}

// ---- what a change costs ----------------------------------------------------------------------------------------

class Costs : public ::testing::Test {
 protected:
  Costs() : model_(setup::solid(setup::beam_mesh(2), 1000, "neo_hookean", {})), pool_(1), system_(model_, pool_) {
    Stage stage;
    stage.tau = 0.01, stage.target = stage.origin = stage.guess = model_.rest;
    stage.velocity.assign(model_.rest.size(), 0.0);
    system_.begin(stage);
    factor_.prepare(system_.problem());
  }
  Model model_;
  ThreadPool pool_;
  DynamicSystem system_;
  Factor factor_{"cholesky"};
};

TEST_F(Costs, OtherNumbersKeepTheSymbolicAnalysis) {
  const Revision before = system_.revision();
  const int analyses = factor_.analyses();
  setup::set_material(model_, 0, "neo_hookean", {{"young", 7e5}});
  system_.update();
  EXPECT_EQ(system_.revision().structure, before.structure);
  EXPECT_NE(system_.revision().stiffness, before.stiffness);
  EXPECT_TRUE(factor_.prepare(system_.problem()));
  EXPECT_TRUE(factor_.prepare(system_.problem()) == false);
  EXPECT_EQ(factor_.analyses(), analyses + 1) << "the second slot has none yet";
  setup::set_material(model_, 0, "neo_hookean", {{"young", 8e5}});
  system_.update();
  EXPECT_TRUE(factor_.prepare(system_.problem()));
  EXPECT_EQ(factor_.analyses(), analyses + 1);
}

TEST_F(Costs, AnotherFunctionKeepsTheFactor) {
  const Revision before = system_.revision();
  model_.gravity = {0, -3, 0};
  model_.listed.push_back({"hand", Elements::points(std::array{3}), {}});
  system_.update(false);
  EXPECT_EQ(system_.revision().energy, before.energy);
  EXPECT_NE(system_.revision().function, before.function);
  EXPECT_FALSE(factor_.prepare(system_.problem()));
}

TEST_F(Costs, APinChangesTheStructure) {
  const Revision before = system_.revision();
  setup::pin(model_, {0, 1, 2});
  system_.update(false);
  EXPECT_NE(system_.revision().structure, before.structure);
  EXPECT_EQ(system_.space().free_rows(), model_.vertex_count() - 3);
  EXPECT_TRUE(factor_.prepare(system_.problem()));
  model_.pins.clear();
  system_.update(false);
  EXPECT_EQ(system_.revision(), before);
  EXPECT_FALSE(factor_.prepare(system_.problem())) << "its factor is there still";
}

}  // namespace
}  // namespace resilin
