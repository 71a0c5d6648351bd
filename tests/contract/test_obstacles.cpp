// Every registered obstacle, with random numbers: its distance is one, its derivatives are right, nothing is NaN
// where there is no direction, and what its energy says is so wherever it stands and moves.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle_potential.h"
#include "geometry/vec3.h"
#include "resilin/registry.h"
#include "setup/probe.h"
#include "setup/sampling.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

using resilin::dot;

struct Sample {
  double d;
  Vec3 normal;
};

Sample measure(const Obstacle& obstacle, const Vec3& x) {
  alignas(64) double at[3 * lanes];
  for (std::size_t k = 0; k < 3; ++k) std::fill_n(at + k * lanes, lanes, x[k]);
  Distances out;
  obstacle.measure(at, 2, out);
  for (const Pack& h : out.curvature) EXPECT_TRUE(std::isfinite(h[3])) << obstacle.name();
  return {out.value[3], {out.normal[0][3], out.normal[1][3], out.normal[2][3]}};
}

Vec3 draw_point(Random& random, double scale = 1) {
  return {scale * random.normal(), scale * random.normal(), scale * random.normal()};
}

// Calls run(obstacle) for several draws of each.
template <class Run>
void for_obstacles(std::uint64_t seed, int draws, Run&& run) {
  for (const auto& entry : registry<ObstaclePlugin>()) {
    Random random(seed);
    for (int i = 0; i < draws; ++i) run(*draw_obstacle(entry.plugin, random), random);
  }
}

TEST(ObstacleContract, NormalsAreUnitVectorsAndNothingIsNan) {
  for_obstacles(3, 30, [](const Obstacle& obstacle, Random& random) {
    for (int i = 0; i < 200; ++i) {
      Vec3 x = draw_point(random);
      for (double& c : x)
        if (random.uniform(0, 1) < 0.3) c = 0;  // centres, axes, flat places
      const Sample at = measure(obstacle, x);
      EXPECT_TRUE(std::isfinite(at.d)) << obstacle.name();
      EXPECT_NEAR(norm(at.normal), 1, 1e-12) << obstacle.name() << " " << x[0] << " " << x[1] << " " << x[2];
    }
    const Sample centre = measure(obstacle, {0, 0, 0});
    EXPECT_NEAR(norm(centre.normal), 1, 1e-12) << obstacle.name();
  });
}

// A step of length |d| against the normal reaches the boundary, and no point of the boundary is nearer.
TEST(ObstacleContract, DistancesAreExact) {
  for_obstacles(5, 6, [](const Obstacle& obstacle, Random& random) {
    std::vector<Vec3> boundary, points;
    for (int i = 0; i < 600; ++i) {
      const Vec3 x = draw_point(random, i % 2 == 0 ? 1 : 0.4);
      const Sample at = measure(obstacle, x);
      const Vec3 foot = x - at.d * at.normal;
      EXPECT_NEAR(obstacle.distance(foot), 0, 1e-9 * (1 + norm(x) + std::abs(at.d))) << obstacle.name();
      boundary.push_back(foot);
      if (i < 60) points.push_back(x);
    }
    for (const Vec3& x : points) {
      const double d = std::abs(obstacle.distance(x));
      double nearest = INFINITY;
      for (const Vec3& foot : boundary) nearest = std::min(nearest, norm(foot - x));
      EXPECT_GE(nearest, d * (1 - 1e-9) - 1e-9) << obstacle.name();
    }
  });
}

// Energy -> gradient -> second derivative, standing anywhere, at any time of a motion. Filtered ones have no
// negative eigenvalue.
TEST(ObstacleContract, DerivativesMatchFiniteDifferences) {
  MotionStep turn{MotionStep::Kind::rotate, {1, 2, -0.5}, {0.1, 0, 0.2}, {}};
  turn.amount.keyframes = {{0, 0}, {2, 3}};
  MotionStep shift{MotionStep::Kind::translate, {0.3, -0.1, 0.2}, {}, {}};
  const Motion motion({turn, shift});
  constexpr double step = 1e-5, k = 50;
  for (const auto& entry : registry<ObstaclePlugin>()) {
    int inside = 0;
    Random random(7);
    for (int i = 0; i < 120; ++i) {
      const auto obstacle = draw_obstacle(entry.plugin, random);
      const bool placed = i % 3 != 0;
      const auto potential = make_obstacle_potential(obstacle, k, placed ? motion : Motion{});
      Probe probe(potential);
      const double time = placed ? random.uniform(0, 2) : 0;
      probe.set_time(time);
      const Pose pose = pose_at(placed ? motion : Motion{}, time);
      Vec3 own = draw_point(random);
      if (i % 2 == 0) draw_inside(*obstacle, random, own.data());
      const Vec3 x = pose.world(own);
      if (!smooth_at(*obstacle, own.data(), step)) continue;
      const double energy = probe.evaluate(x.data(), 2), d = obstacle->distance(own);
      ASSERT_NEAR(energy, d < 0 ? 0.5 * k * d * d : 0, 1e-9 * (1 + energy)) << entry.name;
      inside += d < 0 ? 1 : 0;
      double gradient[3], hessian[3][3];
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) hessian[a][b] = probe.hessian(a, b);
        gradient[a] = probe.gradient()[a];
      }
      const double size = 1 + std::abs(d);
      for (int a = 0; a < 3; ++a) {
        Vec3 up = x, down = x;
        up[static_cast<std::size_t>(a)] += step, down[static_cast<std::size_t>(a)] -= step;
        const double high = probe.evaluate(up.data(), 1);
        double g[3];
        std::copy_n(probe.gradient(), 3, g);
        const double low = probe.evaluate(down.data(), 1);
        EXPECT_NEAR((high - low) / (2 * step), gradient[a], 1e-6 * k * size) << entry.name;
        for (int b = 0; b < 3; ++b)
          EXPECT_NEAR((g[b] - probe.gradient()[b]) / (2 * step), hessian[a][b], 1e-5 * k * size) << entry.name;
      }
    }
    EXPECT_GT(inside, 20) << entry.name;
  }
}

// With v across: v.H v is never negative, and the direction of the normal keeps its stiffness.
TEST(ObstacleContract, FilteredSecondDerivativesAreSemidefinite) {
  int curved = 0;
  for (const auto& entry : registry<ObstaclePlugin>()) {
    Random random(9);
    for (int i = 0; i < 120; ++i) {
      const auto obstacle = draw_obstacle(entry.plugin, random);
      Probe exact(make_obstacle_potential(obstacle, 1)), filtered(make_obstacle_potential(obstacle, 1));
      Vec3 x;
      draw_inside(*obstacle, random, x.data());
      const Sample at = measure(*obstacle, x);
      exact.evaluate(x.data(), 2), filtered.evaluate(x.data(), 2, true);
      double normal = 0;
      for (int round = 0; round < 20; ++round) {
        const Vec3 v = round == 0 ? at.normal : draw_point(random);
        double sum = 0, plain = 0;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const auto i1 = static_cast<std::size_t>(a), i2 = static_cast<std::size_t>(b);
            sum += v[i1] * v[i2] * filtered.hessian(a, b), plain += v[i1] * v[i2] * exact.hessian(a, b);
          }
        if (round == 0) normal = sum;
        EXPECT_GE(sum, -1e-10 * dot(v, v)) << entry.name;
        EXPECT_GE(sum, plain - 1e-8 * (std::abs(plain) + dot(v, v))) << entry.name;
        curved += sum > plain + 1e-3 ? 1 : 0;
      }
      EXPECT_NEAR(normal, at.d < 0 ? 1 : 0, 1e-8) << entry.name;
    }
  }
  EXPECT_GT(curved, 100);
}

TEST(ObstacleContract, InsideIsTheOtherSide) {
  for (const auto& entry : registry<ObstaclePlugin>()) {
    if (entry.plugin.params.find("inside") == nullptr) continue;
    Value::Object values = entry.plugin.example;
    const auto out = entry.plugin.make(entry.plugin.params.read(Value(values)));
    values.emplace_back("inside", true);
    const auto in = entry.plugin.make(entry.plugin.params.read(Value(values)));
    Random random(11);
    for (int i = 0; i < 20; ++i) {
      const Vec3 x = draw_point(random);
      EXPECT_EQ(in->distance(x), -out->distance(x)) << entry.name;
    }
  }
}

// A drawing lies on the boundary, closed and facing outward.
TEST(ObstacleContract, SurfacesAreTheBoundary) {
  for (const auto& [name, plugin] : registry<ObstaclePlugin>()) {
    const auto obstacle = plugin.make(plugin.params.read(Value(plugin.example)));
    const TriangleMesh mesh = obstacle->surface();
    if (mesh.triangles.empty()) continue;
    double size = 0;
    for (const double c : mesh.vertices) size = std::max(size, std::abs(c));
    for (int v = 0; v < mesh.vertex_count(); ++v)
      EXPECT_NEAR(obstacle->distance(vertex_at(mesh.vertices, v)), 0, 1e-9 * size) << name;
    EXPECT_GT(enclosed_volume(mesh), 0) << name;
  }
}

}  // namespace
}  // namespace resilin::test
