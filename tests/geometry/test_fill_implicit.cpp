// Isosurface stuffing: bounded angles for any function, conforming, on the surface, second order.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

constexpr double min_angle = 10.7, max_angle = 164.8;  // [Labelle and Shewchuk 2007]

double ball(const double* p) { return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 1; }

FillOptions options(double spacing) {
  FillOptions o;
  o.spacing = spacing;
  return o;
}

void expect_bounded(const TetMesh& mesh) {
  const Quality q = quality(mesh);
  EXPECT_GE(q.min_dihedral, min_angle);
  EXPECT_LE(q.max_dihedral, max_angle);
}

TEST(FillImplicit, converges_at_second_order) {
  const double exact = 4 * std::numbers::pi / 3;
  double error[2];
  int i = 0;
  for (double spacing : {0.2, 0.1}) {
    const TetMesh mesh = fill_implicit(ball, options(spacing));
    error[i++] = 1 - total_volume(mesh) / exact;
    expect_sound(mesh);
    expect_bounded(mesh);
  }
  EXPECT_GT(error[0], 0);
  EXPECT_LT(error[0], 0.02);
  const double order = std::log2(error[0] / error[1]);
  EXPECT_GT(order, 1.7);
  EXPECT_LT(order, 2.3);
}

TEST(FillImplicit, boundary_vertices_lie_on_the_surface) {
  const TetMesh mesh = fill_implicit(ball, options(0.2));
  const TriangleMesh skin = surface(mesh);
  for (int v = 0; v < skin.vertex_count(); ++v) EXPECT_NEAR(ball(&skin.vertices[3 * v]), 0, 1e-7);
}

TEST(FillImplicit, evaluates_the_function_sparingly) {
  std::int64_t calls = 0;
  const auto counted = [&](const double* p) { return ++calls, ball(p); };
  fill_implicit(counted, options(0.1));
  const std::int64_t sites = 23 * 23 * 23 + 22 * 22 * 22;
  EXPECT_GE(calls, sites);
  const std::int64_t cut_edges = 10500;  // about
  EXPECT_LT(calls, sites + 6 * cut_edges);
}

TEST(FillImplicit, angles_are_bounded_for_rough_functions) {
  double lowest = 180, highest = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 generator(seed);
    const auto uniform = [&] {
      return generator() / 2147483648.0 - 1;
    };  // std distributions differ between libraries
    double wave[10][4];
    for (auto& w : wave)
      for (double& c : w) c = uniform();
    const double frequency[3] = {3, 10, 40};  // from smooth to noise below the spacing
    const auto f = [&](const double* p) {
      if (std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])}) > 1) return 1.0;
      double sum = 0;
      for (const auto& w : wave)
        sum += std::sin(frequency[seed % 3] * (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]) + 10 * w[3]);
      return sum;
    };
    const TetMesh mesh = fill_implicit(f, options(0.2));
    for (const Defect& d : check(mesh)) ADD_FAILURE() << seed << ' ' << name(d.kind) << ": " << d.detail;
    boundary_face_count(mesh);
    EXPECT_NEAR(enclosed_volume(surface(mesh)), total_volume(mesh), 1e-10);
    const Quality q = quality(mesh);
    lowest = std::min(lowest, q.min_dihedral);
    highest = std::max(highest, q.max_dihedral);
  }
  RecordProperty("min_dihedral", std::to_string(lowest));
  RecordProperty("max_dihedral", std::to_string(highest));
  std::printf("dihedral angles over 12 rough functions: %.2f .. %.2f degrees\n", lowest, highest);
  EXPECT_GE(lowest, min_angle);
  EXPECT_LE(highest, max_angle);
}

TEST(FillImplicit, locates_a_jump) {
  const auto winding = [](const double* p) { return ball(p) < 0 ? -0.5 : 0.5; };
  const TetMesh mesh = fill_implicit(winding, options(0.2));
  expect_sound(mesh);
  EXPECT_NEAR(total_volume(mesh), total_volume(fill_implicit(ball, options(0.2))), 1e-5);
}

TEST(FillImplicit, reproduces_a_cube_on_lattice_planes) {
  // The lattice is centred on the region: with 8 + 2 cubes its planes are at multiples of 0.25 from -1.25.
  const auto cube = [](const double* p) { return std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])}) - 1; };
  const TetMesh mesh = fill_implicit(cube, options(0.25));
  expect_bounded(mesh);
  const Bounds b = bounds(mesh.vertices);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(b.lower[a], -1, 1e-12);
    EXPECT_NEAR(b.upper[a], 1, 1e-12);
  }
  EXPECT_NEAR(total_volume(mesh), 8, 0.15);
}

TEST(FillImplicit, keeps_all_components) {
  const auto two = [](const double* p) {
    return std::min(std::hypot(p[0] + 0.45, p[1], p[2]) - 0.4, std::hypot(p[0] - 0.6, p[1], p[2]) - 0.25);
  };
  const TetMesh both = fill_implicit(two, options(0.1));
  EXPECT_EQ(components(both).count, 2);
  expect_sound(both);
}

TEST(FillImplicit, is_deterministic) {
  const TetMesh a = fill_implicit(ball, options(0.2)), b = fill_implicit(ball, options(0.2));
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.tets, b.tets);
}

TEST(FillImplicit, rejects_bad_input) {
  FillOptions small = options(0.1);
  small.region = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  EXPECT_NE(input_error([&] { fill_implicit(ball, small); }).find("region"), std::string::npos);
  EXPECT_THROW(fill_implicit(ball, options(0)), InputError);
  EXPECT_THROW(fill_implicit(ball, options(NAN)), InputError);
  EXPECT_THROW(fill_implicit(ball, options(1e-6)), InputError);
  EXPECT_THROW(fill_implicit([](const double*) { return NAN; }, options(0.5)), InputError);
  EXPECT_TRUE(fill_implicit([](const double*) { return 1.0; }, options(0.5)).tets.empty());
}

}  // namespace
}  // namespace resilin
