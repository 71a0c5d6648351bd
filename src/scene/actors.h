// What acts on bodies: pins and forces of a scene, told to a Builder that has the bodies and their first states.
#pragma once
#include <span>

#include "resilin/builder.h"
#include "resilin/scene.h"
#include "scene/body.h"

namespace resilin {

/// `bodies`: in the order of the Builder.
void add_pins(Builder& builder, std::span<const BodyPlan> bodies, const Scene& scene, const Value& pins);
void add_forces(Builder& builder, std::span<const BodyPlan> bodies, const Value& forces);
/// Contact of bodies: true, or its parameters.
void add_contact(Builder& builder, std::span<const BodyPlan> bodies, const Value& contact);

}  // namespace resilin
