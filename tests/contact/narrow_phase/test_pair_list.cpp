// What the pairs of a search are given for their energy: radii, stiffnesses, what edges count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/closest_points.h"
#include "contact/narrow_phase/pair_list.h"
#include "contact/surface_scenes.h"
#include "resilin/builder.h"

namespace resilin {
namespace {

constexpr double radius = 0.02;

// Two patches of one body, side by side along x.
Model patches(double gap) {
  TriangleMesh all = grid_sheet(2, 2, 0.1, {0, 0, 0});
  const TriangleMesh other = grid_sheet(2, 2, 0.1, {0.2 + gap, 0, 0});
  const int first = static_cast<int>(all.vertices.size()) / 3;
  all.vertices.insert(all.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const int v : other.triangles) all.triangles.push_back(v + first);
  Model model;
  add_sheet(model, all);
  return model;
}

double distance(const ContactPair& pair, const std::vector<double>& x) {
  const double* at[4];
  for (std::size_t i = 0; i < 4; ++i) at[i] = &x[3 * static_cast<std::size_t>(pair.vertices[i])];
  return std::sqrt(pair.kind == ContactPair::edge_edge
                       ? closest_edge_edge(at[0], at[1], at[2], at[3]).squared
                       : closest_vertex_triangle(at[0], at[1], at[2], at[3]).squared);
}

struct Listed {
  Model model;
  ContactSurface surface = contact_surface(model);
  PairList list;
  ThreadPool pool{1};

  Listed(Model of, const ContactSettings& settings) : model(std::move(of)), list(settings, model, surface, {}) {}
};

TEST(PairList, PartsOfOneBodyPushBelowHalfOfTheirDistanceAtRest) {
  Listed scene(patches(0.03), {.radius = radius});
  scene.list.find(scene.model.rest.data(), 2 * radius, scene.pool);
  int near = 0;
  for (std::size_t i = 0; i < scene.list.pairs().size(); ++i) {
    const double at_rest = distance(scene.list.pairs()[i], scene.model.rest);
    EXPECT_NEAR(scene.list.radius(i), std::min(radius, 0.5 * at_rest), 1e-12);
    near += 0.5 * at_rest < radius ? 1 : 0;
  }
  EXPECT_GT(near, 10);
}

// Vertices that are one but for a seam would push each other apart for ever.
TEST(PairList, PartsThatAreSewnTogetherAreNoPair) {
  Listed scene(patches(1e-4), {.radius = radius});
  scene.list.find(scene.model.rest.data(), 5 * radius, scene.pool);
  EXPECT_GT(scene.list.pairs().size(), 0u);
  for (const ContactPair& pair : scene.list.pairs())
    EXPECT_GT(distance(pair, scene.model.rest), 0.1 * radius) << pair.first << " " << pair.second;
}

// A list that is made with room for motion has every pair in its energy that may use this room.
TEST(PairList, EveryPairThatMayComeNearIsInTheEnergy) {
  Model model;
  add_sheet(model, grid_sheet(3, 3, 0.1, {0, 0, 0}));
  add_sheet(model, grid_sheet(3, 3, 0.1, {0.02, 2.5 * radius, 0.03}));
  Listed scene(std::move(model), {.radius = radius});
  scene.list.find(scene.model.rest.data(), 3 * radius, scene.pool);
  EXPECT_GT(scene.list.pairs().size(), 10u);
  EXPECT_EQ(scene.list.term().elements.size(), static_cast<int>(scene.list.pairs().size()));
}

// Inclusion and exclusion: an inner edge counts half for each of its two triangles, an inner corner once for all.
TEST(PairList, InnerEdgesAndCornersCountOnce) {
  Model model;
  add_box(model, {.size = {0.3, 0.3, 0.3}, .cells = {2, 2, 2}});
  add_sheet(model, grid_sheet(2, 2, 0.1, {-0.1, 0.15 + 0.5 * radius, -0.1}));
  Listed scene(std::move(model), {.radius = radius});
  scene.list.find(scene.model.rest.data(), radius, scene.pool);
  bool closed = false, border = false;
  for (std::size_t i = 0; i < scene.list.pairs().size(); ++i) {
    const ContactPair& pair = scene.list.pairs()[i];
    if (pair.kind != ContactPair::vertex_triangle) continue;
    const VertexTriangle numbers = scene.list.numbers(i);
    const auto& triangle = scene.surface.triangles[static_cast<std::size_t>(pair.second)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangle[k], b = triangle[(k + 1) % 3];
      const int edge = scene.surface.edge_of(a, b);
      const bool inner = scene.surface.edge_triangles[edge].size() == 2;
      EXPECT_EQ(numbers.inner_edges[k], inner ? 0.5 : 0);
      const auto around = static_cast<double>(scene.surface.vertex_triangles[a].size());
      const bool on_border = scene.surface.on_border[static_cast<std::size_t>(a)] != 0;
      EXPECT_EQ(numbers.inner_corners[k], on_border ? 0 : 1 / around);
      closed = closed || inner, border = border || !inner;
    }
  }
  EXPECT_TRUE(closed);
  EXPECT_TRUE(border);
}

// Two boxes, the second a small gap above the first.
double stiffness_between(double young, double other) {
  Builder builder;
  builder.gravity({0, 0, 0});
  for (int i = 0; i < 2; ++i) {
    TetMesh mesh = box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
    for (std::size_t k = 1; k < mesh.vertices.size(); k += 3) mesh.vertices[k] += 0.101 * i;
    builder.add(Solid{.mesh = std::move(mesh),
                      .material = {"neo_hookean", {{"young", i == 0 ? young : other}, {"poisson", 0.3}}}});
  }
  Listed scene(std::move(builder).model(), {});
  scene.list.find(scene.model.rest.data(), scene.list.full_radius(), scene.pool);
  for (const ContactPair& pair : scene.list.pairs())
    if (scene.surface.body[static_cast<std::size_t>(pair.vertices[0])] !=
        scene.surface.body[static_cast<std::size_t>(pair.vertices[3])])
      return scene.list.stiffness(pair);
  return 0;
}

TEST(PairList, TheSofterOfTwoBodiesSaysHowStiffAContactIs) {
  const double soft = stiffness_between(1e4, 1e4);
  EXPECT_GT(soft, 0);
  EXPECT_NEAR(stiffness_between(1e6, 1e6), 100 * soft, 1e-6 * soft);
  EXPECT_NEAR(stiffness_between(1e6, 1e4), soft, 1e-9 * soft);
  EXPECT_NEAR(stiffness_between(1e4, 1e6), soft, 1e-9 * soft);
}

}  // namespace
}  // namespace resilin
