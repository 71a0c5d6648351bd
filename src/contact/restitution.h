// Restitution of bodies on obstacles, for those who ask for it: a body that meets an obstacle with the normal speed v leaves it with e v. Backward Euler
// by itself loses nearly all of v in contact. What is meant is the speed of a body's middle of mass, so that e is that of a bounce, whatever the body
// does inside. It goes by what the body does, step by step:
//
//   free      it touches after a step, and came in with more than what two steps of gravity give: v is how fast
//   pressing  until its middle does not approach any more
//   leaving   until it has left, or gets no faster: then it lacks e v - (speed now)
//
// What it lacks is an impulse in the next stage, a constant force m_i (e v - speed)/tau on each of its vertices: one more linear term of Phi. Only
// backward Euler makes the same change of velocity of such a force. Slow contact is left alone: what rests must not hop.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "resilin/listed.h"
#include "resilin/params.h"

namespace resilin {

/// Of one obstacle, or of one obstacle and one body: a term of points of the model.
struct RestitutionSource {
  int term = 0;            // in Model::terms
  double coefficient = 0;  // e
};
/// Throws InputError unless all are in [0, 1].
std::shared_ptr<const ContactModel> obstacle_restitution(std::vector<RestitutionSource> sources);

bool is_restitution(const ContactModel& model);

/// "restitution", a parameter of every obstacle.
Params restitution_params();

}  // namespace resilin
