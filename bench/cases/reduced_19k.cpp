// Hyper-reduced steps of a body of 19,000 vertices with 1440 and with 3960 unknowns (Brandt et al. 2018: 8.3 and
// 15.9 ms).
#include "reduced_case.h"

namespace resilin {

BenchmarkPlugin benchmark_reduced_19k() {
  return {"Hyper-reduced creature of 19,000 vertices, 1440 and 3960 unknowns, 1000 samples, 10 iterations",
          [](const BenchmarkContext& context) {
            return bench::run_reduced(
                "reduced_19k", {.vertices = 19000, .handles = {120, 330}, .target_ms = {2, 5}, .target_setup_s = 3},
                context);
          }};
}

}  // namespace resilin
