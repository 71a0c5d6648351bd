// Steps of a hyper-reduced body (docs/theory/reduction.md), ten iterations of projective dynamics each.
#pragma once
#include <string>
#include <vector>

#include "benchmark.h"

namespace resilin::bench {

struct ReducedCase {
  int vertices = 19000;                // of the creature
  std::vector<int> handles = {120};    // a case for each
  std::vector<double> target_ms = {};  // of a step; none: not marked
  double target_setup_s = 0;
};

std::vector<CaseResult> run_reduced(const std::string& name, const ReducedCase& c, const BenchmarkContext& context);

}  // namespace resilin::bench
