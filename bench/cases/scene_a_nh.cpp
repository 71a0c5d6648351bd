// Scene A, neo-Hookean: the small real-time scene, where barriers and short loops count.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_scene_a_nh() {
  return {"Scene A (bar, 3472 vertices, 12,810 tets), neo-Hookean, 10 iterations per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "twisting_bar", c.material = "neo_hookean";
            c.frames = 200, c.quick_frames = 20, c.reference_frames = 20;
            return bench::run_scene("scene_a_nh", c, context);
          }};
}

}  // namespace resilin
