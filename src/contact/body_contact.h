// Contact of bodies with each other and with themselves: a model of it, to be put into Model::contact (docs/theory/contact.md).
//   energy    of the pairs that are nearer than a radius (pair_energy.h)
//   region    no step lets a surface pass through another (safe_region.h)
// Lists of pairs are made when a stage begins, and again where vertices want to leave the region. None of that changes Phi: a list holds whatever
// can come nearer than the radius while vertices stay in the balls around which it was made.
#pragma once
#include <memory>

#include "resilin/lagged.h"

namespace resilin {

struct BodyContactOptions {
  double radius = 0;     // [m] at which surfaces begin to push; 0: by the size of triangles and bodies
  double stiffness = 0;  // [N/m] of a touching vertex; 0: by the stiffness and the weight of bodies
  bool between = true;   // bodies with each other
  bool self = true;      // with themselves
  bool safe = true;      // false: energies only, for study
};

std::shared_ptr<const ContactModel> make_body_contact(const BodyContactOptions& options);

}  // namespace resilin
