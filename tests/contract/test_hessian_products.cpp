// H p without a matrix (Linearisation::multiply) for every registered energy, and for what stands outside of the
// partition: pins, drags, obstacles, friction, contact of bodies, enclosed volumes, subspaces. Compared with
// central differences of the gradient, and with the assembled matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "contact/obstacles/obstacle.h"
#include "potentials/added/added.h"
#include "potentials/bending/bending.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/sheets.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

struct Case {
  std::string name;
  std::function<Builder()> make;
  SimulationChoice choice = {};
  int steps = 2;        // before the stage: so that velocities are not zero, and bodies touch
  bool exact = true;    // damping leaves out how the viscosity changes with z (docs/theory/dissipation.md)
  double noise = 2e-3;  // [m], on the vertices
};

TetMesh block(double y = 0, int cells = 2) {
  TetMesh mesh = box({.size = {0.3, 0.2, 0.2}, .cells = {cells, cells, cells}});
  translate(mesh, {0, y, 0});
  return mesh;
}
TriangleMesh sheet() { return grid_sheet({{0.4, 0.3}, {3, 3}, GridPattern::alternating}); }

Builder one(const Solid& solid) {
  Builder out;
  out.launch(out.add(solid), {0.3, -0.2, 0.1});
  return out;
}
Builder one(const Shell& shell) {
  Builder out;
  out.launch(out.add(shell), {0.3, -0.2, 0.1});
  return out;
}

void add_materials(std::vector<Case>& out) {
  for (const auto& entry : registry<MaterialPlugin>()) {
    out.push_back({entry.name, [name = entry.name] { return one(Solid{.mesh = block(), .material = name}); }});
    if (entry.plugin.make_membrane != nullptr)
      out.push_back(
          {entry.name + " membrane", [name = entry.name] {
             return one(Shell{.mesh = sheet(), .skin = {.thickness = 0.01, .material = name, .bending = "none"}});
           }});
  }
  for (const auto& entry : registry<BendingPlugin>())
    out.push_back({entry.name + " bending", [name = entry.name] {
                     const Choice bending{name, {{"stiffness", 2.0}}};
                     return one(Shell{.mesh = sheet(), .skin = {.thickness = 0.01, .bending = bending}});
                   }});
  for (const auto& entry : registry<PotentialPlugin>())
    for (const ElementKind kind : entry.plugin.on) {
      const Choice added{entry.name};
      if (kind == ElementKind::tet)
        out.push_back({entry.name, [added] { return one(Solid{.mesh = block(), .potentials = {added}}); }});
      if (kind == ElementKind::triangle)
        out.push_back({entry.name + " of a sheet", [added] {
                         return one(Shell{.mesh = sheet(),
                                          .skin = {.thickness = 0.01, .bending = "none", .potentials = {added}}});
                       }});
    }
}

void add_damping(std::vector<Case>& out) {
  for (const auto& entry : registry<DampingPlugin>()) {
    const auto make = [&entry] {
      Builder builder;
      const int body = entry.plugin.damps == Damps::springs
                           ? builder.add(cloth_springs({.grid = {.nx = 4, .ny = 4}}))
                           : builder.add(Solid{.mesh = block()});
      builder.damp(body, entry.name);
      builder.launch(body, {0.3, -0.2, 0.1});
      return builder;
    };
    out.push_back({.name = entry.name + " damping", .make = make, .exact = false});
  }
}

void add_outside_of_the_partition(std::vector<Case>& out) {
  for (const auto& entry : registry<ObstaclePlugin>())
    out.push_back({entry.name + " with friction", [&entry] {
                     Builder builder = one(Solid{.mesh = block(), .material = {"neo_hookean", {{"young", 1e5}}}});
                     Values params = entry.plugin.example;
                     params.emplace_back("friction", 0.4);
                     builder.obstacle({entry.name, params});
                     return builder;
                   }});
  out.push_back({"fibre", [] {
                   return one(Solid{.mesh = block(), .fibre = Fibre{.stiffness = 5e4, .direction = {{1, 2, 0.5}}}});
                 }});
  out.push_back({"pins, soft pins, a drag", [] {
                   Builder builder = one(Solid{.mesh = block()});
                   builder.pin({.body = 0, .vertices = {0, 1}});
                   builder.soft_pin({.body = 0, .vertices = {5, 6}}, 3e4);
                   builder.drag(0, {.vertices = {9, 10}, .target = {0.5, 0.2, 0}, .stiffness = 2e3});
                   return builder;
                 }});
  out.push_back({"inflation", [] {
                   return one(Solid{.mesh = block(), .inflation = Inflation{.target = 1.3, .stiffness = 1e5}});
                 }});
  const auto pressed = [](double friction) {
    return [friction] {
      Builder builder;
      builder.gravity({0, 0, 0});
      for (const double side : {-1.0, 1.0}) {
        TetMesh mesh = block(0.102 * side, 3);
        translate(mesh, {0.03 * side, 0, 0.02 * side});
        const int body = builder.add(Solid{.mesh = mesh, .material = {"neo_hookean", {{"young", 1e5}}}});
        builder.launch(body, {0.2 * side, -0.8 * side, 0});
      }
      builder.contact({.friction = friction});
      return builder;
    };
  };
  out.push_back({.name = "contact", .make = pressed(0), .steps = 3, .noise = 1e-4});
  out.push_back({.name = "contact with friction", .make = pressed(0.4), .steps = 3, .noise = 1e-4});
  out.push_back({.name = "a subspace",
                 .make =
                     [] {
                       Builder builder = one(Solid{.mesh = block(0, 5)});
                       builder.obstacle({"plane", {{"height", -0.1}}});
                       builder.drag(0, {.vertices = {9, 10}, .target = {0.5, 0.2, 0}, .stiffness = 2e3});
                       return builder;
                     },
                 .choice = {.reduction = ReductionSettings{.handles = 6, .fit_handles = 4, .samples = 40}}});
}

std::vector<Case> cases() {
  std::vector<Case> out;
  add_materials(out), add_damping(out), add_outside_of_the_partition(out);
  return out;
}

class HessianProducts : public ::testing::TestWithParam<Case> {};

TEST_P(HessianProducts, AreThoseOfDifferencesAndOfTheMatrix) {
  SimulationChoice choice = GetParam().choice;
  choice.step = 1.0 / 60, choice.threads = 2;
  const auto simulation = GetParam().make().simulation(choice);
  for (int i = 0; i < GetParam().steps; ++i) ASSERT_NE(simulation->step().status, Status::not_finite);
  const Stage stage = simulation->first_stage();
  Problem& problem = simulation->system().problem();
  const auto& free = problem.space().free_index();
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const std::size_t size = stage.guess.size();
  std::vector<double> y = simulation->state().q, p(size), hp(size), up(size), down(size);
  for (std::size_t i = 0; i < size; ++i) {
    const bool moves = free[i / 3] >= 0;
    y[i] = moves ? y[i] + GetParam().noise * normal(random) : stage.guess[i];
    p[i] = moves ? normal(random) : 0;
  }
  problem.evaluate(y.data(), up.data());
  problem.linearise(y.data()).multiply(p.data(), hp.data());

  const double e = 1e-7;
  std::vector<double> at(size);
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t i = 0; i < size; ++i) at[i] = y[i] + sign * e * p[i];
    problem.evaluate(at.data(), (sign > 0 ? up : down).data());
  }
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < size; ++i) {
    largest = std::max(largest, std::abs(hp[i]));
    worst = std::max(worst, std::abs((up[i] - down[i]) / (2 * e) - hp[i]));
  }
  EXPECT_GT(largest, 0);
  EXPECT_LE(worst, (GetParam().exact ? 2e-5 : 0.5) * largest) << "differences of the gradient";

  // Energies of many vertices stand in no sparse matrix, and unknowns of a subspace are no vertices.
  if (!problem.blocks().global_energies().empty() || !problem.space().rows_are_vertices()) return;
  Linearisation& linearised = problem.linearise(y.data());
  SymmetricMatrix matrix = linearised.pattern();
  linearised.assemble(matrix, false);
  std::vector<double> packed(3 * static_cast<std::size_t>(matrix.size())), product(packed.size());
  for (std::size_t i = 0; i < size; ++i)
    if (free[i / 3] >= 0) packed[3 * static_cast<std::size_t>(free[i / 3]) + i % 3] = p[i];
  matrix.multiply(packed.data(), product.data());
  for (std::size_t i = 0; i < size; ++i) {
    const double want = free[i / 3] >= 0 ? product[3 * static_cast<std::size_t>(free[i / 3]) + i % 3] : 0;
    ASSERT_NEAR(hp[i], want, 1e-11 * largest) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, HessianProducts, ::testing::ValuesIn(cases()), [](const auto& one_case) {
  std::string name = one_case.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace resilin
