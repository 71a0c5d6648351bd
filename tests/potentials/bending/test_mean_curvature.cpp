#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/expect_input_error.h"
#include "geometry/selection.h"
#include "geometry/vec3.h"
#include "potentials/bending/bending.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "support/measures.h"

namespace resilin {
namespace {

using test::largest_difference;

std::unique_ptr<Simulation> bending_alone(const TriangleMesh& mesh,
                                          const SimulationChoice& options = {.threads = 1}) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(
      Shell{.mesh = mesh, .skin = {.material = "none", .bending = {"mean_curvature", {{"stiffness", 3.0}}}}});
  return builder.simulation(options);
}

double energy(const TriangleMesh& mesh, const std::vector<double>& q) {
  return bending_alone(mesh)->system().potential_energy(q.data(), nullptr);
}

// Bent into a cylinder along any direction a sheet of area A has the energy D A/(2 r^2), on every pattern; a saddle
// has none.
TEST(MeanCurvatureBending, EnergyOfCylindersAndSaddles) {
  for (const GridPattern pattern : {GridPattern::alternating, GridPattern::parallel, GridPattern::regular}) {
    const TriangleMesh mesh = grid_sheet({{2, 2 * std::sqrt(3.0) / 2}, {60, 60}, pattern});
    const double area = 2 * std::sqrt(3.0), curvature = 0.02, cylinder = 3.0 * area * curvature * curvature / 2;
    for (const double degrees : {0.0, 30.0, 45.0, 90.0, 135.0}) {
      const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
      std::vector<double> bent = mesh.vertices, saddle = mesh.vertices;
      for (std::size_t i = 0; i < bent.size(); i += 3) {
        const double along = c * bent[i] + s * bent[i + 1], across = c * bent[i + 1] - s * bent[i];
        bent[i + 2] = curvature * along * along / 2;
        saddle[i + 2] = curvature * (along * along - across * across) / 2;
      }
      EXPECT_NEAR(energy(mesh, bent) / cylinder, 1, 0.07)
          << degrees << ": the vertices of the boundary are missing";
      EXPECT_LT(energy(mesh, saddle) / cylinder, 1e-3) << degrees;
    }
  }
}

// A sphere of radius r has the curvature 2/r everywhere: of another size it costs D/2 area (2/r)^2 (1 - ratio)^2.
TEST(MeanCurvatureBending, EnergyOfASphere) {
  const double r = 0.5, ratio = 1.1;
  const TriangleMesh mesh = ball_surface({r, 4});
  std::vector<double> q = mesh.vertices;
  for (double& x : q) x *= ratio;
  const double sphere = 3.0 / 2 * 4 * std::numbers::pi * r * r * 4 / (r * r);
  EXPECT_NEAR(energy(mesh, q) / (sphere * (ratio - 1) * (ratio - 1)), 1, 0.02);
}

TEST(MeanCurvatureBending, AClosedSphereAtRestKeepsItsShape) {
  const TriangleMesh mesh = ball_surface({0.5, 2});
  EXPECT_LT(energy(mesh, mesh.vertices), 1e-25);
  for (const char* solver : {"newton", "quasi_newton", "projective_dynamics", "admm", "xpbd"}) {
    const auto simulation = bending_alone(mesh, {.step = 0.02, .solver = solver, .threads = 1});
    for (int i = 0; i < 3; ++i) simulation->step();
    EXPECT_LT(largest_difference(simulation->positions(), mesh.vertices), 1e-9) << solver;
  }
}

// The shares of the vertices are all of the area, also where triangles are obtuse.
TEST(MeanCurvatureBending, SharesOfTheAreaAddUp) {
  TriangleMesh mesh = ball_surface({0.5, 2});
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) mesh.vertices[i] *= 4;
  double area = 0, shares = 0;
  int obtuse = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    const int a = mesh.triangles[t], b = mesh.triangles[t + 1], c = mesh.triangles[t + 2];
    const Vec3 x = vertex_at(mesh.vertices, a);
    area += norm(cross(vertex_at(mesh.vertices, b) - x, vertex_at(mesh.vertices, c) - x)) / 2;
    obtuse += cotangent(mesh.vertices, a, b, c) < 0 || cotangent(mesh.vertices, b, c, a) < 0 ||
              cotangent(mesh.vertices, c, a, b) < 0;
  }
  ASSERT_GT(obtuse, 10);
  const auto simulation = bending_alone(mesh);
  const Elements& fans = simulation->model().terms[0].elements;
  ASSERT_EQ(fans.size(), mesh.vertex_count());
  for (int i = 0; i < fans.size(); ++i) shares += 1 / fans.measure(i);
  EXPECT_NEAR(shares / area, 1, 1e-12);
}

// `count` triangles around vertex 0.
TriangleMesh wheel(int count) {
  TriangleMesh mesh;
  mesh.vertices = {0, 0, 0};
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    mesh.vertices.insert(mesh.vertices.end(), {std::cos(angle), std::sin(angle), 0});
    mesh.triangles.insert(mesh.triangles.end(), {0, 1 + i, 1 + (i + 1) % count});
  }
  return mesh;
}

// z of the middle of a flat wheel, raised by w, is the sum of the weights tan(pi/count) times w.
TEST(MeanCurvatureBending, VerticesWithFewAndWithManyNeighbours) {
  for (const int count : {3, 7, 8, 15}) {
    const TriangleMesh mesh = wheel(count);
    const auto simulation = bending_alone(mesh);
    EXPECT_EQ(simulation->model().terms[0].elements.kind(), count < 8 ? ElementKind::fan8 : ElementKind::fan16);
    std::vector<double> q = mesh.vertices;
    q[2] = 0.01;
    double weights = 0;
    for (int i = 1; i <= count; ++i) weights += cotangent(mesh.vertices, 1 + i % count, 0, 1 + (i - 1) % count);
    const double measure = simulation->model().terms[0].elements.measure(0);
    EXPECT_NEAR(simulation->system().potential_energy(q.data(), nullptr),
                3.0 / 2 * measure * std::pow(0.01 * weights, 2), 1e-12);
  }
}

// ---- keep_side
// ----------------------------------------------------------------------------------------------------

TriangleMesh cap() {
  TriangleMesh mesh = grid_sheet({{1, 1}, {6, 7}});
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
    mesh.vertices[i + 2] =
        -0.4 * (mesh.vertices[i] * mesh.vertices[i] + mesh.vertices[i + 1] * mesh.vertices[i + 1]);
  return mesh;
}

std::vector<double> mirrored(std::vector<double> q) {
  for (std::size_t i = 2; i < q.size(); i += 3) q[i] *= -1;
  return q;
}

Skin sided_skin(bool keep_side) {
  return {.thickness = 0.02,
          .material = {"arap", {{"stiffness", 1e4}}},
          .density = 500,
          .bending = {"mean_curvature", {{"stiffness", 2.0}, {"keep_side", keep_side}}}};
}

// A cap and its mirror image have the same stretches and the same lengths of curvature vectors.
TEST(MeanCurvatureBending, OnlyTheSideTellsAMirroredCapFromItself) {
  const TriangleMesh mesh = cap();
  for (const bool keep_side : {false, true}) {
    Builder builder;
    builder.gravity({0, 0, 0});
    builder.add(Shell{.mesh = mesh, .skin = sided_skin(keep_side)});
    const auto simulation = builder.simulation({.threads = 1});
    const Term& fans = simulation->model().terms[1];
    double twice = 0;  // every vector is off by twice its length
    for (int i = 0; i < fans.elements.size(); ++i) {
      Vec3 z{};
      for (int a = 0; a < fans.elements.corners(); ++a)
        z = z + fans.elements.coefficients(i)[a] * vertex_at(mesh.vertices, fans.elements.vertices(i)[a]);
      twice += fans.elements.measure(i) * 2.0 / 2 * 4 * dot(z, z);
    }
    ASSERT_GT(twice, 0.1);
    DynamicSystem& system = simulation->system();
    EXPECT_LT(system.potential_energy(mesh.vertices.data(), nullptr), 1e-20);
    EXPECT_NEAR(system.potential_energy(mirrored(mesh.vertices).data(), nullptr), keep_side ? twice : 0,
                1e-12 * twice);
  }
}

// A free cap that was turned inside out stays so, or pops back.
TEST(MeanCurvatureBending, KeepSidePopsDentsBackWithEverySolver) {
  const TriangleMesh mesh = cap();
  for (const char* solver : {"newton", "quasi_newton", "projective_dynamics", "admm"})
    for (const bool keep_side : {false, true}) {
      Builder builder;
      builder.gravity({0, 0, 0});
      const int body = builder.add(Shell{.mesh = mesh, .skin = sided_skin(keep_side)});
      builder.place(body, mirrored(mesh.vertices));
      const auto simulation = builder.simulation({.step = 0.02, .solver = solver, .threads = 1});
      const double first = simulation->energy().elastic;
      for (int i = 0; i < 150; ++i) simulation->step();  // quasi-Newton waits at jumps of the energy
      const auto height = [&](int v) { return simulation->positions()[3 * static_cast<std::size_t>(v) + 2]; };
      const int corner = mesh.vertex_groups.at("y_min")[0], middle = select_nearest(mesh.vertices, {0, 0, 0}).at(0);
      // On the wrong side every vertex has its share of the first energy; corners swing for long.
      if (keep_side) EXPECT_LT(simulation->energy().elastic, 0.05 * first) << solver;
      else EXPECT_GT(height(corner), height(middle) + 0.1) << solver;
    }
}

// On both sides: the mirrored cap is on the wrong one.
TEST(MeanCurvatureBending, KeepSideHasTheDerivativesOfItsEnergy) {
  const TriangleMesh mesh = cap();
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Shell{.mesh = mesh, .skin = sided_skin(true)});
  const auto simulation = builder.simulation({.threads = 1});
  DynamicSystem& system = simulation->system();
  for (std::vector<double> q : {mesh.vertices, mirrored(mesh.vertices)}) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.004 * std::sin(7.0 * static_cast<double>(i * i));
    std::vector<double> g(q.size());
    system.potential_energy(q.data(), g.data());
    double largest = 0;
    for (const double v : g) largest = std::max(largest, std::abs(v));
    ASSERT_GT(largest, 0);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double step = 1e-6, x = q[i];
      q[i] = x + step;
      const double up = system.potential_energy(q.data(), nullptr);
      q[i] = x - step;
      const double down = system.potential_energy(q.data(), nullptr);
      q[i] = x;
      EXPECT_NEAR((up - down) / (2 * step), g[i], 1e-6 * largest) << i;
    }
  }
}

TEST(MeanCurvatureBending, NamesAVertexWithTooManyNeighbours) {
  Builder builder;
  builder.add(Shell{.mesh = wheel(16), .skin = {.bending = "mean_curvature"}});
  const InputError error = test::input_error([&] { builder.model(); });
  for (const char* words : {"vertex 0", "16 neighbours", "dihedral"})
    EXPECT_TRUE(test::says(error, words)) << words;
}

}  // namespace
}  // namespace resilin
