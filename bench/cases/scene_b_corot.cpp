// Scene B, corotated: the large scene with an SVD per tet and evaluation.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_scene_b_corot() {
  return {"Scene B (grid bar, 32,657 vertices, 143,360 tets), corotated, 10 iterations per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "grid_bar", c.material = "corotated";
            c.two_threads = true;
            return bench::run_scene("scene_b_corot", c, context);
          }};
}

}  // namespace resilin
