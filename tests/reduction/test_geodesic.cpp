#include <gtest/gtest.h>

#include "geometry/mesh_checks.h"
#include "reduction/geodesic.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A grid of unit squares, both diagonals or one.
EdgeGraph grid(int cells, bool both) {
  std::vector<double> rest;
  std::vector<std::pair<int, int>> edges;
  const auto id = [&](int i, int j) { return j * (cells + 1) + i; };
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      rest.insert(rest.end(), {1.0 * i, 1.0 * j, 0.0});
      if (i < cells) edges.emplace_back(id(i, j), id(i + 1, j));
      if (j < cells) edges.emplace_back(id(i, j), id(i, j + 1));
      if (i < cells && j < cells) edges.emplace_back(id(i, j), id(i + 1, j + 1));
      if (i < cells && j < cells && both) edges.emplace_back(id(i + 1, j), id(i, j + 1));
    }
  return edge_graph(rest, edges);
}

EdgeGraph graph_of(std::span<const double> vertices, const std::vector<int>& flat) {
  std::vector<std::pair<int, int>> edges;
  for (std::size_t e = 0; e + 1 < flat.size(); e += 2) edges.emplace_back(flat[e], flat[e + 1]);
  return edge_graph(vertices, edges);
}
EdgeGraph graph_of(const TetMesh& mesh) { return graph_of(mesh.vertices, test::unique_edges(mesh.tets, 4)); }
EdgeGraph graph_of(const TriangleMesh& mesh) {
  return graph_of(mesh.vertices, test::unique_edges(mesh.triangles, 3));
}

std::vector<double> distances(const EdgeGraph& graph, std::vector<GeodesicSearch::Source> sources, int window,
                              double radius = infinite) {
  GeodesicSearch search(graph, window);
  std::vector<double> out(graph.size(), infinite);
  for (const int v : search.run(sources, radius)) out[v] = search.distance(v);
  return out;
}

struct Errors {
  double worst = 0, mean = 0;
};
template <class Exact>
Errors errors(const EdgeGraph& graph, int source, int window, double least, Exact exact) {
  const auto d = distances(graph, {{source, 0}}, window);
  Errors out;
  int count = 0;
  for (int v = 0; v < graph.size(); ++v) {
    const double wanted = exact(&graph.position[4 * source], &graph.position[4 * v]);
    if (wanted < least) continue;
    const double error = std::abs(d[v] / wanted - 1);
    out.worst = std::max(out.worst, error), out.mean += error, ++count;
  }
  out.mean /= count;
  return out;
}
double straight(const double* a, const double* b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(Geodesic, IsNearlyStraightWherePathsAlongEdgesAreNot) {
  for (const bool both : {false, true}) {
    const EdgeGraph graph = grid(40, both);
    const Errors edges = errors(graph, 0, 1, 1, straight),
                 ours = errors(graph, 0, GeodesicSearch::default_window, 1, straight);
    EXPECT_GT(edges.worst, 0.07);
    EXPECT_LT(ours.worst, 0.04);
    EXPECT_LT(ours.mean, edges.mean / 4);
  }
  // Across the diagonals.
  const EdgeGraph graph = grid(40, false);
  const Errors edges = errors(graph, 40, 1, 1, straight),
               ours = errors(graph, 40, GeodesicSearch::default_window, 1, straight);
  EXPECT_GT(edges.worst, 0.4);
  EXPECT_LT(ours.worst, 0.05);
}

TEST(Geodesic, GoesThroughVolumes) {
  BoxOptions options;
  options.cells = {12, 12, 12};
  for (const BoxPattern pattern : {BoxPattern::five, BoxPattern::six, BoxPattern::bcc}) {
    options.pattern = pattern;
    const EdgeGraph graph = graph_of(box(options));
    const Errors edges = errors(graph, 0, 1, 0.2, straight),
                 ours = errors(graph, 0, GeodesicSearch::default_window, 0.2, straight);
    EXPECT_LT(ours.worst, 0.07);
    EXPECT_LT(ours.mean, 0.02);
    EXPECT_LT(ours.mean, edges.mean / 3);
  }
}

TEST(Geodesic, FollowsGreatCircles) {
  BallSurfaceOptions options;
  options.radius = 1, options.subdivisions = 5;
  const EdgeGraph graph = graph_of(ball_surface(options));
  const auto circle = [](const double* a, const double* b) {
    return 2 * std::asin(std::min(1.0, straight(a, b) / 2));
  };
  const Errors ours = errors(graph, 0, GeodesicSearch::default_window, 0.2, circle);
  EXPECT_LT(ours.worst, 0.04);
  EXPECT_LT(ours.mean, 0.015);
}

TEST(Geodesic, EndsAtTheRadius) {
  const EdgeGraph graph = grid(20, true);
  const auto all = distances(graph, {{220, 0}}, 6), near = distances(graph, {{220, 0}}, 6, 5);
  int reached = 0;
  for (int v = 0; v < graph.size(); ++v) {
    EXPECT_EQ(near[v], all[v] <= 5 ? all[v] : infinite);
    reached += all[v] <= 5 ? 1 : 0;
  }
  EXPECT_GT(reached, 60);
  EXPECT_LT(reached, 90);
}

TEST(Geodesic, SeveralSourcesAndBounds) {
  const EdgeGraph graph = grid(20, true);
  const auto a = distances(graph, {{0, 0}}, 6), b = distances(graph, {{440, 0.5}}, 6);
  const auto both = distances(graph, {{0, 0}, {440, 0.5}}, 6);
  for (int v = 0; v < graph.size(); ++v) EXPECT_NEAR(both[v], std::min(a[v], b[v]), 0.02 * both[v] + 1e-15);
  // Only what is nearer than a bound is reached, and that as without one.
  GeodesicSearch search(graph);
  const GeodesicSearch::Source source{440, 0.5};
  for (const int v : search.run({&source, 1}, infinite, a.data())) {
    EXPECT_LT(search.distance(v), a[v]);
    EXPECT_NEAR(search.distance(v), b[v], 0.02 * b[v] + 1e-15);
  }
}

TEST(Geodesic, VisitsInOrderAndForgetsTheLastRun) {
  const EdgeGraph graph = grid(15, false);
  GeodesicSearch search(graph);
  const GeodesicSearch::Source first{37, 0}, second{200, 0};
  const auto run = [&](const GeodesicSearch::Source& source) {
    const auto span = search.run({&source, 1}, 6);
    std::vector<std::pair<double, int>> out;
    for (const int v : span) out.emplace_back(search.distance(v), v);
    return out;
  };
  const auto before = run(first);
  run(second);
  EXPECT_EQ(run(first), before);
}

TEST(Geodesic, DisconnectedPartsAreInfinitelyFar) {
  std::vector<double> rest = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 9, 9, 9};
  const EdgeGraph graph = edge_graph(rest, std::vector<std::pair<int, int>>{{0, 1}, {2, 3}, {1, 0}});
  EXPECT_EQ(graph.components, 3);
  EXPECT_EQ(graph.component, (std::vector<int>{0, 0, 1, 1, 2}));
  EXPECT_EQ(distances(graph, {{0, 0}}, 6), (std::vector<double>{0, 1, infinite, infinite, infinite}));
}

TEST(Geodesic, CoincidentVerticesAreAtDistanceZero) {
  const EdgeGraph graph =
      edge_graph(std::vector<double>(12, 1.0), std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(distances(graph, {{0, 0}}, 6), (std::vector<double>(4, 0.0)));
}

TEST(Geodesic, TheGraphOfAModelHasTheEdgesOfItsCells) {
  Model model;
  const double line[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 0, 0};
  model.add_vertices(line);
  model.mass.assign(5, 1.0);
  const int triangles[] = {0, 1, 2, 0, 2, 3};
  const double thickness[] = {1};
  model.terms.push_back({"shell", Elements::triangles(model.rest, triangles, thickness), {}});
  Elements hinge(ElementKind::hinge);
  hinge.add(std::array{0, 2, 1, 3}, std::array{1.0, 1.0, -1.0, -1.0}, 1);
  model.terms.push_back({"bend", hinge, {}});
  const EdgeGraph graph = edge_graph(model);
  EXPECT_EQ(graph.components, 2);
  EXPECT_EQ(std::vector<int>(graph.neighbours(1).begin(), graph.neighbours(1).end()), (std::vector<int>{0, 2}));
  EXPECT_EQ(std::vector<int>(graph.neighbours(0).begin(), graph.neighbours(0).end()), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(graph.neighbours(4).empty());
}

}  // namespace
}  // namespace resilin
