// A tablecloth of 14,000 vertices without a pattern: membrane and bending.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_cloth_14k() {
  return {
      "Tablecloth (14,272 vertices, 28,000 irregular triangles, corotated membrane, quadratic bending), 10 "
      "iterations per frame",
      [](const BenchmarkContext& context) {
        bench::SceneCase c;
        c.scene = "tablecloth";
        c.overrides = {{"bodies[0].shell.spacing", "0.01274"}};  // of 1.4 m
        c.frames = 60, c.quick_frames = 5;
        c.has_reference = false;
        return bench::run_scene("cloth_14k", c, context);
      }};
}

}  // namespace resilin
