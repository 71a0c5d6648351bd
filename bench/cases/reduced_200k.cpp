// The same with ten times the vertices: what a step costs does not depend on them.
#include "reduced_case.h"

namespace resilin {

BenchmarkPlugin benchmark_reduced_200k() {
  return {"Hyper-reduced creature of 200,000 vertices, 1440 unknowns, 1000 samples, 10 iterations",
          [](const BenchmarkContext& context) {
            return bench::run_reduced(
                "reduced_200k", {.vertices = 200000, .handles = {120}, .target_ms = {2.5}, .target_setup_s = 30},
                context);
          }};
}

}  // namespace resilin
