// One body of a scene, meshed and transformed, with a material for every tet; not yet in a model.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "resilin/mesh.h"
#include "scene/format.h"
#include "scene/material.h"
#include "scene/selection.h"
#include "scene/source.h"

namespace resilin {

struct BodyPlan {
  std::string name;
  Value source;  // as written
  bool solid = true;
  TetMesh mesh;          // of a solid
  TriangleMesh surface;  // that it carries, or none
  SpringNet springs;     // of the others
  std::vector<FileMaterial> file_materials;
  std::vector<MaterialChoice> materials;  // the body's own, then those of its file, then those of regions
  std::vector<int> material_of;           // per tet, into `materials`
  std::vector<double> density;            // per tet
  std::vector<double> fibre_stiffness;    // per tet, or none
  Vec3 fibre_direction{0, 0, 0};
  std::vector<PluginChoice> damping;
  int first_vertex = 0;  // in the model
  // Once they were made:
  Embedding embedding;             // of `surface` in `mesh`
  std::vector<int> own_triangles;  // boundary of `mesh`

  std::span<const double> rest() const { return solid ? mesh.vertices : springs.mesh.vertices; }
  /// Its vertices, to select from.
  SelectionSpace vertices() const;
};

/// `folder`: of the scene's file. `notes` receives what was repaired. `before`: of the same body in another version of the scene, whose mesh is
/// taken when nothing that makes it is different; or null.
BodyPlan plan_body(const Value& value, const std::string& name, const std::string& folder,
                   std::vector<std::string>& notes, const BodyPlan* before);

}  // namespace resilin
