// Where a body's vertices and elements come from: a shape, a cloth, numbers in the scene, or a file.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "resilin/builder.h"
#include "resilin/io.h"
#include "resilin/mesh.h"
#include "resilin/params.h"

namespace resilin {

/// A solid as its source gives it: not yet checked or transformed.
struct SolidSource {
  TetMesh mesh;
  TriangleMesh surface;                 // that the tets carry; none: their own boundary is shown
  std::vector<FileMaterial> materials;  // that the file states for groups of tets
  std::vector<std::string> notes;       // what the reader had to say
  std::vector<std::string> files;       // that were read
};

/// `body`: the Settings of a body with a shape or a mesh; files are relative to `folder`.
SolidSource read_solid(const Settings& body, const std::string& folder);
struct SheetSource {
  TriangleMesh mesh;
  std::vector<std::string> notes, files;
};
/// `body`: the Settings of a body with a shell; repaired when it asks for that.
SheetSource read_sheet(const Settings& body, const std::string& folder);
/// xyz of the vertices of a body in another shape, from a file with its elements. `corners`: 4 for tets, 3 for
/// triangles.
std::vector<double> read_positions(const Value& name, const std::string& folder, std::span<const int> elements,
                                   int corners);
struct NetSource {
  Springs springs;
  std::vector<std::string> notes, files;
};
/// `body`: the Settings of a body with a cloth or springs.
NetSource read_springs(const Settings& body, const std::string& folder);

/// A surface from a file, or the boundary of its tets, facing outward. `name`: the value that names the file.
TriangleMesh read_closed_surface(const Value& name, const std::string& folder);

}  // namespace resilin
