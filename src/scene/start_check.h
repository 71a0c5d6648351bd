// What is probably not meant in the way a scene starts. Scenes may start so, and run: these are warnings, said before the first frame.
#pragma once
#include <string>
#include <vector>

#include "resilin/scene.h"

namespace resilin {

/// A sentence for every body that starts in an obstacle, for gravity that points up, and for every two bodies that overlap: with
/// names, numbers and what to do.
std::vector<std::string> start_warnings(const Scene& scene, const Model& model, const State& start);

}  // namespace resilin
