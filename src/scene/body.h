// One body of a scene, meshed and transformed, as the Builder takes it.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "resilin/builder.h"
#include "scene/format.h"
#include "scene/material.h"
#include "scene/selection.h"
#include "scene/source.h"

namespace resilin {

struct BodyPlan {
  std::string name;
  Value source;                              // as written
  std::variant<Solid, Shell, Springs> body;  // for the Builder; a solid with a shape
  std::vector<FileMaterial> file_materials;
  std::vector<std::string> files;  // that its mesh was read from
  std::vector<Choice> damping;

  /// Its vertices, to select from.
  SelectionSpace vertices() const;
};

/// `folder`: of the scene's file. `notes` receives what was repaired. `before`: of the same body in another version
/// of the scene, whose shape is taken when nothing that makes it is different; or null.
BodyPlan plan_body(const Value& value, const std::string& name, const std::string& folder,
                   std::vector<std::string>& notes, const BodyPlan* before);

}  // namespace resilin
