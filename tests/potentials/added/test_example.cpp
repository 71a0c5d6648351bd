#include <gtest/gtest.h>

#include <cmath>

#include "core/expect_input_error.h"
#include "objective/objective.h"
#include "potentials/evaluate.h"
#include "resilin/builder.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

// The rest shape bent, twisted and stretched, differently in every element.
std::vector<double> bent(std::vector<double> x) {
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const double a = x[i], b = x[i + 1];
    x[i] = 1.4 * a + 0.3 * b * b, x[i + 1] = 0.8 * b + 0.4 * a * b, x[i + 2] += 0.3 * a * a;
  }
  return x;
}

Value::List rows(const std::vector<double>& x) {
  Value::List out;
  for (std::size_t i = 0; i < x.size(); i += 3) out.push_back(Value::List{x[i], x[i + 1], x[i + 2]});
  return out;
}

Choice example_of(const std::vector<double>& x) {
  return {"example", {{"stiffness", 1e4}, {"positions", rows(x)}}};
}

// Another body first: ids of the example are those of the body.
Builder body(bool solid) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Solid{.mesh = box({}), .material = "arap"});
  const TetMesh block = box({.cells = {2, 2, 1}});
  const TriangleMesh sheet = grid_sheet({{1, 1}, {3, 3}});
  if (solid)
    builder.add(Solid{.mesh = block,
                      .material = {"fixed_corotated", {{"young", 1e-6}}},
                      .potentials = {example_of(bent(block.vertices))}});
  else
    builder.add(Shell{.mesh = sheet,
                      .skin = {.thickness = 0.1,
                               .material = "none",
                               .bending = "none",
                               .potentials = {example_of(bent(sheet.vertices))}}});
  return builder;
}

double energy(const Model& model, const std::vector<double>& q) {
  ThreadPool pool(1);
  Objective objective(model, pool);
  return objective.potential_energy(q.data(), nullptr);
}

std::vector<double> with_body(const Model& model, const std::vector<double>& x) {
  std::vector<double> q = model.rest;
  std::copy(x.begin(), x.end(), q.begin() + 3 * static_cast<std::ptrdiff_t>(model.bodies[1].first_vertex));
  return q;
}

TEST(Example, BothShapesCostNothingAndOthersDo) {
  for (const bool solid : {false, true}) {
    const Builder builder = body(solid);
    const Model model = builder.model();
    std::vector<double> x(builder.rest(1).begin(), builder.rest(1).end()), shape = bent(x);
    EXPECT_NEAR(energy(model, model.rest), 0, 1e-9);
    EXPECT_NEAR(energy(model, with_body(model, shape)), 0, 1e-6);
    rotate(shape, {1, 2, 3}, 50);
    translate(shape, {1, 2, 3});
    EXPECT_NEAR(energy(model, with_body(model, shape)), 0, 1e-6);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] *= 0.7;  // away from the example
    EXPECT_GT(energy(model, with_body(model, x)), 10);
  }
}

// An element stretched half as far as the example along the same axes costs nothing.
TEST(Example, WhatIsBetweenCostsNothing) {
  const TriangleMesh sheet = grid_sheet({});
  std::vector<double> wide = sheet.vertices, half = sheet.vertices, beyond = sheet.vertices;
  scale(wide, {1.6, 1, 1}), scale(half, {1.3, 1, 1}), scale(beyond, {1.8, 1, 1});
  Builder builder;
  builder.add(
      Shell{.mesh = sheet,
            .skin = {.thickness = 0.5, .material = "none", .bending = "none", .potentials = {example_of(wide)}}});
  const Model model = builder.model();
  EXPECT_NEAR(energy(model, half), 0, 1e-9);
  EXPECT_NEAR(energy(model, beyond), 0.5 * 1e4 / 2 * 0.2 * 0.2, 1e-6);
}

TEST(Example, DerivativesMatchFiniteDifferences) {
  for (const bool solid : {false, true}) {
    const Builder builder = body(solid);
    const Model model = builder.model();
    const Term& term = model.terms.back();
    const auto& potential = solid ? term.elastic[1] : term.elastic[0];
    const int n = 3 * term.elements.rows();
    std::vector<int> slots(8);
    for (int i = 0; i < 8; ++i) slots[static_cast<std::size_t>(i)] = i;
    const auto kernel = potential->pack(slots);
    alignas(64) double z[9 * 8], psi[8], slope[9 * 8], h[45 * 8], filtered[45 * 8];
    const auto at = [&](bool filter, double* hessian) {
      std::fill_n(psi, 8, 0.0), std::fill_n(slope, 9 * 8, 0.0), std::fill_n(hessian, 45 * 8, 0.0);
      Block block{
          .rows = n / 3, .packs = 1, .filter = filter, .z = z, .psi = psi, .dpsi_z = slope, .d2psi_z = hessian};
      kernel->evaluate(block);
    };
    for (int seed = 0; seed < 20; ++seed) {
      for (int i = 0; i < n * 8; ++i)
        z[i] = (i / 8 % 4 == 0 ? 1.1 : 0) + 0.25 * std::sin(1.7 * i + 3.1 * seed) + 0.1 * std::cos(0.3 * i * seed);
      at(true, filtered), at(false, h);
      const std::vector<double> value(psi, psi + 8), g(slope, slope + n * 8);
      alignas(64) double ignored[45 * 8];
      for (int i = 0; i < n; ++i) {
        for (int lane = 0; lane < 8; ++lane) z[i * 8 + lane] += 1e-6;
        at(false, ignored);
        const std::vector<double> up(psi, psi + 8), g_up(slope, slope + n * 8);
        for (int lane = 0; lane < 8; ++lane) z[i * 8 + lane] -= 2e-6;
        at(false, ignored);
        for (int lane = 0; lane < 8; ++lane) z[i * 8 + lane] += 1e-6;
        for (int lane = 0; lane < 8; ++lane) {
          EXPECT_NEAR((up[lane] - psi[lane]) / 2e-6, g[i * 8 + lane], 1e-6 * 1e4);
          for (int j = 0; j < n; ++j) {
            const int place = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
            EXPECT_NEAR((g_up[j * 8 + lane] - slope[j * 8 + lane]) / 2e-6, h[place * 8 + lane], 1e-6 * 1e4);
          }
        }
      }
      for (int lane = 0; lane < 8; ++lane) {
        double squares = 0;
        for (int i = 0; i < n; ++i) squares += g[i * 8 + lane] * g[i * 8 + lane];
        EXPECT_NEAR(value[lane], squares / 2e4, 1e-9 * 1e4);  // k/2 |z - p|^2
        double form = 0;                                      // of a direction with the filtered one
        for (int i = 0, place = 0; i < n; ++i)
          for (int j = 0; j <= i; ++j, ++place)
            form += (i == j ? 1 : 2) * std::sin(i + seed) * std::sin(j + seed) * filtered[place * 8 + lane];
        EXPECT_GE(form, -1e-9 * 1e4);
      }
    }
  }
}

// At rest and at the example a body stays; stretched beyond it comes back to what lies between them.
TEST(Example, TheBodyKeepsWhatIsBetweenItsShapes) {
  const TetMesh mesh = box({.cells = {2, 2, 1}});
  std::vector<double> shape = mesh.vertices;
  scale(shape, {1.5, 1, 0.8});
  for (const char* solver : {"projective_dynamics", "newton", "quasi_newton", "admm"})
    for (const double start : {1.0, 1.5, 1.8}) {
      Builder builder;
      builder.gravity({0, 0, 0});
      builder.add(
          Solid{.mesh = mesh, .material = {"arap", {{"stiffness", 1e-3}}}, .potentials = {example_of(shape)}});
      std::vector<double> x = mesh.vertices;
      const double t = (start - 1) / 0.5;
      scale(x, {start, 1, 1 - 0.2 * t});
      builder.place(0, x);
      const auto simulation = builder.simulation({.step = 0.05, .solver = {solver}, .threads = 1});
      for (int i = 0; i < 60; ++i) simulation->step();
      const Bounds box = bounds(simulation->positions());
      const double width = box.upper[0] - box.lower[0];
      if (start <= 1.5) {
        EXPECT_NEAR(width, start, 1e-3) << solver << " " << start;
      }
      EXPECT_GT(width, 0.98) << solver << " " << start;
      EXPECT_LT(width, 1.52) << solver << " " << start;
      EXPECT_LT(simulation->energy().elastic, 1) << solver << " " << start;  // 200 J at 1.8
    }
}

TEST(Example, SaysWhatIsWrong) {
  Builder builder;
  builder.add(Solid{.mesh = box({}), .material = "arap", .potentials = {example_of({0, 0, 0, 1, 1, 1})}});
  const InputError error = test::input_error([&] { builder.model(); });
  for (const char* words : {"positions", "2 positions", "vertices"}) EXPECT_TRUE(test::says(error, words));
}

}  // namespace
}  // namespace resilin
