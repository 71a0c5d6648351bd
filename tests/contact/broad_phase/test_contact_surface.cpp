#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "contact/broad_phase/body_boxes.h"
#include "contact/surface_scenes.h"

namespace resilin {
namespace {

TEST(ContactSurface, HasTheTrianglesEdgesAndVerticesOfEveryBody) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  std::size_t triangles = 0;
  for (const Body& body : model.bodies) triangles += body.triangles.size() / 3;
  ASSERT_EQ(surface.triangles.size(), triangles);
  std::set<int> vertices;
  for (const auto& t : surface.triangles) vertices.insert(t.begin(), t.end());
  for (const int b : {2, 4})  // the rope, the particles
    for (int i = 0; i < model.bodies[b].vertex_count; ++i) vertices.insert(model.bodies[b].first_vertex + i);
  EXPECT_EQ(surface.vertices, std::vector<int>(vertices.begin(), vertices.end()));
  EXPECT_LT(static_cast<int>(vertices.size()), model.vertex_count());  // what is inside of the boxes is no surface

  EXPECT_TRUE(std::is_sorted(surface.edges.begin(), surface.edges.end()));
  EXPECT_EQ(std::adjacent_find(surface.edges.begin(), surface.edges.end()), surface.edges.end());
  for (int t = 0; t < surface.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
      const int e = surface.triangle_edges[t][k];
      EXPECT_EQ(surface.edges[e], (std::array{std::min(a, b), std::max(a, b)}));
      EXPECT_EQ(surface.edge_of(b, a), e);
      EXPECT_EQ(std::ranges::count(surface.edge_triangles[e], t), 1);
      EXPECT_EQ(std::ranges::count(surface.vertex_triangles[a], t), 1);
    }
  EXPECT_EQ(surface.edge_of(surface.vertices.front(), surface.vertices.back()), -1);
}

TEST(ContactSurface, KnowsBordersAndBodies) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  std::vector<int> open(6), edges(6), vertices(6), border(6);
  for (int e = 0; e < surface.edge_count(); ++e) {
    ++edges[surface.edge_body[e]];
    open[surface.edge_body[e]] += surface.edge_triangles[e].size() == 1;
  }
  for (const int v : surface.vertices) ++vertices[surface.body[v]], border[surface.body[v]] += surface.on_border[v];
  EXPECT_EQ(open, (std::vector{32, 0, 0, 24, 0, 0}));
  EXPECT_EQ(border, (std::vector{32, 0, 5, 24, 0, 0}));
  EXPECT_EQ(vertices, (std::vector{80, 56, 5, 49, 4, 26}));
  EXPECT_EQ(edges[1], 56 + 108 - 2);  // Euler
  EXPECT_EQ(edges[2], 4);
  EXPECT_EQ(edges[4], 0);
  std::size_t incident = 0;
  for (const int v : surface.vertices) incident += surface.vertex_triangles[v].size();
  EXPECT_EQ(incident, 3 * surface.triangles.size());
}

TEST(BodyBoxes, NearPairsAreThoseOfAllPairs) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> at(0, 1), size(0, 0.2);
  std::vector<Bounds> boxes;
  for (int i = 0; i < 60; ++i) {
    Bounds box;
    for (int k = 0; k < 3; ++k) box.lower[k] = at(random), box.upper[k] = box.lower[k] + size(random);
    boxes.push_back(box);
  }
  boxes[10] = {{1, 1, 1}, {-1, -1, -1}};  // of a body without surface
  boxes[20].upper[0] = boxes[20].lower[0];
  for (const double radius : {0.0, 1e-3, 0.1, 10.0}) {
    std::vector<std::array<int, 2>> expected;
    for (int a = 0; a < 60; ++a)
      for (int b = a + 1; b < 60; ++b) {
        if (a == 10 || b == 10) continue;
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
          const double gap =
              std::max({0.0, boxes[a].lower[k] - boxes[b].upper[k], boxes[b].lower[k] - boxes[a].upper[k]});
          sum += gap * gap;
        }
        if (std::sqrt(sum) < radius) expected.push_back({a, b});
      }
    EXPECT_EQ(near_pairs(boxes, radius), expected);
    EXPECT_EQ(expected.empty(), radius == 0);
  }
}

TEST(BodyBoxes, HoldTheSurfaceOfTheirBodies) {
  const Model model = mixed_scene();
  const std::vector<Bounds> boxes = body_boxes(contact_surface(model), model.rest.data());
  ASSERT_EQ(boxes.size(), model.bodies.size());
  EXPECT_NEAR(boxes[1].lower[0], 0.15, 1e-15);
  EXPECT_NEAR(boxes[1].upper[2], 0.45, 1e-15);
  EXPECT_EQ(boxes[0].lower[1], boxes[0].upper[1]);
  EXPECT_EQ(boxes[4].upper, (Vec3{3, 3, 3}));
}

}  // namespace
}  // namespace resilin
