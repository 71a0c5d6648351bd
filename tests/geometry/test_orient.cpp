#include <gtest/gtest.h>

#include "geometry/orient.h"
#include "geometry/surface_samples.h"

namespace resilin::test {
namespace {

TEST(Orient, GoodSurfacesStayAsTheyAre) {
  TriangleMesh mesh = ball_surface();
  const auto before = mesh.triangles;
  SurfaceParts parts;
  EXPECT_EQ(orient_outward(mesh, parts), 0);
  EXPECT_EQ(mesh.triangles, before);
  EXPECT_EQ(parts.count, 1);
}

TEST(Orient, InsideOutIsTurned) {
  TriangleMesh mesh = ball_surface();
  const double volume = enclosed_volume(mesh);
  turn_inside_out(mesh);
  SurfaceParts parts;
  EXPECT_EQ(orient_outward(mesh, parts), mesh.triangle_count());
  EXPECT_DOUBLE_EQ(enclosed_volume(mesh), volume);
}

TEST(Orient, SingleTrianglesFollowTheirNeighbours) {
  TriangleMesh mesh = cube_surface();
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 9)
    std::swap(mesh.triangles[t + 1], mesh.triangles[t + 2]);
  SurfaceParts parts;
  EXPECT_GT(orient_outward(mesh, parts), 0);
  EXPECT_NEAR(enclosed_volume(mesh), 1, 1e-12);
}

TEST(Orient, OneOfSeveralParts) {
  TriangleMesh mesh = cube_surface(), other = cube_surface(1, {0.6, 0.4, 0.3});
  turn_inside_out(other);
  add(mesh, other);
  SurfaceParts parts;
  EXPECT_EQ(orient_outward(mesh, parts), other.triangle_count());
  EXPECT_EQ(parts.count, 2);
  EXPECT_NEAR(enclosed_volume(mesh), 2, 1e-12);
}

TEST(Orient, CavitiesStayOpenAlsoWhenEverythingIsInsideOut) {
  TriangleMesh hollow = cube_surface(), cavity = cube_surface(0.5);
  turn_inside_out(cavity);
  add(hollow, cavity);
  for (const bool wrong : {false, true}) {
    TriangleMesh mesh = hollow;
    if (wrong) turn_inside_out(mesh);
    SurfaceParts parts;
    orient_outward(mesh, parts);
    EXPECT_NEAR(enclosed_volume(mesh), 1 - 0.125, 1e-12);
  }
}

TEST(Orient, TrianglesThatShareNoVertexButPlaces) {
  const TriangleMesh cube = cube_surface();
  TriangleMesh soup;
  for (const int v : cube.triangles) {
    soup.triangles.push_back(soup.vertex_count());
    soup.vertices.insert(soup.vertices.end(), &cube.vertices[3 * static_cast<std::size_t>(v)],
                         &cube.vertices[3 * static_cast<std::size_t>(v)] + 3);
  }
  turn_inside_out(soup);
  SurfaceParts parts;
  orient_outward(soup, parts);
  EXPECT_EQ(parts.count, 1);
  EXPECT_NEAR(enclosed_volume(soup), 1, 1e-12);
}

}  // namespace
}  // namespace resilin::test
