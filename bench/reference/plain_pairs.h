// Contact pairs the obvious way: a tree of boxes in double precision over triangles and one over edges, built anew
// for every search, one query per vertex and edge, closest points one pair at a time, a sort at the end.
#pragma once
#include <vector>

#include "contact/narrow_phase/contact_pairs.h"

namespace resilin::bench {

std::vector<ContactPair> plain_pairs(const ContactSurface& surface, const double* x, double radius);

}  // namespace resilin::bench
