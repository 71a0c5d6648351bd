// What the mesh doctor finds in a file, and where that is in the scene made around it.
#pragma once
#include "resilin/io.h"
#include "resilin/scene.h"

namespace resilin::viewer {

/// [{text, points}]: xyz of a few examples, in the file's coordinates.
Value mesh_findings(const MeshData& mesh);

/// The same where the scene's only body stands at rest, with `vertices`: those of the model that are nearest to the
/// points.
Value placed_findings(const Value& findings, const Scene& scene, const Model& model);

}  // namespace resilin::viewer
