// What is left of steps: the gap that pairs keep, the ball around every vertex, and what both say about the whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/feasible_region/feasible_region.h"
#include "contact/narrow_phase/intersections.h"
#include "contact/surface_scenes.h"

namespace resilin {
namespace {

constexpr double radius = 0.01;

// Two sheets above each other; all of their vertices are bound to the region.
struct Sheets {
  Model model;
  ContactSurface surface;
  FeasibleRegion region;
  ThreadPool pool{1};

  explicit Sheets(double gap) {
    add_sheet(model, grid_sheet(3, 3, 0.1, {0, 0, 0}));
    add_sheet(model, grid_sheet(3, 3, 0.1, {0.03, gap, 0.02}));
    surface = contact_surface(model);
  }
  std::vector<ContactPair> pairs(const std::vector<double>& x, double reach) {
    PairFinder finder(surface, model.rest.data(), [](int a, int b) { return a != b; });
    std::vector<ContactPair> out;
    EXPECT_TRUE(finder.find(x.data(), reach, pool, out));
    return out;
  }
  void set(const std::vector<double>& x, double ball) {
    region.set(x, pairs(x, radius + 2 * ball), ball, radius, surface.vertices);
  }
  double gap(const std::vector<double>& x) {
    double least = 1;
    for (const ContactPair& pair : pairs(x, 0.1)) least = std::min(least, pair.distance);
    return least;
  }
  // Both sheets by these heights.
  std::vector<double> lifted(std::vector<double> x, double first, double second) const {
    for (std::size_t v = 0; v < surface.body.size(); ++v) x[3 * v + 1] += surface.body[v] == 0 ? first : second;
    return x;
  }
};

// Steps without end towards each other: a fiftieth of the radius is left.
TEST(FeasibleRegion, AGapDoesNotShrinkToNothing) {
  Sheets sheets(0.3 * radius);
  std::vector<double> x = sheets.model.rest;
  for (int step = 0; step < 8; ++step) {
    sheets.set(x, radius);
    std::vector<double> to = sheets.lifted(x, 0.5 * radius, -0.5 * radius);
    std::vector<double> part(2, 1.0);
    EXPECT_GT(sheets.region.clip(x.data(), to.data(), sheets.surface.body, part, sheets.pool).by_planes, 0);
    x = to;
    EXPECT_GE(sheets.gap(x), 0.02 * radius * (1 - 1e-4)) << step;
  }
  EXPECT_LT(sheets.gap(x), 0.05 * radius);
}

// From any place in its ball, and no farther than its border; the other body goes where it wants.
TEST(FeasibleRegion, StepsEndAtTheBorderOfTheBalls) {
  constexpr double ball = 2 * radius;
  for (const double start : {0.0, 0.5 * ball, -0.5 * ball}) {
    Sheets sheets(0.3);
    sheets.set(sheets.model.rest, ball);
    const std::vector<double> from = sheets.lifted(sheets.model.rest, 0, start);
    std::vector<double> to = sheets.lifted(from, 0.2 * ball, 3 * ball), part(2, 1.0);
    const auto clipped = sheets.region.clip(from.data(), to.data(), sheets.surface.body, part, sheets.pool);
    EXPECT_TRUE(clipped.by_balls);
    EXPECT_NEAR(clipped.farthest, 3 * ball, 1e-9 * ball);
    EXPECT_EQ(part[0], 1);
    EXPECT_NEAR(part[1], (ball - start) / (3 * ball), 1e-6);
    for (std::size_t v = 0; v < sheets.surface.body.size(); ++v)
      EXPECT_NEAR(to[3 * v + 1] - sheets.model.rest[3 * v + 1], sheets.surface.body[v] == 0 ? 0.2 * ball : ball,
                  1e-6 * ball);
  }
}

// Two balls' radii from each other: within the balls they can meet, so that planes must hold them.
TEST(FeasibleRegion, PairsThatBallsDoNotKeepApartHavePlanes) {
  constexpr double ball = 2 * radius;
  for (const double gap : {0.8 * ball, 1.2 * ball, 1.9 * ball}) {
    Sheets sheets(gap);
    const std::vector<double>& x = sheets.model.rest;
    sheets.set(x, ball);
    std::vector<double> to = sheets.lifted(x, 0.97 * ball, -0.97 * ball), part(2, 1.0);
    EXPECT_GT(sheets.region.clip(x.data(), to.data(), sheets.surface.body, part, sheets.pool).by_planes, 0) << gap;
    EXPECT_LT(part[0], 1);
    double highest = -1, lowest = 1;
    for (std::size_t v = 0; v < sheets.surface.body.size(); ++v)
      if (sheets.surface.body[v] == 0) highest = std::max(highest, to[3 * v + 1]);
      else lowest = std::min(lowest, to[3 * v + 1]);
    EXPECT_GT(lowest, highest) << gap;
  }
}

}  // namespace
}  // namespace resilin
