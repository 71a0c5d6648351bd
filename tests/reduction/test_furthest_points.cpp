#include <gtest/gtest.h>

#include <set>

#include "geometry/mesh_checks.h"
#include "reduction/furthest_points.h"
#include "resilin/shapes.h"
#include "support/setup.h"

namespace resilin {
namespace {

Model bar(std::array<int, 3> cells, double shift = 0) {
  BoxOptions options;
  options.cells = cells, options.size = {1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]},
  options.center = {shift, 0, 0};
  return setup::solid(box(options), 1000, "arap", {{"stiffness", 1e3}});
}

Model two_bars() {
  BoxOptions options;
  options.cells = {12, 3, 3}, options.size = {12, 3, 3};
  TetMesh mesh = box(options);
  options.cells = {2, 2, 2}, options.size = {2, 2, 2}, options.center = {0, 10, 0};
  test::append(mesh, box(options));
  return setup::solid(mesh, 1000, "arap", {{"stiffness", 1e3}});
}

TEST(FurthestPoints, SpreadOverTheMesh) {
  const Model model = bar({16, 4, 4});
  const EdgeGraph graph = edge_graph(model);
  FurthestVertices spread(graph, 3);
  std::vector<double> cover;
  for (const int count : {1, 4, 16, 64}) {
    spread.extend(count);
    ASSERT_EQ(std::ssize(spread.chosen()), count);
    cover.push_back(spread.radius_of_covering()[0]);
  }
  for (std::size_t i = 1; i < cover.size(); ++i) EXPECT_LT(cover[i], 0.85 * cover[i - 1]);
  // No two are nearer to each other than the furthest vertex is to the nearest of them, but for the approximate
  // distances.
  for (const int a : spread.chosen())
    for (const int b : spread.chosen()) {
      if (a == b) continue;
      const double* x = &graph.position[4 * a];
      const double* y = &graph.position[4 * b];
      EXPECT_GT(std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]), 0.9 * cover.back());
    }
}

TEST(FurthestPoints, TheSeedChoosesTheFirstAndNothingElseIsRandom) {
  const Model model = bar({8, 3, 3});
  const EdgeGraph graph = edge_graph(model);
  const auto chosen = [&](int seed, std::vector<int> steps) {
    FurthestVertices spread(graph, seed);
    for (const int count : steps) spread.extend(count);
    return spread.chosen();
  };
  EXPECT_EQ(chosen(1, {20}), chosen(1, {5, 6, 20}));
  EXPECT_NE(chosen(1, {1}), chosen(2, {1}));
}

TEST(FurthestPoints, EveryComponentHasOneAndTheLargeOneHasMore) {
  const Model model = two_bars();
  const EdgeGraph graph = edge_graph(model);
  ASSERT_EQ(graph.components, 2);
  FurthestVertices spread(graph, 1);
  spread.extend(2);
  EXPECT_NE(graph.component[spread.chosen()[0]], graph.component[spread.chosen()[1]]);
  spread.extend(20);
  std::array<int, 2> count{};
  for (const int v : spread.chosen()) ++count[graph.component[v]];
  EXPECT_GE(count[1], 1);
  EXPECT_GT(count[0], 2 * count[1]);
  EXPECT_TRUE(std::isfinite(spread.radius_of_covering()[0]) && std::isfinite(spread.radius_of_covering()[1]));
}

TEST(FurthestPoints, ChoosesEveryVertexOnceAndEnds) {
  const Model model = bar({2, 1, 1});
  const EdgeGraph graph = edge_graph(model);
  FurthestVertices spread(graph, 1);
  spread.extend(1000);
  std::vector<int> all = spread.chosen();
  std::sort(all.begin(), all.end());
  ASSERT_EQ(std::ssize(all), graph.size());
  for (int v = 0; v < graph.size(); ++v) EXPECT_EQ(all[v], v);
  EXPECT_EQ(spread.radius_of_covering()[0], 0);
}

TEST(FurthestPoints, SampledElementsAreSpreadAndStandForAll) {
  const Model model = two_bars();
  const Elements& elements = model.terms[0].elements;
  const EdgeGraph graph = edge_graph(model);
  FurthestVertices spread(graph, 1);
  spread.extend(10);
  const ElementSamples samples = furthest_elements(graph, elements, spread.chosen(), 60);
  ASSERT_EQ(std::ssize(samples.element), 60);
  EXPECT_EQ(std::set<int>(samples.element.begin(), samples.element.end()).size(), 60u);
  for (std::size_t i = 0; i < 10; ++i) {  // next to the handles first
    const auto ids = elements.vertices(samples.element[i]);
    EXPECT_TRUE(std::find(ids.begin(), ids.end(), spread.chosen()[i]) != ids.end());
  }
  double total = 0, sampled = 0;
  std::array<int, 2> count{};
  for (int i = 0; i < elements.size(); ++i) total += elements.measure(i);
  for (std::size_t i = 0; i < 60; ++i) {
    sampled += samples.measure[i];
    EXPECT_GT(samples.measure[i], 0);
    ++count[graph.component[elements.vertices(samples.element[i])[0]]];
  }
  EXPECT_NEAR(sampled, total, 1e-12 * total);
  EXPECT_GT(count[1], 0);
  EXPECT_GT(count[0], 3 * count[1]);
}

TEST(FurthestPoints, AllElementsWhenThereAreFew) {
  const Model model = bar({1, 1, 1});
  const EdgeGraph graph = edge_graph(model);
  const ElementSamples samples = furthest_elements(graph, model.terms[0].elements, {}, 60);
  EXPECT_EQ(samples.element, (std::vector<int>{0, 1, 2, 3, 4}));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(samples.measure[i], model.terms[0].elements.measure(i));
}

}  // namespace
}  // namespace resilin
