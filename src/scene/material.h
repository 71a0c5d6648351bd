// Materials of a scene: presets, types with parameters, and what regions change.
#pragma once
#include <string>

#include "potentials/material.h"
#include "resilin/params.h"

namespace resilin {

struct MaterialChoice {
  std::string type;
  const MaterialPlugin* plugin = nullptr;
  Settings settings;
  double density = 0;  // of the preset; 0: it names none
};

/// The body's material, changed by a region's when that is not null. `place`: the body, for messages.
MaterialChoice read_material(const Value& place, const Value* material, const Value* region = nullptr);
/// Reads all materials of a body, so that errors show before anything is meshed.
void check_materials(const Value& body);
/// Per-element lists must have one entry per tet.
void check_lengths(const MaterialChoice& material, int tets);

}  // namespace resilin
