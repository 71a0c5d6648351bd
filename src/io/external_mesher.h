// Tets by programs of others, tetgen and gmsh: found on PATH, run without a shell in a folder of their own, their
// files read by our readers. Nothing is linked. Called by scenes that ask for it.
#pragma once
#include <string>

#include "resilin/mesh.h"
#include "resilin/shapes.h"

namespace resilin {

/// `mesher`: "tetgen" or "gmsh". The surface must be closed: these programs are strict. Throws InputError when the
/// program is missing or fails, with what it said.
TetMesh run_external_mesher(const std::string& mesher, const TriangleMesh& surface,
                            const SurfaceFillOptions& options);

}  // namespace resilin
