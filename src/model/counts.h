// How large a model is, as a person counts: what its bodies are made of, without the vertices that pins and obstacles act on.
#pragma once
#include <string>

#include "resilin/model.h"

namespace resilin {

struct Counts {
  int tets = 0, springs = 0;
  int elements() const { return tets + springs; }
};
Counts count_elements(const Model& model);
/// "7316 tets", "1 tet", "7316 tets, 320 springs"
std::string in_words(const Counts& counts);

}  // namespace resilin
