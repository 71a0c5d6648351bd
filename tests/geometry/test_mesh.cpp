// Surface, components, measures.
#include <gtest/gtest.h>

#include <numeric>

#include "geometry/mesh_checks.h"

namespace resilin {
namespace {

using namespace test;

TetMesh two_tets() {  // share face 1, 2, 3
  TetMesh mesh = one_tet();
  mesh.vertices.insert(mesh.vertices.end(), {1, 1, 1});
  mesh.tets.insert(mesh.tets.end(), {1, 2, 3, 4});
  return mesh;
}

TEST(Surface, of_one_tet_points_outward) {
  std::vector<int> map;
  const TriangleMesh skin = surface(one_tet(), map);
  EXPECT_EQ(skin.triangles, (std::vector<int>{1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1}));
  EXPECT_EQ(map, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_NEAR(enclosed_volume(skin), 1.0 / 6, 1e-15);
}

TEST(Surface, leaves_out_inner_faces_and_vertices) {
  const TetMesh mesh = box({{1, 1, 1}, {3, 3, 3}, BoxPattern::six, {0, 0, 0}});
  std::vector<int> map;
  const TriangleMesh skin = surface(mesh, map);
  EXPECT_EQ(skin.triangle_count(), 6 * 9 * 2);
  EXPECT_EQ(skin.vertex_count(), 64 - 8);
  for (int i = 0; i < skin.vertex_count(); ++i)
    for (int a = 0; a < 3; ++a) EXPECT_EQ(skin.vertices[3 * i + a], mesh.vertices[3 * map[i] + a]);
  EXPECT_EQ(skin.vertex_groups.at("x_min").size(), 16u);
}

TEST(Surface, of_an_inverted_tet_still_points_outward) {
  TetMesh mesh = one_tet();
  std::swap(mesh.tets[0], mesh.tets[1]);
  EXPECT_NEAR(enclosed_volume(surface(mesh)), 1.0 / 6, 1e-15);
}

TEST(Surface, has_the_faces_of_a_solid_ball) {
  const TetMesh mesh = box({{1, 1, 1}, {2, 3, 4}, BoxPattern::six, {0, 0, 0}});
  // Euler characteristic of a solid ball: V - E + F - T = 1.
  const int faces = (4 * mesh.tet_count() + surface(mesh).triangle_count()) / 2;
  EXPECT_EQ(mesh.vertex_count() - edge_count(mesh.tets, 4) + faces - mesh.tet_count(), 1);
}

TEST(Components, are_counted_and_labelled) {
  TetMesh mesh = one_tet();
  append(mesh, two_tets());
  mesh.vertices.insert(mesh.vertices.end(), {9, 9, 9});
  const Components parts = components(mesh);
  EXPECT_EQ(parts.count, 2);
  EXPECT_EQ(parts.of_tet, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(parts.of_vertex, (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 1, -1}));
}

TEST(Subset, keeps_tets_vertices_and_groups) {
  TetMesh mesh = two_tets();
  mesh.element_groups["second"] = {1};
  mesh.element_groups["first"] = {0};
  mesh.vertex_groups["ends"] = {0, 4};
  const TetMesh part = subset(mesh, std::vector<int>{1});
  EXPECT_EQ(part.tets, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(part.vertices[9], 1);
  EXPECT_EQ(part.element_groups, (Groups{{"second", {0}}}));
  EXPECT_EQ(part.vertex_groups, (Groups{{"ends", {3}}}));
}

TEST(Measures, volume_masses_bounds) {
  const TetMesh mesh = two_tets();
  EXPECT_NEAR(tet_volume(mesh, 0), 1.0 / 6, 1e-15);
  EXPECT_NEAR(tet_volume(mesh, 1), 1.0 / 3, 1e-15);
  const auto uniform = lumped_masses(mesh, 12.0);
  const double expected[5] = {0.5, 1.5, 1.5, 1.5, 1.0};
  for (int v = 0; v < 5; ++v) EXPECT_NEAR(uniform[v], expected[v], 1e-14);
  const auto fields = lumped_masses(mesh, std::vector<double>{24.0, 0.0});
  EXPECT_NEAR(fields[1], 1.0, 1e-14);
  EXPECT_NEAR(fields[4], 0.0, 1e-14);
  const Bounds b = bounds(mesh.vertices);
  EXPECT_EQ(b.lower, (Vec3{0, 0, 0}));
  EXPECT_EQ(b.upper, (Vec3{1, 1, 1}));
  EXPECT_GT(bounds({}).lower[0], bounds({}).upper[0]);
}

}  // namespace
}  // namespace resilin
