// Restitution of bodies on obstacles, for those who ask for it: a body that meets an obstacle with the normal speed
// v leaves it with e v. Backward Euler by itself loses nearly all of v in contact. What is meant is the speed of a
// body's middle of mass, so that e is that of a bounce, whatever the body does inside. It goes by what the body
// does, step by step:
//
//   free      it touches after a step, and came in with more than what two steps of gravity give: v is how fast
//   pressing  until its middle does not approach any more
//   leaving   until it has left, or gets no faster: then it lacks e v - (speed now)
//
// What it lacks is an impulse in the next stage, a constant force m_i (e v - speed)/tau on each of its vertices:
// one more linear term of Phi. Only backward Euler makes the same change of velocity of such a force. Slow contact
// is left alone: what rests must not hop.
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
