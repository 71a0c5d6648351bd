// Bodies in one place are found, however they lie in each other; bodies that touch are not.
#include <gtest/gtest.h>

#include <chrono>

#include "geometry/overlap.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

/// Keeps what a PlacedBody refers to.
struct Solid {
  TetMesh mesh;
  std::vector<int> triangles;
  explicit Solid(TetMesh tets) : mesh(std::move(tets)), triangles(boundary_triangles(mesh)) {}
  PlacedBody placed() const { return {mesh.vertices, mesh.tets, triangles, {}}; }
};

Solid block(const Vec3& size, const Vec3& centre, int cells = 2) {
  return Solid(box({size, {cells, cells, cells}, BoxPattern::five, centre}));
}

bool meet(const Solid& a, const Solid& b) {
  const bool found = overlap(a.placed(), b.placed()).has_value();
  EXPECT_EQ(found, overlap(b.placed(), a.placed()).has_value()) << "both ways";
  return found;
}

TEST(Overlap, SolidsInEachOther) {
  const Solid cube = block({1, 1, 1}, {0, 0, 0});
  EXPECT_TRUE(meet(cube, block({1, 1, 1}, {0.9, 0.3, 0.2})));
  EXPECT_TRUE(meet(cube, block({1, 1, 1}, {0, 0, 0}))) << "the same place";
  EXPECT_TRUE(meet(cube, block({0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}))) << "one inside of the other";
  EXPECT_TRUE(meet(block({4, 0.2, 0.2}, {0, 0, 0}, 1), block({0.2, 4, 0.2}, {0, 0, 0.05}, 1)))
      << "no vertex in the other";
  for (const int cells : {1, 2, 5})
    EXPECT_TRUE(meet(cube, block({1, 1, 1}, {0.99, 0, 0}, cells))) << "by a hundredth, side to side";
  const auto place = overlap(cube.placed(), block({1, 1, 1}, {0.9, 0, 0}).placed());
  ASSERT_TRUE(place.has_value());
  EXPECT_GT((*place)[0], 0.4);
  EXPECT_LE((*place)[0], 0.5);
}

TEST(Overlap, TouchingAndNeighbouringSolidsDoNot) {
  const Solid cube = block({1, 1, 1}, {0, 0, 0});
  for (const Vec3& centre :
       {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}, Vec3{1, 0.3, 0.2}, Vec3{1.2, 0, 0}, Vec3{0, 0, 7}})
    EXPECT_FALSE(meet(cube, block({1, 1, 1}, centre)));
  EXPECT_FALSE(meet(block({0.1, 0.1, 0.1}, {0.1, 0, 0}, 3), block({0.1, 0.1, 0.1}, {0.1 + 0.1, 0, 0}, 3)));
  TorusOptions ring;
  ring.radius = 0.5, ring.tube_radius = 0.1, ring.spacing = 0.05;
  EXPECT_FALSE(meet(Solid(torus(ring)), block({0.2, 0.2, 0.2}, {0, 0, 0})))
      << "in the hole of a ring, whose box it is in";
}

TEST(Overlap, ClothAndSprings) {
  const Solid cube = block({1, 1, 1}, {0, 0, 0});
  const auto sheet = [](double y) { return std::vector<double>{-2, y, -2, 2, y, -2, 2, y, 2, -2, y, 2}; };
  const std::vector<int> triangles{0, 1, 2, 0, 2, 3}, edges{0, 2};
  for (const auto& [y, expected] : {std::pair{0.1, true}, std::pair{0.5, false}, std::pair{0.7, false}}) {
    const std::vector<double> vertices = sheet(y);
    EXPECT_EQ(overlap(cube.placed(), {vertices, {}, triangles, {}}).has_value(), expected) << y;
    EXPECT_EQ(overlap(cube.placed(), {vertices, {}, {}, edges}).has_value(), expected) << y;
  }
}

TEST(Overlap, IsCheap) {
  const Solid a = block({1, 1, 1}, {0, 0, 0}, 16), b = block({1, 1, 1}, {1, 0, 0}, 16);  // 20480 tets each
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(meet(a, b));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_LT(time.count(), 0.5);  // two searches; far above what it takes on a busy machine
}

}  // namespace
}  // namespace resilin
