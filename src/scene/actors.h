// What acts on bodies: pins, forces and obstacles of a scene, added to a model whose bodies and terms are complete.
#pragma once
#include <span>

#include "resilin/model.h"
#include "resilin/scene.h"
#include "resilin/state.h"
#include "scene/body.h"

namespace resilin {

/// Soft pins become terms, hard ones Model::pins; those stand in `initial` where time 0 wants them.
void add_pins(Model& model, State& initial, std::span<const BodyPlan> bodies, const Scene& scene,
              const Value& pins);
void add_forces(Model& model, std::span<const BodyPlan> bodies, const Value& forces);
/// One term for each obstacle and, unless it states its stiffness, each body, whose own stiffness it then has.
void add_obstacles(Model& model, const Scene& scene, const Value& obstacles);

}  // namespace resilin
