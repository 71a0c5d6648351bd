// What the cases of bodies in contact share: a scene that has come to rest, its frames, their floor and the longest
// of them.
#pragma once
#include <string>
#include <vector>

#include "benchmark.h"
#include "resilin/builder.h"

namespace resilin::bench {

struct ContactCase {
  Builder builder;  // with contact
  double step = 1.0 / 60;
  int settle = 300;  // frames before
  int round = 60;    // frames that are played again and again
};

/// Floor of a frame: that of frame_floor with the iterations and evaluations that it had, and of contact the boxes
/// and the list of one search and the closest points of all listed pairs in every evaluation (figures of
/// contact_detect).
std::vector<CaseResult> run_contact(const std::string& name, ContactCase contact_case,
                                    const BenchmarkContext& context);

}  // namespace resilin::bench
