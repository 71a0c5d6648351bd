// Restitution of bodies on obstacles: a body that meets an obstacle with the normal speed v leaves it with e v.
// Backward Euler by itself loses nearly all of v in contact. The speed is that of the body's centre of mass, so
// that e is that of the bounce, whatever the body does inside. A body is in one of three phases:
//
//   free      It touches after a step, and approached faster than two steps of gravity explain: v is that speed.
//   pressing  The centre of mass still approaches.
//   leaving   The body has left, or gets no faster: the speed e v - (speed now) is missing.
//
// The next stage gets the missing speed as an impulse, a constant force m_i (e v - speed)/tau on each vertex: one
// more linear term of Phi. Only backward Euler turns such a force into just this change of velocity. Slow contact
// is left alone, since a body at rest must not hop.
#pragma once
#include <memory>

#include "contact/listed_term.h"
#include "resilin/params.h"

namespace resilin {

/// Restitution of the obstacles of a model (Model::restitution).
std::unique_ptr<ListedTerm> make_obstacle_restitution(const Model& model);

/// "restitution", a parameter of every obstacle.
Params restitution_params();

}  // namespace resilin
