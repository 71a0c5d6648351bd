// Scene A, neo-Hookean, by two-level quasi-Newton with half the iterations: as accurate as ten of the paper's
// method (experiment two_level.scene_a), which run in turn with it, frame by frame. No plain reference: nobody has
// published this.
#include "two_level_case.h"

namespace resilin {

BenchmarkPlugin benchmark_scene_a_two_level() {
  return {"Scene A (bar, 3472 vertices, 12,810 tets), neo-Hookean, 5 two-level iterations per frame",
          [](const BenchmarkContext& context) {
            return bench::run_two_level("scene_a_two_level", "twisting_bar", 200, context);
          }};
}

}  // namespace resilin
