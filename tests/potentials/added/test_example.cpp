#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/expect_input_error.h"
#include "potentials/evaluate.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/simulation.h"
#include "simd/svd3.h"

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

Choice examples_of(const std::vector<std::vector<double>>& shapes) {
  Value::List list;
  for (const auto& x : shapes) list.push_back(rows(x));
  return {"example", {{"stiffness", 1e4}, {"shapes", list}}};
}
Choice example_of(const std::vector<double>& x) { return examples_of({x}); }

std::vector<double> swollen(std::vector<double> x) {
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] *= 1.3 + 0.2 * x[i + 1], x[i + 1] *= 1.2, x[i + 2] *= 0.7;
  return x;
}
std::vector<double> sheared(std::vector<double> x) {
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] += 0.6 * x[i + 1], x[i + 1] += 0.2 * x[i] * x[i];
  return x;
}

// `count` examples. Another body first: ids of an example are those of the body.
Builder body(bool solid, int count = 1) {
  const auto shapes = [&](const std::vector<double>& x) {
    std::vector<std::vector<double>> out{bent(x), swollen(x), sheared(x)};
    out.resize(static_cast<std::size_t>(count));
    return examples_of(out);
  };
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Solid{.mesh = box({}), .material = "arap"});
  const TetMesh block = box({.cells = {2, 2, 1}});
  const TriangleMesh sheet = grid_sheet({{1, 1}, {3, 3}});
  if (solid)
    builder.add(Solid{
        .mesh = block, .material = {"fixed_corotated", {{"young", 1e-6}}}, .potentials = {shapes(block.vertices)}});
  else
    builder.add(Shell{
        .mesh = sheet,
        .skin = {.thickness = 0.1, .material = "none", .bending = "none", .potentials = {shapes(sheet.vertices)}}});
  return builder;
}

double energy(const Model& model, const std::vector<double>& q) {
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  return system.potential_energy(q.data(), nullptr);
}

std::vector<double> with_body(const Model& model, const std::vector<double>& x) {
  std::vector<double> q = model.rest;
  std::copy(x.begin(), x.end(), q.begin() + 3 * static_cast<std::ptrdiff_t>(model.bodies[1].first_vertex));
  return q;
}

TEST(Example, AllShapesCostNothingAndOthersDo) {
  for (const bool solid : {false, true}) {
    const Builder builder = body(solid, 3);
    const Model model = builder.model();
    std::vector<double> x(builder.rest(1).begin(), builder.rest(1).end());
    EXPECT_NEAR(energy(model, model.rest), 0, 1e-9);
    for (std::vector<double> shape : {bent(x), swollen(x), sheared(x)}) {
      EXPECT_NEAR(energy(model, with_body(model, shape)), 0, 1e-6);
      rotate(shape, {1, 2, 3}, 50);
      translate(shape, {1, 2, 3});
      EXPECT_NEAR(energy(model, with_body(model, shape)), 0, 1e-6);
    }
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

// Stretches along two axes and mixtures of them; where they add up to more than one example, the nearest mixture
// counts.
TEST(Example, MixturesCostNothing) {
  const TriangleMesh sheet = grid_sheet({});
  const auto stretched = [&](double x, double y) {
    std::vector<double> out = sheet.vertices;
    scale(out, {x, y, 1});
    return out;
  };
  Builder builder;
  builder.add(Shell{.mesh = sheet,
                    .skin = {.thickness = 0.5,
                             .material = "none",
                             .bending = "none",
                             .potentials = {examples_of({stretched(1.6, 1), stretched(1, 1.6)})}}});
  const Model model = builder.model();
  EXPECT_NEAR(energy(model, stretched(1.3, 1.2)), 0, 1e-9);
  EXPECT_NEAR(energy(model, stretched(1.3, 1.3)), 0, 1e-9);
  EXPECT_NEAR(energy(model, stretched(1.5, 1.5)), 0.5 * 1e4 / 2 * 0.2 * 0.2 * 2, 1e-6);
  EXPECT_NEAR(energy(model, stretched(1.8, 1.1)), 0.5 * 1e4 / 2 * (0.2 * 0.2 + 0.1 * 0.1), 1e-6);
  EXPECT_NEAR(energy(model, stretched(1.3, 0.9)), 0.5 * 1e4 / 2 * 0.1 * 0.1, 1e-6);
}

using Matrix = std::array<double, 9>;

// Of the unit tet: rows of z are its edges.
Matrix edges(const std::vector<double>& x) {
  Matrix z;
  for (std::size_t i = 0; i < 9; ++i) z[i] = x[3 + i] - x[i % 3];
  return z;
}

Matrix stretch(const Matrix& z) {
  Matrix u, v, out{};
  double s[3];
  svd3(z.data(), u.data(), s, v.data());
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[i] += u[3 * (i / 3) + k] * s[k] * u[3 * (i % 3) + k];
  return out;
}

// min over Q of |z - S Q|^2 = |z|^2 + |S|^2 - 2 (sum of the signed singular values of S z)
double distance(const Matrix& z, const Matrix& s) {
  Matrix m{}, u, v;
  double sum = 0, t[3];
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t k = 0; k < 3; ++k) m[i] += s[3 * (i / 3) + k] * z[3 * k + i % 3];
    sum += z[i] * z[i] + s[i] * s[i];
  }
  svd3(m.data(), u.data(), t, v.data());
  return sum - 2 * (t[0] + t[1] + t[2]);
}

// No mixture of a grid of weights is nearer than the one that was found, and the nearest of them is hardly further.
TEST(Example, NoOtherMixtureIsNearer) {
  const std::vector<double> unit{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::vector<std::vector<double>> shapes{bent(unit), swollen(unit), sheared(unit)};
  const Matrix one = {1, 0, 0, 0, 1, 0, 0, 0, 1}, a = stretch(edges(shapes[0])), b = stretch(edges(shapes[1])),
               c = stretch(edges(shapes[2]));
  Builder builder;
  builder.add(Solid{.mesh = {unit, {0, 1, 2, 3}, {}, {}},
                    .material = {"arap", {{"stiffness", 1e-9}}},
                    .potentials = {examples_of(shapes)}});
  const Model model = builder.model();
  constexpr int cells = 30;
  int mixtures = 0;  // with more than two shapes
  for (int seed = 0; seed < 30; ++seed) {
    std::vector<double> x = unit;
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (1 + 0.02 * seed) * x[i] +
             (seed % 2 == 0 ? 0.25 : 1) * std::sin(1.9 * static_cast<double>(i) + 5.3 * seed);
    const Matrix z = edges(x);
    double least = 1e9;
    std::array<int, 3> at{};
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; i + j <= cells; ++j)
        for (int k = 0; i + j + k <= cells; ++k) {
          Matrix s;
          for (std::size_t e = 0; e < 9; ++e)
            s[e] = ((cells - i - j - k) * one[e] + i * a[e] + j * b[e] + k * c[e]) / cells;
          const double d = distance(z, s);
          if (d < least) least = d, at = {i, j, k};
        }
    mixtures += (at[0] > 0) + (at[1] > 0) + (at[2] > 0) + (at[0] + at[1] + at[2] < cells) > 2;
    const double found = energy(model, x) / (1e4 / 2 / 6);
    EXPECT_LE(found, least + 1e-9) << seed;
    EXPECT_GE(found, least - 1e-3) << seed;
  }
  EXPECT_GE(mixtures, 3) << "the test is to see some";
}

TEST(Example, DerivativesMatchFiniteDifferences) {
  for (const auto& [solid, count] : {std::pair{false, 1}, {true, 1}, {false, 3}, {true, 3}}) {
    const Builder builder = body(solid, count);
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
  for (const char* words : {"shapes[0]", "2 positions", "vertices"}) EXPECT_TRUE(test::says(error, words));
  Builder many;
  const std::vector<double> rest = box({}).vertices;
  many.add(Solid{
      .mesh = box({}), .material = "arap", .potentials = {examples_of(std::vector<std::vector<double>>(9, rest))}});
  const InputError too_many = test::input_error([&] { many.model(); });
  for (const char* words : {"shapes", "9 shapes", "at most 8"}) EXPECT_TRUE(test::says(too_many, words));
}

}  // namespace
}  // namespace resilin
