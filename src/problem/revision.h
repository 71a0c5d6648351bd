// What a model is made of, as stamps: what was made for one is known to be stale for another.
#pragma once
#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

class Stamp;

/// Of the terms, which are many numbers: pins, handles and loads change without them.
struct TermStamps {
  std::uint64_t connectivity = 0;
  std::uint64_t geometry = 0;      // rest shape and the maps D_i
  std::uint64_t stiffness = 0;     // masses and quadratic forms
  std::uint64_t potentials = 0;    // everything else
  std::uint64_t elements() const;  // what partition and packs are made of
};
TermStamps stamp_terms(const Model& model);
/// Every number that contact, friction and restitution depend on.
void add_contact(const Model& model, Stamp& stamp);
Revision revision_of(const Model& model, const TermStamps& terms);

}  // namespace resilin
