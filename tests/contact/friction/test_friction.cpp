// Anchored Coulomb friction: its formulas, the objective with it, whoever minimises that, and what the state keeps
// of it.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/friction/friction.h"
#include "contact/obstacles/obstacle_potential.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "setup/slope.h"
#include "simd/pack.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

struct Derived {
  double psi, gradient[3], hessian[6];
};
Derived at(const Friction& friction, int element, const std::array<double, 3>& z) {
  const std::vector<int> slots(lanes, element);
  alignas(64) double x[3 * lanes], psi[lanes] = {}, gradient[3 * lanes] = {}, hessian[6 * lanes] = {};
  for (std::size_t k = 0; k < 3; ++k) std::fill_n(x + k * lanes, lanes, z[k]);
  Block block;
  block.rows = 1, block.packs = 1, block.z = x, block.psi = psi, block.dpsi_z = gradient, block.d2psi_z = hessian;
  friction.pack(slots)->evaluate(block);
  Derived out{psi[5], {}, {}};
  for (std::size_t k = 0; k < 3; ++k) out.gradient[k] = gradient[k * lanes + 5];
  for (std::size_t k = 0; k < 6; ++k) out.hessian[k] = hessian[k * lanes + 5];
  return out;
}

std::vector<FrictionContact> some_contacts() {
  FrictionContact level{{1, 2, 3}, {0, 1, 0}, 50, 4}, tilted{{-1, 0.5, 0}, {0.6, 0, -0.8}, 2e3, 0.3},
      free{{0, 0, 0}, {0, 0, 1}, 10, 0};
  return {level, tilted, free};
}

// Within the cone and outside of it, by central differences; nothing pushes or pulls along the normal.
TEST(Friction, DerivativesMatchTheEnergy) {
  for (const ElementKind kind : {ElementKind::point, ElementKind::pair}) {
    const Friction friction(kind, some_contacts());
    Random random(3);
    for (int trial = 0; trial < 60; ++trial) {
      const int e = trial % 3;
      const FrictionContact& c = friction.contacts()[static_cast<std::size_t>(e)];
      const double reach = (trial % 2 == 0 ? 0.4 : 3) * (c.limit > 0 ? c.limit / c.stiffness : 1);
      std::array<double, 3> z;
      for (std::size_t k = 0; k < 3; ++k) z[k] = c.anchor[k] + reach * random.normal();
      const Derived here = at(friction, e, z);
      const double d = 1e-6 * reach, scale = c.limit + 1e-3;
      double along = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        auto up = z, down = z;
        up[k] += d, down[k] -= d;
        const Derived above = at(friction, e, up), below = at(friction, e, down);
        EXPECT_NEAR((above.psi - below.psi) / (2 * d), here.gradient[k], 1e-6 * scale);
        const auto slip = slip_of(c, z.data());
        const double distance = std::abs(c.stiffness * std::hypot(slip[0], slip[1], slip[2]) - c.limit);
        for (std::size_t l = 0; l < 3 && distance > 10 * d * c.stiffness; ++l)
          EXPECT_NEAR((above.gradient[l] - below.gradient[l]) / (2 * d),
                      here.hessian[k >= l ? k * (k + 1) / 2 + l : l * (l + 1) / 2 + k], 1e-4 * c.stiffness);
        along += here.gradient[k] * c.normal[k];
      }
      EXPECT_NEAR(along, 0, 1e-12 * scale);
      EXPECT_LE(std::hypot(here.gradient[0], here.gradient[1], here.gradient[2]), c.limit * (1 + 1e-14));
    }
  }
}

TEST(Friction, TheReturnMapEndsOnTheConeAndLeavesWhatSticksAlone) {
  FrictionContact contact{{1, 2, 3}, {0, 1, 0}, 50, 4};
  const FrictionContact before = contact;
  const double sticks[3] = {1.05, 1.9, 3.02}, slides[3] = {1.3, 1.9, 3.4};
  EXPECT_TRUE(return_map(contact, sticks));
  EXPECT_EQ(contact.anchor, before.anchor);
  EXPECT_FALSE(return_map(contact, slides));
  const auto u = slip_of(contact, slides);
  EXPECT_NEAR(50 * std::hypot(u[0], u[1], u[2]), 4, 1e-12);
  EXPECT_NEAR(u[0] / u[2], 0.3 / 0.4, 1e-12);  // still behind it, along the way it went
  EXPECT_NEAR(u[1], 0, 1e-15);
}

// ---- the objective
// -----------------------------------------------------------------------------------------------------

// A beam that is pressed into a slope, all of whose anchors are where it stands.
Model pressed(double mu) {
  Model model = solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.3}});
  model.gravity = {3, -9, 0.5};
  std::vector<int> ids(static_cast<std::size_t>(model.vertex_count()));
  std::iota(ids.begin(), ids.end(), 0);
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  const Value settings{Value::Object{{"height", -0.49}, {"normal", Value::List{0.1, 1, 0}}}};
  model.terms.push_back(
      {"ground", Elements::points(ids), {make_obstacle_potential(plane.make(plane.params.read(settings)), 2e4)}});
  model.friction.push_back({static_cast<int>(model.terms.size()) - 1, {mu}});
  return model;
}

OneStage pressed_stage(double mu, const std::array<double, 3>& velocity, int threads = 1) {
  Model model = pressed(mu);
  const auto q = model.rest;
  std::vector<double> v(q.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = velocity[i % 3];
  return OneStage(std::move(model), q, v, 0.02, threads);
}

TEST(Friction, TheObjectiveHasItsGradientAndHessian) {
  OneStage stage = pressed_stage(0.4, {0.1, 0, -0.05});
  DynamicSystem& system = stage.system();
  system.recall(stage.stage(), {});
  const Elements& touching = system.blocks().contacts()[0]->terms()[0].elements;
  ASSERT_GT(touching.size(), 4);
  std::vector<double> y = stage.stage().guess, g(y.size()), up(y.size()), down(y.size());
  Random random(1);
  for (double& x : y) x += 1e-3 * random.normal();
  system.problem().evaluate(y.data(), g.data());
  SymmetricMatrix h = system.problem().linearise(y.data()).pattern();
  system.problem().linearise(y.data()).assemble(h, false);
  for (const int v : {touching.vertices(0)[0], touching.vertices(3)[0]})
    for (int k = 0; k < 3; ++k) {
      const std::size_t i = 3 * static_cast<std::size_t>(v) + static_cast<std::size_t>(k);
      const double e = 1e-7, x = y[i];
      y[i] = x + e;
      const double above = system.problem().evaluate(y.data(), up.data()).value();
      y[i] = x - e;
      const double below = system.problem().evaluate(y.data(), down.data()).value();
      y[i] = x;
      EXPECT_NEAR((above - below) / (2 * e), g[i], 1e-4 * (std::abs(g[i]) + 1));
      const double* diagonal =
          h.value.data() + 9 * h.find(system.space().free_index()[v], system.space().free_index()[v]);
      for (int l = 0; l < 3; ++l) {
        const std::size_t j = 3 * static_cast<std::size_t>(v) + static_cast<std::size_t>(l);
        EXPECT_NEAR((up[j] - down[j]) / (2 * e), diagonal[3 * l + k], 1e-4 * std::abs(diagonal[0]));
      }
    }
}

// One function for all: sticking, sliding, and some of both.
TEST(Friction, SolversEndAtNewtonsMinimum) {
  for (const std::array<double, 3>& velocity :
       {std::array{0.0, 0.0, 0.0}, std::array{2.0, 0.0, 0.3}, std::array{0.02, -0.3, 0.0}})
    for (const double mu : {0.1, 0.6}) {
      std::vector<double> reference;
      pressed_stage(mu, velocity).minimum(reference, 1e-10);
      for (const char* solver : {"quasi_newton", "chebyshev", "admm"}) {
        OneStage stage = pressed_stage(mu, velocity);
        const auto made = published_solver(solver, with_double_factor(solver, {}));
        std::vector<double> y;
        const SolveReport report = stage.solve(*made, {.iterations = 5000, .gradient = 1e-8}, y);
        EXPECT_EQ(report.status, Status::converged) << solver << " " << mu << " " << velocity[0];
        EXPECT_LE(largest_difference(y, reference), 1e-7) << solver << " " << mu << " " << velocity[0];
      }
    }
}

// Sticking stands in the preconditioner with its stiffness along the surface, sliding only across its way.
TEST(Friction, ContactsThatStickAreStiffAlongTheSurface) {
  for (const double speed : {0.0, 2.0}) {
    OneStage stage = pressed_stage(0.4, {speed, 0, 0});
    DynamicSystem& system = stage.system();
    system.recall(stage.stage(), {});
    std::vector<double> y = stage.stage().origin;
    for (std::size_t i = 0; i < y.size(); i += 3) y[i] += 0.5 * speed;
    const std::vector<PointStiffness>& points = system.problem().linearise(y.data()).points();
    double along = 0, across = 0;
    for (const auto& point : points) along += point.hessian[0], across += point.hessian[5];
    EXPECT_GT(across, 0) << speed;
    if (speed == 0) EXPECT_NEAR(along, across, 0.03 * across);
    else EXPECT_LT(along, 0.2 * 2e4 * static_cast<double>(points.size()) / 2);  // the slope's own share
  }
}

// ---- in time
// -----------------------------------------------------------------------------------------------------------

SlopeOptions slope(double ratio, const std::string& solver = "quasi_newton",
                   const std::string& integrator = "backward_euler") {
  SlopeOptions o;
  o.friction = 0.5, o.angle = std::atan(ratio * o.friction), o.cells = {3, 2, 3};
  o.solver = solver, o.integrator = integrator, o.threads = 1;
  return o;
}

TEST(Friction, ABlockHoldsBelowTheConeAndSlidesAboveIt) {
  Slope held(slope(0.9)), slides(slope(1.1));
  double at_half = 0, speed = 0;
  for (int i = 0; i < 60; ++i) {
    held.advance(), slides.advance();
    if (i == 29) at_half = held.travel(), speed = slides.speed();
  }
  EXPECT_LT(std::abs(held.travel()), 1e-3 * 0.1);
  EXPECT_LT(std::abs(held.travel() - at_half), 1e-6 * 0.1);
  EXPECT_NEAR(held.carried(), 1, 1e-4);
  const double angle = std::atan(1.1 * 0.5), wanted = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  EXPECT_NEAR((slides.speed() - speed) / 0.5, wanted, 1e-3 * wanted);
  EXPECT_LE(slides.excess().lagged, 1e-12);
  EXPECT_GT(slides.excess().lagged, -1e-3);  // it is on the cone
}

// XPBD has no bias there: the slip is linear, and its multipliers are on the disc.
TEST(Friction, XpbdHoldsBelowTheConeAndSlidesAboveIt) {
  const auto options = [](double ratio) {
    SlopeOptions o = slope(ratio);
    o.solver = {"xpbd", {{"iterations", 40}}};
    return o;
  };
  Slope held(options(0.9)), slides(options(1.1));
  double at_half = 0, speed = 0;
  for (int i = 0; i < 60; ++i) {
    held.advance(), slides.advance();
    if (i == 29) at_half = held.travel(), speed = slides.speed();
  }
  EXPECT_LT(std::abs(held.travel() - at_half), 1e-6 * 0.1);
  const double angle = std::atan(1.1 * 0.5), wanted = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  EXPECT_NEAR((slides.speed() - speed) / 0.5, wanted, 1e-3 * wanted);
}

// In the middle of sticking: copied states, other threads, and a checkpoint's bytes.
TEST(Friction, SticksOnWithTheSameBits) {
  for (const char* solver : {"quasi_newton", "newton", "chebyshev", "admm", "xpbd"})
    for (const char* integrator : {"backward_euler", "bdf2", "tr_bdf2"}) {
      SlopeOptions options = slope(0.9, solver, integrator);
      options.cells = {2, 1, 2};
      Slope whole(options);
      for (int i = 0; i < 4; ++i) whole.advance();
      Checkpoint saved;
      saved.state = whole.simulation().state();
      const State loaded = decode_checkpoint(encode_checkpoint(saved), "memory").state;
      for (int i = 0; i < 4; ++i) whole.advance();
      for (const int threads : {1, 2, 3}) {
        options.threads = threads;
        Slope again(options);
        again.simulation().set_state(loaded);
        for (int i = 0; i < 4; ++i) again.advance();
        EXPECT_EQ(hash(again.simulation().state()), hash(whole.simulation().state())) << solver << integrator;
        EXPECT_EQ(again.simulation().state().solver.entries, whole.simulation().state().solver.entries);
        EXPECT_EQ(again.simulation().energy().elastic, whole.simulation().energy().elastic);
      }
    }
}

// On a belt, on a plate that rises, and on one that turns under it: friction is about what moves relative to the
// obstacle.
TEST(Friction, IsCarriedByWhatMoves) {
  const auto on = [](const MotionStep& step, const char* integrator) {
    TetMesh mesh = box({.size = {0.1, 0.05, 0.1}, .cells = {2, 1, 2}, .center = {0.3, 0.0249, 0}});
    Builder builder;
    builder.add(Solid{.mesh = mesh, .material = {"corotated", {{"young", 1e6}, {"poisson", 0.3}}}});
    builder.obstacle({"plane", {{"friction", 0.5}, {"stiffness", 1e4}}}, Motion({step}));
    auto simulation = builder.simulation({.step = 1.0 / 60, .integrator = integrator, .threads = 1});
    for (int i = 0; i < 60; ++i) EXPECT_NE(simulation->step().status, Status::not_finite);
    return simulation;
  };
  MotionStep belt, lift, turntable;
  belt.direction = {0.4, 0, -0.3}, lift.direction = {0, 0.5, 0};
  turntable.kind = MotionStep::Kind::rotate, turntable.direction = {0, 1, 0};
  for (MotionStep* step : {&belt, &lift, &turntable}) step->amount.keyframes = {{0, 0}, {100, 100}};
  for (const char* integrator : {"backward_euler", "bdf2", "tr_bdf2"}) {
    const auto carried = on(belt, integrator), raised = on(lift, integrator), turned = on(turntable, integrator);
    for (std::size_t v = 0; v < carried->velocities().size(); v += 3) {
      EXPECT_NEAR(carried->velocities()[v], 0.4, 2e-3) << integrator;
      EXPECT_NEAR(carried->velocities()[v + 2], -0.3, 2e-3) << integrator;
      EXPECT_NEAR(raised->velocities()[v], 0, 2e-3) << integrator;
      const double *x = &turned->positions()[v], *u = &turned->velocities()[v];
      EXPECT_NEAR(u[0], x[2], 0.02) << integrator;  // w x r with w = 1 about y
      EXPECT_NEAR(u[2], -x[0], 0.02) << integrator;
    }
  }
}

// Curved ones too: a ball on top of another one.
TEST(Friction, ABoxOnABallStaysOnlyWithFriction) {
  for (const double mu : {0.0, 0.6}) {
    TetMesh mesh = box({.size = {0.2, 0.05, 0.2}, .cells = {4, 1, 4}, .center = {0.12, 0.52, 0}});
    Builder builder;
    builder.add(Solid{.mesh = mesh, .material = {"corotated", {{"young", 1e4}, {"poisson", 0.3}}}});
    builder.obstacle({"sphere", {{"radius", 0.5}, {"friction", mu}}});
    const auto simulation = builder.simulation({.step = 1.0 / 60, .threads = 1});
    for (int i = 0; i < 90; ++i) ASSERT_NE(simulation->step().status, Status::not_finite);
    double lowest = 1;
    for (std::size_t i = 1; i < simulation->positions().size(); i += 3)
      lowest = std::min(lowest, simulation->positions()[i]);
    if (mu > 0) EXPECT_GT(lowest, 0.3);
    else EXPECT_LT(lowest, 0);
  }
}

TEST(Friction, AnchorsAreForgottenWhenABodyLeaves) {
  Slope block(slope(0.9));
  for (int i = 0; i < 3; ++i) block.advance();
  const auto kept = [&] { return block.simulation().state().solver.entries.at("friction.anchors").values; };
  EXPECT_EQ(kept().size(), 1 + 4 * 16u);
  State lifted = block.simulation().state();
  for (std::size_t i = 1; i < lifted.q.size(); i += 3) lifted.q[i] += 1;
  block.simulation().set_state(lifted);
  block.advance();
  EXPECT_EQ(kept().size(), 1u);
}

// ---- asked for
// ---------------------------------------------------------------------------------------------------------

std::string scene_of(const std::string& friction, const std::string& more = "") {
  return R"({"bodies": [{"name": "a", "shape": {"type": "box", "cells": [1, 1, 1]}, "translate": [0, 0.499, 0]},
    {"name": "b", "shape": {"type": "box", "cells": [1, 1, 1]}, "translate": [2, 0.499, 0]}],
    "obstacles": [{"type": "plane", "friction": )" +
         friction + more + "}]}";
}
std::string refusal(const std::string& text, std::map<std::string, std::string> overrides = {}) {
  try {
    std::vector<std::pair<std::string, std::string>> set(overrides.begin(), overrides.end());
    build_simulation(parse_scene(text, "friction.json", {set.begin(), set.end()}), 1)->step();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Friction, BodiesMayHaveTheirOwnCoefficients) {
  for (const char* shared : {"", ", \"stiffness\": 1e5"}) {
    const auto simulation = build_simulation(parse_scene(scene_of(R"({"b": 0.3})", shared), "friction.json"), 1);
    State state = simulation->state();
    for (std::size_t i = 0; i < state.v.size(); i += 3) state.v[i] = 1;
    simulation->set_state(state);
    for (int i = 0; i < 6; ++i) simulation->step();
    double a = 0, b = 0;
    for (std::size_t v = 0; v < 8; ++v)
      a += simulation->velocities()[3 * v], b += simulation->velocities()[24 + 3 * v];
    EXPECT_NEAR(a / 8, 1, 0.05) << shared;
    EXPECT_LT(b / 8, 0.8) << shared;
  }
}

TEST(Friction, BadCoefficientsAndWhoCannotTakeItAreNamed) {
  EXPECT_EQ(refusal(scene_of("0.5")), "");
  for (const char* bad : {"-0.5", "1e999", R"({"a": -1})"}) {
    EXPECT_NE(refusal(scene_of(bad)).find("friction"), std::string::npos) << bad << ": " << refusal(scene_of(bad));
    EXPECT_NE(refusal(scene_of(bad)).find("friction.json"), std::string::npos) << bad;
  }
  EXPECT_NE(refusal(scene_of(R"({"c": 1})")).find("\"c\""), std::string::npos);
  EXPECT_NE(refusal(scene_of(R"("rough")")).find("coefficient"), std::string::npos);
  EXPECT_THROW(check_contact(ObstacleFriction{0, {std::nan("")}}), InputError);
  EXPECT_NE(refusal(scene_of("0.5"), {{"solver", "\"pbd\""}}).find("quasi_newton"), std::string::npos);
  for (const char* integrator : {"\"runge_kutta4\"", "\"linearly_implicit_euler\""})
    EXPECT_NE(refusal(scene_of("0.5"), {{"integrator", integrator}}).find("backward_euler"), std::string::npos)
        << integrator;
}

}  // namespace
}  // namespace resilin::test
