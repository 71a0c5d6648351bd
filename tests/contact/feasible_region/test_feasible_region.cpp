// Steps of any kind, from a start that does not cross: clipped they cross nothing, on the whole way; without it
// many do.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/broad_phase/contact_surface.h"
#include "contact/feasible_region/feasible_region.h"
#include "contact/narrow_phase/intersections.h"
#include "resilin/builder.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

constexpr double radius = 0.01;

// Two balls, a gap apart.
struct Scene {
  explicit Scene(double gap) {
    Builder builder;
    for (const double side : {-1.0, 1.0}) {
      TetMesh ball = sphere({.radius = 0.1, .spacing = 0.06});
      for (std::size_t i = 0; i < ball.vertices.size(); i += 3) ball.vertices[i] += side * (0.1 + 0.5 * gap);
      builder.add(Solid{.mesh = ball});
    }
    model = std::move(builder).model();
    surface = contact_surface(model);
    bound = surface.vertices;
  }
  // Around x.
  void set(const std::vector<double>& x, double ball) {
    PairFinder finder(surface, model.rest.data());
    std::vector<ContactPair> pairs;
    ASSERT_TRUE(finder.find(x.data(), radius + 2 * ball, pool, pairs));
    region.set(x, pairs, ball, radius, bound);
  }
  // Every vertex by noise, every body by a common motion and a turn.
  std::vector<double> moved(const std::vector<double>& x, std::uint64_t seed, double size) const {
    const auto random = [&] {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(seed >> 11) / 9007199254740992.0 * 2 - 1;
    };
    std::vector<double> out = x;
    for (const Body& body : model.bodies) {
      const double shift[3] = {random(), random(), random()}, turn = 10 * random();
      for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
        double* p = &out[3 * static_cast<std::size_t>(v)];
        const double y = p[1], z = p[2];
        p[1] += size * (shift[1] - turn * z), p[2] += size * (shift[2] + turn * y), p[0] += size * shift[0];
        for (int k = 0; k < 3; ++k) p[k] += 0.5 * size * random();
      }
    }
    return out;
  }
  bool crosses(const std::vector<double>& x) const { return !crossings(surface, x.data()).empty(); }

  Model model;
  ContactSurface surface;
  std::vector<int> bound;
  FeasibleRegion region;
  ThreadPool pool{1};
};

TEST(FeasibleRegion, NoClippedStepCrosses) {
  int crossed = 0, clipped = 0;
  for (const double gap : {0.002, 0.0005})
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Scene scene(gap);
      std::vector<double> x = scene.model.rest;
      scene.set(x, 2 * radius);
      for (int step = 0; step < 3; ++step) {  // one region serves several steps
        std::vector<double> to = scene.moved(x, 17 * seed + static_cast<std::uint64_t>(step), 0.01);
        if (step == 0) crossed += scene.crosses(to) ? 1 : 0;
        const std::vector<double> wanted = to;
        std::vector<double> part(2, 1.0);
        const auto result = scene.region.clip(x.data(), to.data(), scene.surface.body, part, scene.pool);
        clipped += result.any() ? 1 : 0;
        EXPECT_EQ(result.any(), to != wanted);
        for (const double share : {0.25, 0.5, 0.75, 1.0}) {
          std::vector<double> between = x;
          for (std::size_t i = 0; i < x.size(); ++i) between[i] += share * (to[i] - x[i]);
          EXPECT_FALSE(scene.crosses(between)) << "seed " << seed << ", step " << step << ", share " << share;
        }
        x = to;
      }
    }
  EXPECT_GT(crossed, 30) << "the steps are too short to show anything";
  EXPECT_GT(clipped, crossed);
}

TEST(FeasibleRegion, WholeComponentsAreShortenedAlike) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Scene scene(0.001);
    const std::vector<double> x = scene.model.rest;
    scene.set(x, 2 * radius);
    std::vector<double> to = scene.moved(x, seed, 0.01);
    const std::vector<double> wanted = to;
    std::vector<char> stopped(2);
    scene.region.clip_alike(x.data(), to.data(), scene.surface.body, {}, stopped, scene.pool);
    EXPECT_FALSE(scene.crosses(to)) << seed;
    for (const Body& body : scene.model.bodies) {
      double left = -1;
      for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
        const std::size_t i = 3 * static_cast<std::size_t>(v);
        const double whole = wanted[i] - x[i];
        if (std::abs(whole) < 1e-4) continue;
        const double now = (to[i] - x[i]) / whole;
        if (left < 0) left = now;
        EXPECT_NEAR(now, left, 1e-9);
      }
    }
  }
}

// Along a wall, or away from it, nothing is shortened.
TEST(FeasibleRegion, StepsThatMeetNobodyStayAsTheyAre) {
  Scene scene(0.002);
  const std::vector<double> x = scene.model.rest;
  scene.set(x, 2 * radius);
  for (const std::array<double, 3>& way : {std::array<double, 3>{0.01, 0, 0}, {0, 0.01, 0}, {0.003, 0.002, 0.01}}) {
    std::vector<double> to = x;
    const Body& second = scene.model.bodies[1];
    for (int v = 0; v < second.first_vertex + second.vertex_count; ++v)
      for (std::size_t k = 0; k < 3; ++k)
        to[3 * static_cast<std::size_t>(v) + k] += way[k] * (v >= second.first_vertex || k != 0 ? 1 : 0);
    const std::vector<double> wanted = to;
    std::vector<double> part(2, 1.0);
    EXPECT_FALSE(scene.region.clip(x.data(), to.data(), scene.surface.body, part, scene.pool).any());
    EXPECT_EQ(to, wanted);
  }
}

}  // namespace
}  // namespace resilin
