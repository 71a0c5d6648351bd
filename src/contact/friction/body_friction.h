// Friction between bodies (friction.h): the contacts that rub when a stage begins, and their slip from stage to
// stage. A vertex that is near many triangles of a body rubs once; its slip outlives the triangle that it slides
// on.
#pragma once
#include <array>
#include <vector>

#include "contact/friction/friction.h"
#include "contact/narrow_phase/pair_list.h"

namespace resilin {

class BodyFriction {
 public:
  /// `surface` must stay; `stamp`: of what is kept.
  BodyFriction(const ContactSettings& options, const ContactSurface& surface, std::uint64_t stamp);

  /// Whether any two bodies rub at all.
  bool any() const { return options_.friction > 0 || !options_.pairs.empty(); }
  /// A stage begins at `before`, where `list` holds what touches.
  Term begin(const PairList& list, const double* before, const Stage& stage, const Memory& memory);
  /// Nothing touches.
  Term none();
  /// It has ended at x.
  void end(const Term& term, const double* x, Memory& memory) const;
  /// For preconditioners.
  void add_touching(const Term& term, const double* x, std::vector<PairStiffness>& out) const;

 private:
  struct Rubbing {
    std::array<int, 3> key;  // kind, vertex or edge, body or edge
    ContactPair pair;
    double force[3];  // on side A [N]
    double stiffness;
    bool stuck = false;  // when the last stage ended
  };
  double coefficient(const ContactPair& pair) const;
  void find_rubbing(const PairList& list, const double* before);
  void add_vertex_forces(const PairList& list, const double* before);

  ContactSettings options_;
  const ContactSurface& surface_;
  std::uint64_t stamp_;
  std::vector<Rubbing> rubbing_;
};

}  // namespace resilin
