// What the descriptions of scenes say of their end is measured there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "resilin/scene.h"

namespace resilin {
namespace {

struct Sight {
  Vec3 extent;
  double fastest, stored;  // [m/s]; [J], kinetic and elastic
  double upward;           // [m/s] of the centre of mass
};

Sight measure(Simulation& simulation) {
  const Bounds box = bounds(simulation.positions());
  const std::vector<double>& v = simulation.state().v;
  double fastest = 0;
  for (std::size_t i = 0; i < v.size(); i += 3) fastest = std::max(fastest, std::hypot(v[i], v[i + 1], v[i + 2]));
  const Energy energy = simulation.energy();
  return {{box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]},
          fastest,
          energy.kinetic + energy.elastic,
          simulation.momentum()[1] / simulation.model().total_mass()};
}

/// At the start and after each frame.
std::vector<Sight> watch(const Scene& scene) {
  const auto simulation = build_simulation(scene);
  std::vector<Sight> out{measure(*simulation)};
  for (int frame = 0; frame < scene.frames; ++frame) {
    for (int i = 0; i < scene.substeps; ++i)
      if (simulation->step().status == Status::not_finite) return {};
    out.push_back(measure(*simulation));
  }
  return out;
}

bool says(const Scene& scene, const char* words) { return scene.description.find(words) != std::string::npos; }

TEST(SceneWords, RingAndBallOfTheDefaultComeToRest) {
  const Scene scene = load_scene("default");
  ASSERT_TRUE(says(scene, "a ball falls on it, and both come to rest"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 151u);
  EXPECT_GT(seen[20].fastest, 2);
  EXPECT_GT(seen[150].extent[1], 0.25) << "the ball lies on the ring, which is 0.24 m high";
  for (std::size_t i = seen.size() - 12; i < seen.size(); ++i) EXPECT_LT(seen[i].fastest, 0.01) << "frame " << i;
}

TEST(SceneWords, ClayStaysFlat) {
  const Scene scene = load_scene("clay_drop");
  ASSERT_TRUE(says(scene, "stays flat"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 151u);
  EXPECT_NEAR(seen[0].extent[1] / seen[0].extent[0], 1, 0.02) << "a ball";
  for (std::size_t i = 60; i < seen.size(); ++i)
    EXPECT_LT(seen[i].extent[1], 0.45 * seen[i].extent[0]) << "frame " << i;
  EXPECT_NEAR(seen[150].extent[1], seen[60].extent[1], 0.02 * seen[60].extent[1]);
  EXPECT_LT(seen[150].fastest, 0.01);
}

TEST(SceneWords, ReleasedBeamGoesOnSwinging) {
  const Scene scene = load_scene("released_beam");
  ASSERT_TRUE(says(scene, "goes on swinging"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 201u);
  EXPECT_GT(seen.back().stored, 0.5 * seen.front().stored);
  double still = 1e9, fast = 0;  // of the last swing
  for (std::size_t i = 100; i < seen.size(); ++i)
    still = std::min(still, seen[i].fastest), fast = std::max(fast, seen[i].fastest);
  EXPECT_GT(fast, 100);
  EXPECT_LT(still, 0.2 * fast);
}

TEST(SceneWords, TheClothSwingsDownAndThrough) {
  const Scene scene = load_scene("swinging_cloth");
  ASSERT_TRUE(says(scene, "from the horizontal and through"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 121u);
  EXPECT_LT(seen[0].extent[1], 1e-9);
  double down = 0, up = 0;
  for (const Sight& sight : seen) {
    down = std::min(down, sight.upward);
    if (down < -1) up = std::max(up, sight.upward);
  }
  EXPECT_LT(down, -1);
  EXPECT_GT(up, 0.5) << "on the other side";
}

TEST(SceneWords, TheFlagFliesAndWaves) {
  const Scene scene = load_scene("flag");
  ASSERT_TRUE(says(scene, "as waves"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 181u);
  double least = 9, most = 0;  // [m] across
  for (std::size_t i = 60; i < seen.size(); ++i) {
    EXPECT_GT(seen[i].extent[0], 1) << "it does not hang down, frame " << i;
    least = std::min(least, seen[i].extent[2]), most = std::max(most, seen[i].extent[2]);
  }
  EXPECT_GT(most, 0.3);
  EXPECT_GT(most - least, 0.1);
}

TEST(SceneWords, TheTableclothDrapes) {
  const Scene scene = load_scene("tablecloth");
  ASSERT_TRUE(says(scene, "drapes over its edge"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 91u);
  EXPECT_GT(seen.back().extent[1], 0.3);
}

TEST(SceneWords, TheStripBucklesAndIsFlatAgain) {
  const Scene scene = load_scene("buckling_shell");
  ASSERT_TRUE(says(scene, "buckles into an arch, and is flat again"));
  const std::vector<Sight> seen = watch(scene);
  ASSERT_EQ(seen.size(), 151u);
  EXPECT_GT(seen[70].extent[1], 0.05);
  EXPECT_LT(seen.back().extent[1], 1e-4);
}

}  // namespace
}  // namespace resilin
