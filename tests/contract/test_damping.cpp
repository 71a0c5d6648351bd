// Every registered damping model: the promises of a dissipation function, the same answer merged and separate, the
// same bits for any number of threads, every solver that takes it reaches Newton's minimum, and the ledger closes.
#include <gtest/gtest.h>

#include <cmath>

#include "potentials/damping/damping_checks.h"
#include "resilin/errors.h"
#include "resilin/ledger.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "resilin/shapes.h"
#include "support/measures.h"

namespace resilin::test {
namespace {

TEST(DampingContract, EveryModelIsADissipationFunction) {
  for (const auto& entry : registry<DampingPlugin>()) check_all({.type = entry.name, .params = {}, .low = 1});
}

std::string scene(const std::string& type, const std::string& more, const std::string& solver,
                  const std::string& integrator = "backward_euler") {
  const bool springs = plugin<DampingPlugin>("damping", type, "test").damps == Damps::springs;
  const std::string body = springs ? R"("cloth": {"cells": [5, 5]})"
                                   : R"("shape": {"type": "box", "size": [1, 0.3, 0.3], "cells": [6, 2, 2]})";
  return R"({"bodies": [{)" + body + R"(, "damping": {"type": ")" + type + "\"" + more + R"(},
    "initial": {"stretch": [1.2, 1, 1]}}], "step": 0.01, "integrator": ")" +
         integrator + R"(", "solver": )" + solver + "}";
}

std::vector<double> run(const std::string& text, int steps, int threads = 1) {
  const auto simulation = build_simulation(parse_scene(text, "test"), threads);
  for (int i = 0; i < steps; ++i) EXPECT_NE(simulation->step().status, Status::not_finite);
  return simulation->state().q;
}

const char* const newton = R"({"type": "newton", "iterations": 100, "gradient_tolerance": 1e-10})";
const char* const quasi_newton = R"({"type": "quasi_newton", "iterations": 500, "gradient_tolerance": 1e-9})";

TEST(DampingContract, MergedAndSeparateAreTheSameFunction) {
  for (const auto& entry : registry<DampingPlugin>())
    if (entry.name != "rayleigh" || entry.plugin.damps != Damps::springs) {
      EXPECT_LT(largest_difference(run(scene(entry.name, "", newton), 3),
                                   run(scene(entry.name, R"(, "separate": true)", newton), 3)),
                1e-8)
          << entry.name;
    }
}

TEST(DampingContract, SolversReachTheSameMinimum) {
  for (const auto& entry : registry<DampingPlugin>())
    for (const char* power : {"0.5", "1", "2"}) {
      const std::string more = std::string(R"(, "power_scale": 100, "smoothing": 0.1, "power": )") + power;
      EXPECT_LT(largest_difference(run(scene(entry.name, more, newton), 1),
                                   run(scene(entry.name, more, quasi_newton), 1)),
                1e-6)
          << entry.name << power;
    }
}

TEST(DampingContract, BitsDoNotDependOnThreads) {
  for (const auto& entry : registry<DampingPlugin>())
    EXPECT_EQ(run(scene(entry.name, "", R"("quasi_newton")"), 3, 1),
              run(scene(entry.name, "", R"("quasi_newton")"), 3, 2))
        << entry.name;
}

// What each model takes shows in the ledger, and with a small step nothing else is lost.
TEST(DampingContract, TheLedgerShowsWhatEachModelTakes) {
  for (const auto& entry : registry<DampingPlugin>()) {
    const auto simulation =
        build_simulation(parse_scene(scene(entry.name, "", newton, "tr_bdf2"), "test", {{"step", "0.0005"}}), 1);
    Ledger ledger(*simulation);
    double taken = 0, lost = 0;
    for (int i = 0; i < 40; ++i) {
      simulation->step();
      const LedgerEntry& last = ledger.entries().back();
      ASSERT_EQ(last.dissipated.size(), 1u);
      EXPECT_EQ(last.dissipated[0].first, entry.name);
      EXPECT_GE(last.dissipated[0].second, 0) << entry.name;
      taken += last.dissipated[0].second, lost += std::abs(last.numerical_loss);
    }
    EXPECT_GT(taken, 0) << entry.name;
    EXPECT_LT(lost, 0.1 * taken + 1e-3 * ledger.entries()[0].elastic) << entry.name << " " << taken;
  }
}

TEST(DampingContract, NegativeParametersAreRefusedByName) {
  for (const auto& entry : registry<DampingPlugin>())
    for (const Param& p : entry.plugin.params.list()) {
      if (p.type != Param::Type::number) continue;
      try {
        parse_scene(scene(entry.name, ", \"" + p.name + "\": -1", newton), "test");
        ADD_FAILURE() << entry.name << " accepts a negative " << p.name;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(p.name), std::string::npos) << error.what();
      }
    }
}

// What a model refuses on all elements that it can damp is no parameter of it.
TEST(DampingContract, NoModelListsAParameterThatItAlwaysRefuses) {
  for (const auto& entry : registry<DampingPlugin>()) {
    const bool solids = entry.plugin.damps != Damps::springs && entry.plugin.damps != Damps::vertices;
    for (const char* of_solids : {"spline", "spline_of", "spline_axes", "momentum"})
      EXPECT_EQ(entry.plugin.params.find(of_solids) != nullptr, solids) << entry.name << " " << of_solids;
    for (const Param& p : entry.plugin.params.list()) {
      Value::Object given{{p.name, p.type == Param::Type::points
                                       ? Value(Value::List{Value::List{0.5, 1.0}, Value::List{1.5, 2.0}})
                                       : p.fallback}};
      if (p.type == Param::Type::choice) given[0].second = p.choices.back();
      const Settings settings = entry.plugin.params.read(Value(given));
      bool taken = false;
      for (const ElementKind kind :
           {ElementKind::tet, ElementKind::triangle, ElementKind::edge, ElementKind::point}) {
        if (!can_damp(entry.plugin.damps, kind)) continue;
        try {
          check_damping(settings, kind);
          taken = true;
        } catch (const InputError&) {
        }
      }
      EXPECT_TRUE(taken) << entry.name << " always refuses " << p.name;
    }
  }
}

TEST(DampingContract, ASplineBelowZeroIsRefusedWithTheReason) {
  const std::string text = scene("strain_rate", R"(, "spline": [[0.8, 1], [1, -0.5], [1.2, 1]])", newton);
  try {
    build_simulation(parse_scene(text, "test"), 1);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("bodies[0].damping.spline[1]"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("-0.5 is negative"), std::string::npos) << error.what();
  }
}

TEST(DampingContract, ModelsAreRefusedWhereTheyHaveNothingToDamp) {
  const std::string text = R"({"bodies": [{"shape": {"type": "box"}, "damping": "dashpot"}]})";
  EXPECT_THROW(build_simulation(parse_scene(text, "test"), 1), InputError);
  EXPECT_THROW(build_simulation(parse_scene(R"({"bodies": [{"cloth": {}, "damping": "strain_rate"}]})", "test"), 1),
               InputError);
}

}  // namespace
}  // namespace resilin::test
