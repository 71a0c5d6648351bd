#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "geometry/surface_samples.h"
#include "resilin/embedding.h"

namespace resilin::test {
namespace {

TEST(Embed, VerticesAreWhereTheyWere) {
  const TriangleMesh torus = torus_surface();
  SurfaceFillOptions options;
  options.cells = 16;
  const TetMesh cage = fill_surface(torus, options);
  const Embedding e = embed(cage, torus);
  std::vector<double> x;
  e.place(cage.tets, cage.vertices, x);
  ASSERT_EQ(x.size(), torus.vertices.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], torus.vertices[i], 1e-14);
  for (const auto& w : e.weights) EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-14);
}

TEST(Embed, RigidMotionsOfTheCageMoveTheSurfaceRigidly) {
  const TriangleMesh ball = ball_surface();
  SurfaceFillOptions options;
  options.cells = 8;
  const TetMesh cage = fill_surface(ball, options);
  const Embedding e = embed(cage, ball);
  TetMesh moved = cage;
  std::vector<double> expected = ball.vertices, x;
  const Vec3 axis{1, 2, -1}, away{3, -4, 5};
  rotate(moved.vertices, axis, 77);
  translate(moved.vertices, away);
  rotate(expected, axis, 77);
  translate(expected, away);
  e.place(moved.tets, moved.vertices, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-13);
}

TEST(Embed, TheContainingTetIsFound) {
  BoxOptions options;
  options.cells = {5, 4, 3};
  const TetMesh cage = box(options);
  TriangleMesh inside = ball_surface(0.45);
  const Embedding e = embed(cage, inside);
  for (const auto& w : e.weights)
    for (const double one : w) EXPECT_GE(one, -1e-12);
}

TEST(Embed, OutsideTheClosestTetIsTaken) {
  TetMesh cage{
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}, {}, {}};
  const TriangleMesh triangle{{-1, -1, -1, 2, 0, 0, 4, 0.1, 0.1}, {0, 1, 2}, {}, {}};
  const Embedding e = embed(cage, triangle);
  EXPECT_EQ(e.tet, (std::vector<int>{0, 0, 1}));
  std::vector<double> x;
  e.place(cage.tets, cage.vertices, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], triangle.vertices[i], 1e-14);
}

TEST(Embed, OtherValuesAreCarriedToo) {
  const TetMesh cage{{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 2, 3}, {}, {}};
  const TriangleMesh triangle{{0.25, 0.25, 0.25, 1, 0, 0, 0, 0.5, 0.5}, {0, 1, 2}, {}, {}};
  std::vector<double> out = {9};
  embed(cage, triangle).place(cage.tets, std::vector<double>{1, 2, 3, 4}, out, 1);
  ASSERT_EQ(out.size(), 4u);
  EXPECT_EQ(out[0], 9);
  EXPECT_NEAR(out[1], 2.5, 1e-15);
  EXPECT_NEAR(out[2], 2, 1e-15);
  EXPECT_NEAR(out[3], 3.5, 1e-15);
}

}  // namespace
}  // namespace resilin::test
