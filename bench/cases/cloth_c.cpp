// Scene C: a cloth of springs, bound by the solve.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_cloth_c() {
  return {"Scene C (cloth, 6561 vertices, 38,558 springs), 10 iterations per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "hanging_cloth";
            c.frames = 100, c.quick_frames = 10, c.reference_frames = 20;
            return bench::run_scene("cloth_c", c, context);
          }};
}

}  // namespace resilin
