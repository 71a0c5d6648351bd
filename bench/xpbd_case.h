// What the two XPBD cases share: one iteration of a frame, both constraints of every tet.
#pragma once
#include "scene_case.h"

namespace resilin::bench {

/// `published_ms`: one iteration of the best published code on two threads; 0: none is known.
std::vector<CaseResult> run_xpbd(const std::string& name, const std::string& scene, double published_ms,
                                 const BenchmarkContext& context);

}  // namespace resilin::bench
