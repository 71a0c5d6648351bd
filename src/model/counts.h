// How large a model is, as a person counts: what its bodies are made of, without the vertices that pins and
// obstacles act on.
#pragma once
#include <string>

#include "resilin/model.h"

namespace resilin {

struct Counts {
  int tets = 0, triangles = 0, springs = 0;  // triangles: of shells and skins, not of surfaces that are only drawn
  int elements() const { return tets + triangles + springs; }
};
Counts count_elements(const Model& model);
Counts count_elements(const Model& model, const Body& body);
/// "7316 tets", "1 tet", "7316 tets, 320 springs"; what there is none of is left out
std::string in_words(const Counts& counts);

}  // namespace resilin
