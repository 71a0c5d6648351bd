// "select" of a scene: which vertices, or of regions which tets (then their centroids stand for them).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/params.h"

namespace resilin {

/// What is selected from.
struct SelectionSpace {
  std::span<const double> positions;  // xyz of each
  const Groups* groups;
  std::string what;   // "vertices" or "tets", for messages
  std::string owner;  // "body \"bar\""
};

/// Ascending ids, possibly none.
std::vector<int> select(const Value& value, const SelectionSpace& space);
/// The same, but none is an InputError that gives the bounds.
std::vector<int> select_some(const Value& value, const SelectionSpace& space);

}  // namespace resilin
