#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/contact_pairs.h"
#include "contact/surface_scenes.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

// ---- distances by another way: the one along t is in closed form, that along s is convex and searched
// ----------------------

double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 u = b - a;
  const double uu = dot(u, u), t = uu > 0 ? std::clamp(dot(p - a, u) / uu, 0.0, 1.0) : 0;
  return norm(p - (a + t * u));
}

template <class F>
double least(F f) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double s = low + (high - low) / 3, t = high - (high - low) / 3;
    if (f(s) < f(t)) high = t;
    else low = s;
  }
  return std::min({f(0), f(1), f(0.5 * (low + high))});
}

double to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  return least([&](double s) { return to_segment(p, a + s * (b - a), a + s * (b - a) + (1 - s) * (c - a)); });
}

double between_edges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return least([&](double s) { return to_segment(a + s * (b - a), c, d); });
}

struct Expected {
  ContactPair::Kind kind;
  int first, second;
  double distance;
};

std::vector<Expected> brute_force(const ContactSurface& surface, const std::vector<double>& x, double radius) {
  std::vector<Expected> out;
  const auto at = [&](int v) { return vertex_at(x, v); };
  for (const int v : surface.vertices)
    for (int t = 0; t < surface.triangle_count(); ++t) {
      const auto& [a, b, c] = surface.triangles[t];
      if (v == a || v == b || v == c) continue;
      const Vec3 middle = 1.0 / 3 * (at(a) + at(b) + at(c));
      const double reach = radius + std::max({norm(at(a) - middle), norm(at(b) - middle), norm(at(c) - middle)});
      if (norm(at(v) - middle) > reach + 1e-9) continue;
      const double d = to_triangle(at(v), at(a), at(b), at(c));
      if (d < radius + 1e-9) out.push_back({ContactPair::vertex_triangle, v, t, d});
    }
  for (int e = 0; e < surface.edge_count(); ++e)
    for (int f = e + 1; f < surface.edge_count(); ++f) {
      const auto& [a, b] = surface.edges[e];
      const auto& [c, d] = surface.edges[f];
      if (a == c || a == d || b == c || b == d) continue;
      const double reach = radius + 0.5 * norm(at(a) - at(b)) + 0.5 * norm(at(c) - at(d));
      if (norm(0.5 * (at(a) + at(b)) - 0.5 * (at(c) + at(d))) > reach + 1e-9) continue;
      const double distance = between_edges(at(a), at(b), at(c), at(d));
      if (distance < radius + 1e-9) out.push_back({ContactPair::edge_edge, e, f, distance});
    }
  return out;
}

// ---- what every pair promises
// ------------------------------------------------------------------------------------------------

void expect_consistent(const ContactSurface& surface, const std::vector<double>& x, const ContactPair& pair) {
  const bool edges = pair.kind == ContactPair::edge_edge;
  if (edges) {
    const auto &a = surface.edges[pair.first], &b = surface.edges[pair.second];
    EXPECT_EQ(pair.vertices, (std::array{a[0], a[1], b[0], b[1]}));
    EXPECT_NEAR(pair.weight[0] + pair.weight[1], 1, 1e-15);
  } else {
    const auto& t = surface.triangles[pair.second];
    EXPECT_EQ(pair.vertices, (std::array{pair.first, t[0], t[1], t[2]}));
    EXPECT_EQ(pair.weight[0], 1);
  }
  double sum = 0, scale = 0;
  Vec3 difference{0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    sum += pair.weight[i];
    const double sign = i < (edges ? 2 : 1) ? 1 : -1;
    EXPECT_TRUE(sign * pair.weight[i] >= 0 && sign * pair.weight[i] <= 1) << pair.weight[i];
    difference = difference + pair.weight[i] * vertex_at(x, pair.vertices[i]);
    scale = std::max(scale, norm(vertex_at(x, pair.vertices[i])));
  }
  EXPECT_NEAR(sum, 0, 4e-16);
  EXPECT_NEAR(norm(difference), pair.distance, 1e-14 * scale);
  const Vec3 n{pair.normal[0], pair.normal[1], pair.normal[2]};
  EXPECT_NEAR(norm(n), 1, 1e-14);
  EXPECT_LE(norm(difference - pair.distance * n), 1e-13 * scale);
}

std::vector<ContactPair> pairs_at(PairFinder& finder, const std::vector<double>& x, double radius,
                                  int threads = 1) {
  ThreadPool pool(threads);
  std::vector<ContactPair> out;
  EXPECT_TRUE(finder.find(x.data(), radius, pool, out));
  return out;
}

/// Every expected pair but those at the radius to 1e-9, no other, in order.
void expect_pairs(const ContactSurface& surface, const std::vector<double>& x, double radius,
                  const std::vector<ContactPair>& found) {
  const std::vector<Expected> expected = brute_force(surface, x, radius);
  std::size_t i = 0;
  for (const ContactPair& pair : found) {
    expect_consistent(surface, x, pair);
    EXPECT_LT(pair.distance, radius);
    const auto is_it = [&](const Expected& e) {
      return e.kind == pair.kind && e.first == pair.first && e.second == pair.second;
    };
    for (; i < expected.size() && !is_it(expected[i]); ++i)
      ASSERT_NEAR(expected[i].distance, radius, 2e-9)
          << "missing " << expected[i].first << ' ' << expected[i].second;
    ASSERT_LT(i, expected.size()) << "not expected, or out of order: " << pair.first << ' ' << pair.second;
    EXPECT_NEAR(pair.distance, expected[i].distance, 1e-9);
    ++i;
  }
  for (; i < expected.size(); ++i) ASSERT_NEAR(expected[i].distance, radius, 2e-9);
}

TEST(ContactPairs, AreThoseOfAllPairs) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  PairFinder finder(surface, model.rest.data());
  std::size_t most = 0;
  for (const double shake : {0.0, 0.01, 0.08, 0.3})
    for (const double radius : {0.02, 0.08, 0.15}) {
      const std::vector<double> x = shaken(model, shake, 11);
      const std::vector<ContactPair> found = pairs_at(finder, x, radius);
      expect_pairs(surface, x, radius, found);
      most = std::max(most, found.size());
    }
  EXPECT_GT(most, 10'000u);
}

TEST(ContactPairs, OfAFoldedSheetWithATreeOfThreeLevels) {
  Model model;
  add_sheet(model, grid_sheet(40, 20, 0.05, {0, 0, 0}));
  const ContactSurface surface = contact_surface(model);
  PairFinder finder(surface, model.rest.data());
  for (const double gap : {0.025, 1e-9, 0.0}) {
    const std::vector<double> x = folded(model, 1.0, gap);
    const std::vector<ContactPair> found = pairs_at(finder, x, 0.04);
    expect_pairs(surface, x, 0.04, found);
    EXPECT_GT(std::ranges::count_if(found, [&](const ContactPair& p) { return p.distance <= gap + 1e-12; }), 500);
  }
}

// Far from the origin floats are multiples of 1/16, which puts these sheets further apart than they are: nothing
// may be lost.
TEST(ContactPairs, FarFromTheOrigin) {
  Model model;
  add_sheet(model, grid_sheet(5, 5, 0.1, {1e6, 1e6 + 0.03, -1e6}));
  add_sheet(model, grid_sheet(5, 5, 0.1, {1e6, 1e6 + 0.08, -1e6}));
  const ContactSurface surface = contact_surface(model);
  PairFinder finder(surface, model.rest.data());
  const std::vector<ContactPair> found = pairs_at(finder, model.rest, 0.06);
  const std::vector<Expected> expected = brute_force(surface, model.rest, 0.06);
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_GT(found.size(), 200u);
}

TEST(ContactPairs, HaveTheSameBitsForAnyThreadsAndHistory) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  const std::vector<double> x = shaken(model, 0.05, 3), other = shaken(model, 0.4, 4);
  PairFinder fresh(surface, model.rest.data());
  const std::vector<ContactPair> first = pairs_at(fresh, x, 0.1);
  ASSERT_GT(first.size(), 1000u);
  PairFinder used(surface, model.rest.data());
  for (const int threads : {1, 2, 3}) {
    pairs_at(used, other, 0.3, threads);
    EXPECT_TRUE(pairs_at(used, x, 0.1, threads) == first) << threads;
  }
  PairFinder cut_by_x(surface, x.data());  // other trees, the same list
  EXPECT_TRUE(pairs_at(cut_by_x, x, 0.1) == first);
}

TEST(ContactPairs, OfChosenBodiesOnly) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  const std::vector<double> x = shaken(model, 0.05, 3);
  PairFinder all(surface, model.rest.data());
  const auto choose = [](int a, int b) { return a <= b && (a + b) % 3 == 0; };  // 0-0, 0-3, 1-2, 1-5, 2-4, 3-3
  PairFinder some(surface, model.rest.data(), choose);
  std::vector<ContactPair> expected = pairs_at(all, x, 0.1);
  const std::size_t before = expected.size();
  std::erase_if(expected, [&](const ContactPair& p) {
    const int a = surface.body[p.vertices[0]], b = surface.body[p.vertices[3]];
    return !choose(std::min(a, b), std::max(a, b));
  });
  EXPECT_TRUE(pairs_at(some, x, 0.1) == expected);
  EXPECT_LT(expected.size(), before);
  EXPECT_GT(expected.size(), 100u);
}

TEST(ContactPairs, NoneWhenAPositionIsNotFinite) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  PairFinder finder(surface, model.rest.data());
  ThreadPool pool(1);
  std::vector<ContactPair> out;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -2e15}) {
    std::vector<double> x = model.rest;
    EXPECT_TRUE(finder.find(x.data(), 0.1, pool, out));
    EXPECT_FALSE(out.empty());
    x[3 * std::size_t(surface.vertices[20]) + 1] = bad;
    EXPECT_FALSE(finder.find(x.data(), 0.1, pool, out));
    EXPECT_TRUE(out.empty());
  }
}

TEST(ContactPairs, NoSurfaceNoPairs) {
  Model model;
  model.add_vertices(std::array{0.0, 0.0, 0.0});
  const ContactSurface surface = contact_surface(model);
  PairFinder finder(surface, model.rest.data());
  EXPECT_TRUE(pairs_at(finder, model.rest, 1).empty());
}

// ---- degenerate
// --------------------------------------------------------------------------------------------------------------

/// Two triangles of two bodies, each a body of its own.
struct TwoTriangles {
  explicit TwoTriangles(const std::vector<double>& positions) : x(positions) {
    for (int b = 0; b < 2; ++b) add_sheet(model, one_triangle(b));
    surface = contact_surface(model);
    PairFinder finder(surface, model.rest.data());
    pairs = pairs_at(finder, x, 10);
  }
  Model model;
  ContactSurface surface;
  std::vector<double> x;
  std::vector<ContactPair> pairs;
};

TEST(ContactPairs, OfDegenerateTrianglesAreFiniteAndRight) {
  const std::vector<std::vector<double>> cases = {
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0},                  // coincident
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 0, 1, 0, 1, 0, 1, 1},            // a vertex in the face
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0, 0, 2, 0, 0, 1, -1, 0},              // edges on one line that overlap
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 2, -1, 0},                 // edges on one line, apart
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 1, 0, 0.5, 0, 1, 0.5},            // parallel
      {0, 0, 0, 1, 0, 0, 2, 0, 0, 0.5, 1, 0, 1, 1, 0, 3, 1, 0},                // flattened to lines, parallel
      {0, 0, 0, 1, 0, 0, 2, 0, 0, 0.5, 0, 0, 1, 0, 0, 3, 0, 0},                // flattened to one line
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},                  // points, coincident
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0},                  // points, apart
      {0, 0, 0, 1, 0, 0, 0.5, 1e-9, 0, 0.5, -1, 1e-3, 0.5, 1, 1e-3, 2, 0, 1},  // a needle below an edge
      {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1e-9, 0.1, 1, 1e-9, 0.1, 0, 1, 1},       // nearly parallel edges, crossing
      {0, 0, 0, 1e-200, 0, 0, 0, 1e-200, 0, 0, 0, 1e-200, 1, 0, 0, 0, 1, 0},   // squares that vanish
      {1e15, 0, 0, 1e15, 1, 0, 1e15, 0, 1, 1e15, 0.5, 0.5, 1e15, 2, 1, 1e15, 2, 2},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const TwoTriangles two(cases[i]);
    ASSERT_EQ(two.pairs.size(), brute_force(two.surface, two.x, 10).size()) << i;
    expect_pairs(two.surface, two.x, 10, two.pairs);
    for (const ContactPair& pair : two.pairs) {
      for (const double n : pair.normal) EXPECT_TRUE(std::isfinite(n)) << i;
      for (const double w : pair.weight) EXPECT_TRUE(std::isfinite(w)) << i;
    }
  }
}

TEST(ContactPairs, ThatTouchHaveTheNormalOfBoth) {
  const TwoTriangles two({0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 0, 0.25, -1, 1, 1, 1, 1});
  const ContactPair& face = two.pairs[3];
  ASSERT_EQ(face.first, 3);
  EXPECT_EQ(face.distance, 0);
  EXPECT_NEAR(std::abs(face.normal[2]), 1, 1e-15);

  const TwoTriangles edges({0, 0, 0, 1, 0, 0, 0, 1, -1, 0.5, -1, 0, 0.5, 1, 0, 0.5, 0, 1});
  const auto crossed = std::ranges::find_if(edges.pairs, [](const ContactPair& p) {
    return p.kind == ContactPair::edge_edge && p.vertices == std::array{0, 1, 3, 4};
  });
  ASSERT_NE(crossed, edges.pairs.end());
  EXPECT_EQ(crossed->distance, 0);
  EXPECT_NEAR(std::abs(crossed->normal[2]), 1, 1e-15);
  EXPECT_EQ(crossed->weight[1], 0.5);
  EXPECT_EQ(crossed->weight[3], -0.5);
}

// Edges that cross at an angle of 1e-8: the least distance is in the middle, not at an end.
TEST(ContactPairs, NearlyParallelEdgesMeetWhereTheyCross) {
  const double a = 1e-8;
  const TwoTriangles two({0, 0, 0, 1, 0, 0, 0.5, -1, 0, 0, -a, 1e-3, 1, a, 1e-3, 0.5, 1, 1});
  const auto pair = std::ranges::find_if(two.pairs, [](const ContactPair& p) {
    return p.kind == ContactPair::edge_edge && p.vertices == std::array{0, 1, 3, 4};
  });
  ASSERT_NE(pair, two.pairs.end());
  EXPECT_NEAR(pair->weight[1], 0.5, 1e-6);
  EXPECT_NEAR(pair->weight[3], -0.5, 1e-6);
  EXPECT_NEAR(pair->normal[2], -1, 1e-12);
}

}  // namespace
}  // namespace resilin
