// Scene A, corotated: the small scene with an SVD per tet and evaluation.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_scene_a_corot() {
  return {"Scene A (bar, 3472 vertices, 12,810 tets), corotated, 10 iterations per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "twisting_bar", c.material = "corotated";
            c.frames = 200, c.quick_frames = 20, c.reference_frames = 20;
            return bench::run_scene("scene_a_corot", c, context);
          }};
}

}  // namespace resilin
