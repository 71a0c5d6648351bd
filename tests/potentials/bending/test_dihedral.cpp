#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

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
  builder.add(Shell{.mesh = mesh, .skin = {.material = "none", .bending = {"dihedral", {{"stiffness", 3.0}}}}});
  return builder.simulation(options);
}

double energy(const TriangleMesh& mesh, const std::vector<double>& q) {
  return bending_alone(mesh)->system().potential_energy(q.data(), nullptr);
}

// Bent into a cylinder of radius r across its rows a sheet of area A has the energy D A/(2 r^2), whichever way it
// bends.
TEST(DihedralBending, EnergyOfACylinder) {
  for (const GridPattern pattern : {GridPattern::alternating, GridPattern::parallel, GridPattern::regular}) {
    const TriangleMesh mesh = grid_sheet({{2, 2 * std::sqrt(3.0) / 2}, {40, 40}, pattern});
    for (const double r : {5.0, -5.0}) {
      std::vector<double> q = mesh.vertices;
      for (std::size_t i = 0; i < q.size(); i += 3) {
        const double angle = q[i + 1] / r;
        q[i + 1] = r * std::sin(angle), q[i + 2] = r * (1 - std::cos(angle));
      }
      const double area = 2 * std::sqrt(3.0);
      EXPECT_NEAR(energy(mesh, q) / (3.0 * area / (2 * r * r)), 1, 0.06) << "two rows of hinges are missing";
    }
  }
}

// Two triangles in the xy-plane with a common edge on the y-axis; the second is turned by `angle` towards +z.
TriangleMesh folded(double angle) {
  TriangleMesh mesh;
  mesh.vertices = {0, 0, 0, 0, 1, 0, -1, 0.3, 0, std::cos(angle), 0.6, std::sin(angle)};
  mesh.triangles = {0, 1, 2, 1, 0, 3};
  return mesh;
}

TEST(DihedralBending, EnergyIsThatOfTheAngle) {
  for (const double rest : {-2.5, -0.4, 0.0, 1.2, 3.0})
    for (const double angle : {-3.0, -1.0, 0.3, 2.9}) {
      const TriangleMesh mesh = folded(rest);
      double gap = angle - rest;
      if (gap > std::numbers::pi) gap -= 2 * std::numbers::pi;
      if (gap <= -std::numbers::pi) gap += 2 * std::numbers::pi;
      EXPECT_NEAR(energy(mesh, folded(angle).vertices), 3.0 / 2 * gap * gap, 1e-13) << rest << " " << angle;
    }
}

TEST(DihedralBending, FoldsTowardsTheNormalsArePositive) {
  const TriangleMesh mesh = folded(0.4);
  EXPECT_NEAR(hinge_angle(mesh.vertices, hinges(mesh.triangles)[0]), 0.4, 1e-15);
}

// The other side of a flat hinge costs the same, that of a folded one more.
TEST(DihedralBending, TheSideOfTheRestShapeCounts) {
  EXPECT_NEAR(energy(folded(0), folded(0.5).vertices), energy(folded(0), folded(-0.5).vertices), 1e-14);
  EXPECT_NEAR(energy(folded(0.5), folded(0.5).vertices), 0, 1e-28);
  EXPECT_NEAR(energy(folded(0.5), folded(-0.5).vertices), 3.0 / 2, 1e-13);
}

TEST(DihedralBending, AClosedSphereAtRestKeepsItsShape) {
  const TriangleMesh mesh = ball_surface({0.5, 2});
  EXPECT_LT(energy(mesh, mesh.vertices), 1e-25);
  for (const char* solver : {"newton", "quasi_newton", "admm", "xpbd"}) {
    const auto simulation = bending_alone(mesh, {.step = 0.02, .solver = solver, .threads = 1});
    for (int i = 0; i < 3; ++i) simulation->step();
    EXPECT_LT(largest_difference(simulation->positions(), mesh.vertices), 1e-9) << solver;
  }
}

// Folded by more than at rest a hinge has directions of negative curvature: a filtered Hessian has none.
TEST(DihedralBending, FilteredHessiansAreNotNegative) {
  const auto simulation = bending_alone(folded(0.2));
  const std::vector<double> q = folded(1.9).vertices;
  std::mt19937_64 bits(4);
  std::normal_distribution<double> normal;
  double least[2] = {};
  for (const bool filter : {false, true}) {
    SymmetricMatrix hessian =
        simulation->system().problem().linearise(simulation->system().space().rest().data()).pattern();
    simulation->system().problem().linearise(q.data()).assemble(hessian, filter);
    for (int trial = 0; trial < 500; ++trial) {
      std::vector<double> d(q.size()), hd(q.size());
      for (double& x : d) x = normal(bits);
      hessian.multiply(d.data(), hd.data());
      double curvature = 0;
      for (std::size_t i = 0; i < d.size(); ++i) curvature += d[i] * hd[i];
      least[filter] = std::min(least[filter], curvature);
    }
  }
  EXPECT_LT(least[false], -1) << "the case is too easy";
  EXPECT_GT(least[true], -1e-10);
}

// Triangles without area, an edge without length and all vertices in one point: numbers, and no NaN.
TEST(DihedralBending, DegenerateTrianglesHaveFiniteEnergiesAndForces) {
  const TriangleMesh mesh = folded(0.7);
  const auto simulation = bending_alone(mesh);
  const std::vector<std::vector<double>> shapes = {
      {0, 0, 0, 0, 1, 0, 0, 0.3, 0, 1, 0.6, 0},
      {0, 0, 0, 0, 1, 0, 0, 0.3, 0, 0, 2, 0},
      {0, 0, 0, 0, 0, 0, -1, 0.3, 0, 1, 0.6, 0},
      std::vector<double>(12, 0.25),
  };
  for (const auto& q : shapes) {
    std::vector<double> g(q.size());
    DynamicSystem& system = simulation->system();
    EXPECT_TRUE(std::isfinite(system.potential_energy(q.data(), g.data())));
    for (const double f : g) EXPECT_TRUE(std::isfinite(f));
    for (const bool filter : {false, true}) {
      SymmetricMatrix hessian = system.problem().linearise(system.space().rest().data()).pattern();
      system.problem().linearise(q.data()).assemble(hessian, filter);
      for (const double h : hessian.value) EXPECT_TRUE(std::isfinite(h));
    }
  }
}

}  // namespace
}  // namespace resilin
