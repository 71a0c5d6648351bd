// What is probably not meant in the way a scene starts. Scenes may start so, and run: these are warnings, said
// before the first frame.
#pragma once
#include <string>
#include <vector>

#include "resilin/scene.h"

namespace resilin {

/// A sentence for every body that starts in an obstacle, for gravity that points up, and for every two bodies that
/// overlap, or one that passes through itself: with names, numbers and what to do. `positions`: xyz of every vertex
/// (Simulation::positions(), not the unknowns of a reduced simulation) at `time`.
std::vector<std::string> start_warnings(const Scene& scene, const Model& model,
                                        const std::vector<double>& positions, double time);

/// Whether bodies of the model touch each other or themselves; and in words.
bool has_contact(const Model& model);
std::string contact_in_words(const Model& model);

}  // namespace resilin
