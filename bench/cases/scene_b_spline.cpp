// Scene B, spline preset A: the SVD and looked-up curves.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_scene_b_spline() {
  return {"Scene B (grid bar, 32,657 vertices, 143,360 tets), spline preset A, 10 iterations per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "grid_bar", c.material = "spline";
            c.two_threads = true;
            return bench::run_scene("scene_b_spline", c, context);
          }};
}

}  // namespace resilin
