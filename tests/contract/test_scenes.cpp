// Every scene that comes with Resilin runs a few steps finite, with the same bits for one and two threads.
#include <gtest/gtest.h>

#include "resilin/scene.h"

namespace resilin {
namespace {

TEST(SceneContract, EverySceneRunsFiniteWithTheSameHashForAnyThreadCount) {
  const auto scenes = gallery();
  ASSERT_GE(scenes.size(), 10u);
  for (const auto& [name, description] : scenes) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(description.empty());
    const Scene scene = load_scene(name);
    std::uint64_t first = 0;
    for (const int threads : {1, 2}) {
      const auto simulation = build_simulation(scene, threads);
      for (int step = 0; step < 3; ++step) ASSERT_NE(simulation->step().status, Status::not_finite);
      ASSERT_TRUE(is_finite(simulation->state()));
      if (threads == 1) first = hash(simulation->state());
      EXPECT_EQ(hash(simulation->state()), first);
    }
  }
}

}  // namespace
}  // namespace resilin
