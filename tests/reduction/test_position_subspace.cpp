#include <gtest/gtest.h>

#include "reduction/furthest_points.h"
#include "reduction/position_subspace.h"
#include "resilin/shapes.h"
#include "support/setup.h"

namespace resilin {
namespace {

using test::dot;
using test::largest_difference;

struct Body {
  Model model;
  EdgeGraph graph;
  std::vector<int> handles;
  HandleWeights weights;
  std::unique_ptr<PositionSubspace> positions;

  Body(Model given, int count, ThreadPool& pool, double radius = 2)
      : model(std::move(given)), graph(edge_graph(model)) {
    FurthestVertices spread(graph, 1);
    spread.extend(count);
    spread.complete(4);
    handles = spread.chosen();
    count = static_cast<int>(handles.size());
    std::vector<double> r = spread.radius_of_covering();
    for (double& each : r) each *= radius;
    weights = handle_weights(graph, handles, r, pool);
    positions = std::make_unique<PositionSubspace>(model.rest, model.mass, weights, count, pool);
  }
  int rows() const { return positions->rows(); }
};

Model springs(std::vector<double> rest, const std::vector<int>& edges) {
  Model model;
  model.add_vertices(rest);
  model.mass.assign(rest.size() / 3, 0.5);
  model.terms.push_back({"springs", Elements::springs(edges), {}});
  return model;
}
Model bar(double at = 0) {
  BoxOptions options;
  options.cells = {10, 4, 4}, options.size = {2.5, 1, 1}, options.center = {at, 2 * at, -at};
  return setup::solid(box(options), 1000, "arap", {{"stiffness", 1e3}});
}
/// A sheet that stands at an angle, bent by `bump`.
Model sheet(double bump) {
  GridOptions options;
  TriangleMesh mesh = grid_sheet(options);
  for (std::size_t v = 0; v < mesh.vertices.size(); v += 3)
    mesh.vertices[v + 2] = bump * std::sin(5 * mesh.vertices[v]) * std::cos(3 * mesh.vertices[v + 1]);
  rotate(mesh.vertices, {1, 2, 3}, 40);
  Model model;
  const double thickness[] = {0.01}, density[] = {1000};
  add_shell_body(model, "sheet", mesh, thickness, density);
  model.terms.push_back({"sheet", Elements::triangles(model.rest, mesh.triangles, thickness), {}});
  return model;
}
/// Several parts: a bar, a tet, a spring, a single vertex.
Model crumbs() {
  Model model = bar();
  const int n = model.vertex_count();
  const double more[] = {5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1, 8, 0, 0, 8, 1, 1, 9, 9, 9};
  model.add_vertices(more);
  for (double& m : model.mass)
    if (m == 0) m = 1;
  const int tets[] = {n, n + 1, n + 2, n + 3}, edges[] = {n + 4, n + 5};
  model.terms.push_back({"tet", Elements::tets(model.rest, tets), {}});
  model.terms.push_back({"edge", Elements::springs(edges), {}});
  return model;
}

std::vector<double> affine(const std::vector<double>& rest, std::uint64_t seed) {
  setup::Random random(seed);
  double a[12];
  for (double& x : a) x = random.normal();
  std::vector<double> out(rest.size());
  for (std::size_t v = 0; v < rest.size(); v += 3)
    for (std::size_t k = 0; k < 3; ++k)
      out[v + k] = a[k] + a[3 + k] * rest[v] + a[6 + k] * rest[v + 1] + a[9 + k] * rest[v + 2];
  return out;
}
std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  setup::Random random(seed);
  std::vector<double> out(n);
  for (double& x : out) x = random.normal();
  return out;
}
void expect_sound(const Body& body, ThreadPool& pool, double tolerance = 1e-12) {
  // E47: weights are a partition of unity.
  for (int v = 0; v < body.graph.size(); ++v) {
    double sum = 0;
    ASSERT_FALSE(body.weights.handles_of(v).empty());
    for (const double w : body.weights.weights_of(v)) {
      EXPECT_GE(w, 0);
      sum += w;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    for (const int a : body.weights.handles_of(v))
      EXPECT_EQ(body.graph.component[body.handles[a]], body.graph.component[v]);
  }
  // Affine maps are reproduced.
  std::vector<double> q(3 * static_cast<std::size_t>(body.rows())), x(body.model.rest.size());
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto wanted = affine(body.model.rest, seed);
    body.positions->project(body.model.mass, wanted.data(), q.data(), pool);
    body.positions->lift(q.data(), x.data(), pool);
    double size = 0;
    for (const double w : wanted) size = std::max(size, std::abs(w));
    EXPECT_LE(largest_difference(x, wanted), tolerance * size);
  }
}

TEST(PositionSubspace, ReproducesAffineMapsOfASolid) {
  ThreadPool pool(2);
  for (const int handles : {1, 2, 5, 12, 40, 60, 68}) {  // of 275 vertices
    const Body body(bar(), handles, pool);
    EXPECT_LE(body.rows(), 4 * handles);
    EXPECT_GE(body.rows(), 3 * handles);
    if (handles <= 12) {
      EXPECT_EQ(body.rows(), 4 * handles);
    }
    expect_sound(body, pool);
  }
}

TEST(PositionSubspace, FarFromTheOriginToo) {
  ThreadPool pool(2);
  const Body body(bar(1e4), 8, pool);
  EXPECT_EQ(body.rows(), 32);
  expect_sound(body, pool);
}

TEST(PositionSubspace, FlatDirectionsHaveNoRows) {
  ThreadPool pool(2);
  const Body flat(sheet(0), 9, pool), bent(sheet(0.05), 9, pool), hardly(sheet(1e-6), 9, pool);
  EXPECT_EQ(flat.rows(), 27);
  EXPECT_EQ(bent.rows(), 36);
  EXPECT_EQ(hardly.rows(), 36);
  for (const Body* body : {&flat, &bent, &hardly}) expect_sound(*body, pool);
}

TEST(PositionSubspace, SmallPartsOfAllKinds) {
  ThreadPool pool(2);
  for (const int handles : {4, 7, 30}) {
    const Body body(crumbs(), handles, pool);
    ASSERT_EQ(body.graph.components, 4);
    EXPECT_LE(body.rows(), 4 * handles);
    expect_sound(body, pool);
  }
}

TEST(PositionSubspace, AHandleAtEveryVertexIsTheIdentity) {
  ThreadPool pool(2);
  for (Model model : {bar(), crumbs()}) {
    const int n = model.vertex_count();
    const Body body(std::move(model), n, pool);
    ASSERT_EQ(body.rows(), n);
    const auto q = noise(3 * static_cast<std::size_t>(n), 5);
    std::vector<double> x(q.size());
    body.positions->lift(q.data(), x.data(), pool);
    for (int a = 0; a < n; ++a)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(x[3 * body.handles[a] + k], q[3 * body.positions->row(a, 0) + k]);
  }
}

TEST(PositionSubspace, PartsWithNoMoreVerticesThanRowsAreNotReduced) {
  ThreadPool pool(2);
  for (const int handles : {69, 100, 200, 274}) {
    const Body body(bar(), handles, pool);
    EXPECT_EQ(body.rows(), 275);
    expect_sound(body, pool);
  }
}

TEST(PositionSubspace, CoincidentVerticesDoNoHarm) {
  ThreadPool pool(1);
  const Body body(springs({0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}, {0, 1, 1, 2, 2, 3}), 3, pool);
  EXPECT_LE(body.rows(), 4);
  expect_sound(body, pool);
}

TEST(PositionSubspace, SmallRadiusLeavesVerticesToTheNearestHandle) {
  ThreadPool pool(2);
  const Body body(bar(), 12, pool, 0.5);
  expect_sound(body, pool);
}

TEST(PositionSubspace, PullBackIsTheTransposeOfLift) {
  ThreadPool pool(2);
  const Body body(crumbs(), 20, pool);
  const std::size_t rows = 3 * static_cast<std::size_t>(body.rows()), n = body.model.rest.size();
  const auto q = noise(rows, 1), f = noise(n, 2);
  std::vector<double> x(n), g(rows), p(rows), a(rows);
  body.positions->lift(q.data(), x.data(), pool);
  body.positions->pull_back(f.data(), g.data(), pool);
  EXPECT_NEAR(dot(x, f), dot(q, g), 1e-11 * std::sqrt(dot(x, x) * dot(f, f)));
  // U^T M U.
  body.positions->mass().multiply(q.data(), p.data());
  std::vector<double> mx(x);
  for (std::size_t i = 0; i < n; ++i) mx[i] *= body.model.mass[i / 3];
  body.positions->pull_back(mx.data(), g.data(), pool);
  EXPECT_LE(largest_difference(p, g), 1e-11 * std::sqrt(dot(g, g)));
  body.positions->solve_mass(p.data(), a.data(), pool);
  EXPECT_LE(largest_difference(a, q), 1e-8);
}

TEST(PositionSubspace, AListOfVerticesIsLiftedAsAllAre) {
  ThreadPool pool(2);
  const Body body(bar(), 12, pool);
  std::vector<int> list;
  for (int v = body.graph.size() - 1; v >= 0; v -= 2) list.push_back(v);
  const PartialLift partial(*body.positions, list);
  const std::size_t rows = 3 * static_cast<std::size_t>(body.rows());
  const auto q = noise(rows, 1);
  std::vector<double> x(body.model.rest.size()), some(4 * list.size(), -1), f(x.size(), 0.0), g(rows), h(rows, 0.0);
  body.positions->lift(q.data(), x.data(), pool);
  partial.lift(q.data(), some.data(), pool);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(some[4 * i + k], x[3 * static_cast<std::size_t>(list[i]) + k]);
    EXPECT_EQ(some[4 * i + 3], 0);
  }
  auto forces = noise(4 * list.size(), 9);
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) f[3 * static_cast<std::size_t>(list[i]) + k] = forces[4 * i + k];
  body.positions->pull_back(f.data(), g.data(), pool);
  partial.add_pull_back(forces.data(), h.data(), pool);
  EXPECT_LE(largest_difference(g, h), 1e-12 * std::sqrt(dot(g, g)));
  const auto once = h;
  partial.add_pull_back(forces.data(), h.data(), pool);  // it adds
  for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(h[i], 2 * once[i], 1e-12 * std::sqrt(dot(g, g)));
}

TEST(PositionSubspace, TheSameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<double>> found;
  for (const int threads : {1, 2, 3}) {
    ThreadPool pool(threads);
    const Body body(crumbs(), 20, pool);
    const auto q = noise(3 * static_cast<std::size_t>(body.rows()), 1);
    std::vector<double> x(body.model.rest.size()), g(q.size());
    body.positions->lift(q.data(), x.data(), pool);
    body.positions->pull_back(x.data(), g.data(), pool);
    g.insert(g.end(), body.positions->mass().value.begin(), body.positions->mass().value.end());
    found.push_back(g);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(HandleWeights, FallOffSmoothly) {
  // On a line of many vertices the weights of the middle one of three handles: one at itself, zero slope there and
  // at the ends of its support.
  std::vector<double> rest;
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i <= 400; ++i) {
    rest.insert(rest.end(), {0.01 * i, 0.0, 0.0});
    if (i > 0) edges.emplace_back(i - 1, i);
  }
  const EdgeGraph graph = edge_graph(rest, edges);
  ThreadPool pool(1);
  const std::array<int, 3> handles = {0, 200, 400};
  const std::array<double, 1> radius = {1.5};
  const HandleWeights weights = handle_weights(graph, handles, radius, pool);
  const auto middle = [&](int v) {
    for (std::size_t s = 0; s < weights.count(v); ++s)
      if (weights.handles_of(v)[s] == 1) return weights.weights_of(v)[s];
    return 0.0;
  };
  EXPECT_EQ(middle(200), 1);
  EXPECT_EQ(middle(40), 0);
  double before = middle(50), steepest = 0, kink = 0, slope_before = 0;
  for (int v = 51; v <= 200; ++v) {
    const double slope = (middle(v) - before) / 0.01;
    EXPECT_GE(slope, 0);
    steepest = std::max(steepest, slope), kink = std::max(kink, std::abs(slope - slope_before));
    slope_before = slope, before = middle(v);
  }
  EXPECT_LT(steepest, 2);
  EXPECT_LT(kink, 0.1);
  EXPECT_LT(slope_before, 0.02);
}

}  // namespace
}  // namespace resilin
