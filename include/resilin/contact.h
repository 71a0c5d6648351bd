// Contact of bodies with each other and with themselves (docs/theory/contact.md). No surface passes through another, whatever a solver does:
// steps are shortened where they would. Obstacles are apart from it (Builder::obstacle).
#pragma once
#include <memory>
#include <vector>

#include "resilin/listed.h"

namespace resilin {

struct BodyContact {
  double radius = 0;     // [m] at which surfaces begin to push; 0: by the size of triangles and bodies
  double stiffness = 0;  // [N/m] of a touching vertex; 0: by the stiffness and the weight of bodies
  double friction = 0;   // Coulomb's coefficient
  bool between = true;   // bodies with each other
  bool self = true;      // with themselves
  bool safe = true;      // false: energies only, surfaces may pass through each other; for study
  struct Pair {
    int first, second;  // bodies of the model
    double friction;
  };
  std::vector<Pair> pairs = {};  // whose coefficient is another
};

/// For Model::contact. Throws InputError when a number is negative or not finite.
std::shared_ptr<const ContactModel> make_body_contact(const BodyContact& contact);

}  // namespace resilin
