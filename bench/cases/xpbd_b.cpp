// One XPBD iteration on scene B, neo-Hookean. The best published code needs 14 ms on two threads.
#include "xpbd_case.h"

namespace resilin {

BenchmarkPlugin benchmark_xpbd_b() {
  return {"Scene B (grid bar, 32,657 vertices, 143,360 tets), neo-Hookean, one iteration of XPBD",
          [](const BenchmarkContext& context) { return bench::run_xpbd("xpbd_b", "grid_bar", 14, context); }};
}

}  // namespace resilin
