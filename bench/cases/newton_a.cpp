// One Newton iteration per frame on scene A: assembly, factorisation and solve of the 3n x 3n matrix each time.
#include "scene_case.h"

namespace resilin {

BenchmarkPlugin benchmark_newton_a() {
  return {"Scene A (bar, 3472 vertices, 12,810 tets), neo-Hookean, one Newton iteration per frame",
          [](const BenchmarkContext& context) {
            bench::SceneCase c;
            c.scene = "twisting_bar", c.material = "neo_hookean";
            c.solver = "newton", c.iterations = 1;
            c.frames = 50, c.quick_frames = 3, c.reference_frames = 5;
            return bench::run_scene("newton_a", c, context);
          }};
}

}  // namespace resilin
