// One XPBD iteration on scene A, neo-Hookean: short colours, where barriers count.
#include "xpbd_case.h"

namespace resilin {

BenchmarkPlugin benchmark_xpbd_a() {
  return {"Scene A (bar, 3472 vertices, 12,810 tets), neo-Hookean, one iteration of XPBD",
          [](const BenchmarkContext& context) { return bench::run_xpbd("xpbd_a", "twisting_bar", 0, context); }};
}

}  // namespace resilin
