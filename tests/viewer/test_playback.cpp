#include <gtest/gtest.h>

#include "resilin/io.h"
#include "resilin/registry.h"
#include "watcher.h"

namespace resilin::viewer {
namespace {

// A run's folder as `resilin run` leaves it, of four frames.
void write_run(const Folder& folder) {
  folder.write("scene.json", small_scene());
  std::filesystem::create_directories(folder.path() + "/frames");
  const Scene scene = load_scene(folder.path() + "/scene.json");
  const auto simulation = build_simulation(scene, 1);
  const FormatPlugin& vtu = plugin<FormatPlugin>("format", "vtu", "test");
  for (int i = 0; i < 4; ++i) {
    if (i > 0) simulation->step();
    const Frame frame{&simulation->model(), &simulation->positions(), &simulation->velocities(), i,
                      simulation->state().time};
    folder.write("frames/bar_0000" + std::to_string(i) + ".vtu", frame_contents(vtu, frame));
  }
}

TEST(Playback, SeeksStepsAndLoops) {
  const Folder folder;
  write_run(folder);
  Watcher w(folder.path());
  w.ready();
  EXPECT_EQ(w.scene.find("mode")->text(), "playback");
  EXPECT_EQ(w.scene.find("frames")->number(), 4);
  EXPECT_EQ(w.scene.find("bodies")->list()[0].find("name")->text(), "bar");
  EXPECT_EQ(w.triangles, 64u);
  const auto shown = [&](double frame) {
    return w.until([&] { return w.step() == frame && w.frames.back().step == frame; });
  };
  w.good(Seek{2});
  EXPECT_TRUE(shown(2));
  EXPECT_NEAR(w.status.find("time")->number(), 0.04, 1e-12);
  const std::vector<float> there = w.frames.back().positions;
  w.good(Seek{0});
  EXPECT_TRUE(shown(0));
  EXPECT_NE(w.frames.back().positions, there);
  w.good(StepFrames{2});
  EXPECT_TRUE(shown(2));
  EXPECT_EQ(w.frames.back().positions, there);
  w.good(StepFrames{3});  // over the end
  EXPECT_TRUE(shown(1));
  w.good(Colour{"speed"});
  EXPECT_TRUE(w.until([&] { return !w.frames.back().colours.empty(); }));
  EXPECT_NE(w.refusal_of(Seek{4}), "");
  EXPECT_NE(w.refusal_of(EditRequest{Reset{}, {}}), "");
  EXPECT_NE(w.refusal_of(Compare{{{"a", {}}}}), "");
}

TEST(Playback, AFolderWithoutARunIsAnError) {
  const Folder folder;
  Watcher w(folder.path());
  EXPECT_TRUE(w.until([&] { return !w.error.empty(); }));
  EXPECT_FALSE(w.session().showing());
}

}  // namespace
}  // namespace resilin::viewer
