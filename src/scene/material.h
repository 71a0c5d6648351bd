// Materials of a scene: presets, types with parameters, and what regions change.
#pragma once

#include "resilin/builder.h"
#include "scene/format.h"

namespace resilin {

/// A plugin that a scene chose, for the Builder: its fields are read already, and located.
Choice choice_of(PluginChoice chosen);

struct MaterialChoice {
  Choice material;
  double density = 0;  // of the preset; 0: it names none
};

/// The body's material, changed by a region's when that is not null. `place`: the body, for messages.
MaterialChoice read_material(const Value& place, const Value* material, const Value* region = nullptr);
/// A sheet of bending and potentials only.
bool is_none(const Value& material);
/// Reads all materials of a body, so that errors show before anything is meshed.
void check_materials(const Value& body);

}  // namespace resilin
