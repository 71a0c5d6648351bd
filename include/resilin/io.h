// Mesh files, caches of animations and frames of runs: one format per .cpp in src/io, each able to read, to write,
// or both.
//
//   read_mesh("dragon.msh") -> MeshData -> to_tet_mesh() -> a scene's body;   convert: read_mesh -> write_mesh
//
// Called by scenes, `resilin convert`, `resilin check` and `resilin run`. Formats must not know solvers or scenes.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/model.h"
#include "resilin/params.h"
#include "resilin/state.h"

namespace resilin {

class ReductionStore;

// ---- meshes as files hold them ----------------------------------------------------------------------------

/// A material that a file states for a group of its tets (Vega). SI units.
struct FileMaterial {
  std::string name, group;  // group: of tet_groups
  double young = 0, poisson = 0, density = 0;
};

/// Numbers per vertex or per element, for writing.
struct NamedField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

/// What a file holds: solids, surfaces and lines on the same vertices. Ids are from 0, in range, and in the file's
/// order.
struct MeshData {
  std::vector<double> vertices;             // 3 per vertex, finite
  std::vector<int> tets, triangles, edges;  // 4, 3, 2 per element
  Groups tet_groups, triangle_groups, edge_groups, vertex_groups;
  std::vector<FileMaterial> materials;
  std::vector<NamedField> vertex_fields, tet_fields;       // written by formats that can; readers leave them empty
  double time = std::numeric_limits<double>::quiet_NaN();  // [s] of a frame, where the file says
  std::vector<std::string> notes;                          // what was changed or left out while reading, in words
  std::vector<std::string> files;  // that it was read from: its own path, then those beside it
  int vertex_count() const { return static_cast<int>(vertices.size() / 3); }
  int tet_count() const { return static_cast<int>(tets.size() / 4); }
  int triangle_count() const { return static_cast<int>(triangles.size() / 3); }
  int edge_count() const { return static_cast<int>(edges.size() / 2); }
};

struct ReadOptions {
  bool linearise = false;  // keep the corners of higher-order elements instead of refusing them
};

struct WriteOptions {
  std::string variant;  // of the format, e.g. "2.2" of gmsh, "ascii" of ply; empty: its default
};

/// A file in memory. `companion` gives the contents of a file beside it (TetGen's .ele, Vega's includes), or
/// nothing.
struct MeshSource {
  std::string name;  // for messages
  std::string_view contents;
  std::function<std::optional<std::string>(const std::string& file)> companion = {};
};

// ---- animations -------------------------------------------------------------------------------------------

/// Frames of one mesh whose elements do not change. `positions(i)`: xyz of all its vertices in frame i.
struct Animation {
  MeshData mesh;
  std::vector<double> times;  // [s], ascending
  std::function<std::vector<double>(int)> positions;
  bool z_is_up = false;  // otherwise y
  int frame_count() const { return static_cast<int>(times.size()); }
};

/// One frame of a run. `element_fields`: per tet of the bodies, in their order, then per triangle of the bodies
/// without tets.
struct Frame {
  const Model* model;
  const std::vector<double>*positions, *velocities;  // xyz of all vertices
  int number;
  double time;
  const std::vector<NamedField>* element_fields = nullptr;
};

// ---- formats ----------------------------------------------------------------------------------------------

struct FormatPlugin {
  std::string doc;
  std::string extension;  // ".vtu"
  /// The contents of one frame's file; null when the format cannot write frames.
  std::function<std::string(const Frame&)> write_frame = {};
  /// Contents of a file that names all frames (".pvd"), from (time, file name); null when it needs none.
  std::function<std::string(const std::vector<std::pair<double, std::string>>&)> write_index = {};
  std::string index_extension = {};
  std::vector<std::string> more_extensions = {};
  /// Whether contents are of this format whatever the file is called; null: only the extension tells.
  std::function<bool(std::string_view contents)> recognises = {};
  std::function<MeshData(const MeshSource&, const ReadOptions&)> read = {};
  std::function<std::string(const MeshData&, const WriteOptions&)> write = {};
  /// A whole animation in one file.
  std::function<std::string(const Animation&)> write_sequence = {};
  /// What of a mesh its files hold; null: all of it.
  std::function<MeshData(const MeshData&)> written = {};
  /// Point caches hold no elements: the format of the mesh that is written beside them.
  std::string base_format = {};
  /// What `WriteOptions::variant` may be; the first is the default.
  std::vector<std::string> variants = {};
};

/// Reads any known mesh file, gzipped or not; content beats extension. Throws InputError for everything that is
/// wrong with it. Where all tets are negative (another convention) they are turned around, with a note.
MeshData read_mesh(const std::string& path, const ReadOptions& options = {});
/// The same from memory. Nothing is opened unless `source.companion` does.
MeshData read_mesh(const MeshSource& source, const ReadOptions& options = {});

/// The contents of a file in the format that `path` ends in; the file itself is not written.
std::string write_mesh(const std::string& path, const MeshData& mesh, const WriteOptions& options = {});

/// Whether a run can have this format: its frames as files, or one file at its end.
bool can_write_frames(const FormatPlugin& format);
/// The contents of one frame's file, by write_frame or as a mesh; needs can_write_frames().
std::string frame_contents(const FormatPlugin& format, const Frame& frame);

/// The name of the format whose extension `path` has, or "".
std::string format_of_path(const std::string& path);

// ---- to and from the other kinds of meshes -------------------------------------------------------------------

/// Throws InputError(where) when there are no tets; a surface alone is named as such, with what to do about it.
/// Vertices that only triangles or edges use are left out.
TetMesh to_tet_mesh(const MeshData& data, const std::string& where);
/// The triangles, or where there are none the boundary of the tets, with all vertices kept.
TriangleMesh to_triangle_mesh(const MeshData& data);
MeshData to_mesh_data(const TetMesh& mesh);
MeshData to_mesh_data(const TriangleMesh& mesh);
/// All bodies at rest, each a group of its name, with their embedded surfaces (see with_embedded()).
MeshData to_mesh_data(const Model& model);

// ---- files ---------------------------------------------------------------------------------------------------

/// Writes to a temporary name beside it, syncs, renames, syncs the folder: the file is either the old one or the
/// new one. Throws InputError when the folder cannot be written.
void write_file(const std::string& path, const std::string& contents);
std::string read_file(const std::string& path);
/// Precomputed reductions are kept in that file: read when it exists, written when it does not.
std::shared_ptr<const ReductionStore> reduction_file(const std::string& path);
/// Deletes what write_file left in a folder when its process was killed. Nobody else may be writing there.
void remove_temporary_files(const std::string& folder);

}  // namespace resilin
