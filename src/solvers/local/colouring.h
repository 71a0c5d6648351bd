// Orders in which Gauss-Seidel visits the elements of a term, in packs of eight that share no vertex. The elements
// of a pack, and the packs of a group, may be visited at once: the outcome is that of one after the other, to the
// last bit. Called by ConstraintTerm.
#pragma once
#include <vector>

#include "resilin/model.h"

namespace resilin {

struct VisitOrder {
  std::vector<int> slot_element;  // eight per pack; padding repeats the first element of its pack
  std::vector<int> active;        // slots of each pack that are not padding
  std::vector<int> group_start;   // first pack of every group, and the number of packs

  int packs() const { return static_cast<int>(active.size()); }
  int groups() const { return static_cast<int>(group_start.size()) - 1; }
};

/// Groups are colours: greedy, elements with the most neighbours first; ascending elements inside a colour. Depends
/// on the mesh and its numbering only.
VisitOrder colour_order(const Elements& elements);

/// The order of the model. A pack is a run of elements that happen to share no vertex, and a group of its own.
VisitOrder serial_order(const Elements& elements);

}  // namespace resilin
