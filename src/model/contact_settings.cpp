#include <fmt/format.h>

#include <cmath>

#include "resilin/contact.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

void require(double value, const char* what) {
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError("contact", fmt::format("the {} is {}: must be >= 0 and finite", what, value));
}

}  // namespace

void check_contact(const ContactSettings& contact) {
  require(contact.radius, "radius"), require(contact.stiffness, "stiffness");
  require(contact.friction, "coefficient of friction");
  for (const ContactSettings::Pair& pair : contact.pairs)
    require(pair.friction, "coefficient of friction of two bodies");
}

void check_contact(const ObstacleFriction& friction) {
  for (const double mu : friction.coefficient)
    if (!(mu >= 0) || !std::isfinite(mu))
      throw InputError("friction", fmt::format("the coefficient of friction is {}: must be >= 0 and finite", mu));
}

void check_contact(const ObstacleRestitution& restitution) {
  if (!(restitution.coefficient >= 0) || !(restitution.coefficient <= 1))
    throw InputError("restitution", fmt::format("the coefficient of restitution is {}: must be in [0, 1]",
                                                restitution.coefficient));
}

}  // namespace resilin
