// Writes Gmsh MSH 4.1 or 2.2 as text.
#pragma once
#include "resilin/io.h"

namespace resilin {

std::string write_gmsh(const MeshData& mesh, const WriteOptions& options);

}  // namespace resilin
