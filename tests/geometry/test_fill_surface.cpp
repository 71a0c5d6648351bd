#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/mesh_checks.h"
#include "geometry/surface_samples.h"
#include "resilin/watch.h"

namespace resilin::test {
namespace {

SurfaceFillOptions cells(int n, double thicken = 0) {
  SurfaceFillOptions options;
  options.cells = n, options.thicken = thicken;
  return options;
}

void says(const std::string& error, const std::string& words) {
  EXPECT_NE(error.find(words), std::string::npos) << error;
}

// What a simulation needs, whatever the surface was.
void expect_usable(const TetMesh& mesh) {
  EXPECT_TRUE(check(mesh).empty());
  const Quality q = quality(mesh);
  EXPECT_GE(q.min_dihedral, 10.7);
  EXPECT_LE(q.max_dihedral, 164.8);
}

TEST(FillSurface, BallKeepsItsVolume) {
  const TriangleMesh ball = ball_surface();
  const TetMesh mesh = fill_surface(ball, cells(20));
  expect_usable(mesh);
  EXPECT_NEAR(total_volume(mesh), enclosed_volume(ball), 0.01 * enclosed_volume(ball));
  EXPECT_EQ(components(mesh).count, 1);
  expect_closed_manifold(surface(mesh));
}

TEST(FillSurface, TorusKeepsItsHole) {
  const TriangleMesh torus = torus_surface();
  const TetMesh mesh = fill_surface(torus, cells(32));
  expect_usable(mesh);
  EXPECT_EQ(euler_characteristic(surface(mesh)), 0);
  EXPECT_NEAR(total_volume(mesh), enclosed_volume(torus), 0.02 * enclosed_volume(torus));
}

TEST(FillSurface, IntersectingPartsAreOne) {
  TriangleMesh two = cube_surface();
  add(two, cube_surface(1, {0.5, 0.5, 0.5}));
  const TetMesh mesh = fill_surface(two, cells(30));
  expect_usable(mesh);
  EXPECT_NEAR(total_volume(mesh), 2 - 0.125, 0.03);
  EXPECT_EQ(components(mesh).count, 1);
}

// The half-way level of the winding number closes a small hole nearly flat.
TEST(FillSurface, HolesAreClosed) {
  const TriangleMesh open = open_above(ball_surface(0.5, 0.04), 0.35);
  const TetMesh mesh = fill_surface(open, cells(24));
  expect_usable(mesh);
  const double r = 0.5, cap = r - 0.35, ball = 4 * std::numbers::pi / 3 * r * r * r;
  const double missing = std::numbers::pi * cap * cap * (3 * r - cap) / 3;
  EXPECT_GT(total_volume(mesh), ball - 1.5 * missing);
  EXPECT_LT(total_volume(mesh), ball);
  EXPECT_EQ(components(mesh).count, 1);
}

TEST(FillSurface, InsideOutIsTheSame) {
  TriangleMesh ball = ball_surface();
  const TetMesh expected = fill_surface(ball, cells(12));
  turn_inside_out(ball);
  std::vector<std::string> notes;
  const TetMesh mesh = fill_surface(ball, cells(12), &notes);
  EXPECT_EQ(mesh.tets, expected.tets);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("turned around"), std::string::npos);
}

TEST(FillSurface, EdgesOfSeveralSheets) {
  TriangleMesh cube = cube_surface();
  const auto at = [&](double x, double y, double z) {
    cube.vertices.insert(cube.vertices.end(), {x, y, z});
    return cube.vertex_count() - 1;
  };
  const int a = at(-0.5, -0.5, 0), b = at(0.5, -0.5, 0), c = at(0.5, 0.5, 0), d = at(-0.5, 0.5, 0);
  cube.triangles.insert(cube.triangles.end(), {a, b, c, a, c, d});  // a wall through the middle
  const TetMesh mesh = fill_surface(cube, cells(16));
  expect_usable(mesh);
  EXPECT_NEAR(total_volume(mesh), 1, 0.03);
}

TEST(FillSurface, UnitsDoNotMatter) {
  const TetMesh one = fill_surface(ball_surface(0.5), cells(12));
  for (const double size : {1e-9, 1e9}) {
    const TetMesh other = fill_surface(ball_surface(0.5 * size), cells(12));
    expect_usable(other);
    EXPECT_NEAR(other.tet_count(), one.tet_count(), 0.01 * one.tet_count());
  }
}

TEST(FillSurface, UnusedVerticesDoNotMatter) {
  TriangleMesh ball = ball_surface();
  const TetMesh expected = fill_surface(ball, cells(12));
  ball.vertices.insert(ball.vertices.end(), {1000, 1000, 1000});
  EXPECT_EQ(fill_surface(ball, cells(12)).tets, expected.tets);
}

TEST(FillSurface, WantedNumbersOfTets) {
  TriangleMesh cubes = cube_surface();
  add(cubes, cube_surface(1, {0.5, 0.5, 0.5}));
  for (const TriangleMesh& mesh : {ball_surface(), torus_surface(), cubes})
    for (const int wanted : {4000, 10000}) {  // faces along the lattice let small numbers jump
      SurfaceFillOptions options;
      options.tets = wanted;
      EXPECT_NEAR(fill_surface(mesh, options).tet_count(), wanted, 0.1 * wanted);
    }
}

TEST(FillSurface, SheetsAreRefusedUnlessThickened) {
  TriangleMesh sheet = grid_cloth({}).triangles;
  const std::string error = input_error([&] { fill_surface(sheet, cells(20)); });
  says(error, "more cells");
  says(error, "thicken");
  says(input_error([&] { fill_surface(sheet, SurfaceFillOptions{}); }), "thicken");
  const TetMesh mesh = fill_surface(sheet, cells(20, 0.1));
  expect_usable(mesh);
  EXPECT_NEAR(total_volume(mesh), 0.2 + 0.1 * 0.1 * std::numbers::pi / 2 * 4, 0.02);
}

TEST(FillSurface, ThinSolidsWantMoreCells) {
  BoxOptions plate;
  plate.size = {1, 1, 0.02}, plate.cells = {4, 4, 1};
  const TriangleMesh mesh = surface(box(plate));
  says(input_error([&] { fill_surface(mesh, cells(5)); }), "more cells");
  expect_usable(fill_surface(mesh, cells(100)));
}

// A ball that hangs on another by a thread: what the thread joins would fall off when it is lost.
TEST(FillSurface, PiecesBeyondLostPartsAreLeftOut) {
  MetaballsOptions balls;
  balls.balls = {{{0, 0, 0}, 0.4}, {{0.9, 0, 0}, 0.2}};
  for (double x = 0.4; x < 0.71; x += 0.02) balls.balls.push_back({{x, 0, 0}, 0.03});
  balls.spacing = 0.02, balls.blend = 0;
  const TriangleMesh mesh = surface(metaballs(balls));
  std::vector<std::string> notes;
  EXPECT_EQ(components(fill_surface(mesh, cells(10), &notes)).count, 1);
  EXPECT_FALSE(notes.empty());
  EXPECT_LT(bounds(fill_surface(mesh, cells(10)).vertices).upper[0], 0.6);
  EXPECT_GT(bounds(fill_surface(mesh, cells(60)).vertices).upper[0], 1.0);
}

TEST(FillSurface, CanBeStoppedAtEveryCheck) {
  const TriangleMesh ball = ball_surface();
  int checks = 0, last = std::numeric_limits<int>::max();
  const Watch watch([](const std::string&) {}, [&] { return ++checks >= last; });
  const TetMesh whole = fill_surface(ball, cells(20));
  const int all = checks;
  ASSERT_GT(all, 10);
  for (const int n : {1, 2, all / 2, all}) {
    checks = 0, last = n;
    EXPECT_THROW(fill_surface(ball, cells(20)), Cancelled) << n;
    EXPECT_EQ(checks, n) << "it went on after it was stopped";
  }
  checks = 0, last = std::numeric_limits<int>::max();
  EXPECT_EQ(fill_surface(ball, cells(20)).vertices, whole.vertices);
}

TEST(FillSurface, NothingCannotBeFilled) {
  says(input_error([&] { fill_surface({}, cells(10)); }), "no triangles");
  const TriangleMesh point{{1, 1, 1}, {0, 0, 0}, {}, {}};
  says(input_error([&] { fill_surface(point, cells(10)); }), "in one place");
}

}  // namespace
}  // namespace resilin::test
