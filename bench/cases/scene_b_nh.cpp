// Scene B, neo-Hookean: the large scene, bound by memory.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_scene_b_nh() {
  return {"Scene B (grid bar, 32,657 vertices, 143,360 tets), neo-Hookean, 10 iterations per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "grid_bar", c.material = "neo_hookean";
            c.two_threads = true;
            return bench::run_scene("scene_b_nh", c, context);
          }};
}

}  // namespace resilin
