// What the two-level cases share: five two-level iterations per frame, and ten of the paper's method in turn with
// them.
#pragma once
#include <string>
#include <vector>

#include "scene_case.h"

namespace resilin::bench {

std::vector<CaseResult> run_two_level(const std::string& name, const std::string& scene, int frames,
                                      const BenchmarkContext& context);

}  // namespace resilin::bench
