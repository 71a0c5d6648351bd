// Meshes as plain data, and what can be asked of them without knowing any physics.
//
//   TetMesh: a solid; TriangleMesh: its surface or a shell; EdgeMesh: springs. Vertices are xyz triples,
//   elements are vertex ids from 0. A tet (a, b, c, d) is positive when det(b - a, c - a, d - a) > 0.
//
// Made by shapes.h and the file readers, read by the model, the viewer and `resilin check`. Meshes must not
// know materials, masses other than the lumped sums below, or solvers.
#pragma once
#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace resilin {

using Vec3 = std::array<double, 3>;
using Groups = std::map<std::string, std::vector<int>>;  // a name -> ascending ids

struct TetMesh {
  std::vector<double> vertices;  // 3 per vertex
  std::vector<int> tets;         // 4 per tet
  Groups element_groups, vertex_groups;
  int vertex_count() const { return static_cast<int>(vertices.size() / 3); }
  int tet_count() const { return static_cast<int>(tets.size() / 4); }
};

struct TriangleMesh {
  std::vector<double> vertices;  // 3 per vertex
  std::vector<int> triangles;    // 3 per triangle, counter-clockwise seen from outside
  Groups element_groups, vertex_groups;
  int vertex_count() const { return static_cast<int>(vertices.size() / 3); }
  int triangle_count() const { return static_cast<int>(triangles.size() / 3); }
};

struct EdgeMesh {
  std::vector<double> vertices;  // 3 per vertex
  std::vector<int> edges;        // 2 per edge
  Groups element_groups, vertex_groups;
  int vertex_count() const { return static_cast<int>(vertices.size() / 3); }
  int edge_count() const { return static_cast<int>(edges.size() / 2); }
};

// ---- topology. All but check() and validate() need ids in range (assert) ----------------------------------

/// The faces that belong to exactly one tet, as vertex ids of the tet mesh, outward, in the order of their
/// tets.
std::vector<int> boundary_triangles(const TetMesh& mesh);

/// The boundary with its own, compact vertices (in ascending order of the tet mesh's ids).
TriangleMesh surface(const TetMesh& mesh);
/// The same; `vertex_map[i]` becomes the tet-mesh vertex of surface vertex i.
TriangleMesh surface(const TetMesh& mesh, std::vector<int>& vertex_map);

/// Compressed rows: the neighbours of i are ids[start[i]] .. ids[start[i + 1] - 1], ascending.
struct Adjacency {
  std::vector<int> start, ids;
  int size() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> operator[](int i) const {
    return {ids.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
  }
};

/// Parts that share no vertex, numbered by their first tet. Unreferenced vertices get -1.
struct Components {
  int count = 0;
  std::vector<int> of_tet, of_vertex;
};
Components components(const TetMesh& mesh);
/// The part of each triangle, counted in the same way.
std::vector<int> triangle_components(const TriangleMesh& mesh);

/// The tets `which` (ascending) and the vertices they use; groups follow.
TetMesh subset(const TetMesh& mesh, std::span<const int> which);

// ---- measures ---------------------------------------------------------------------------------------------

/// Signed: det(b - a, c - a, d - a) / 6.
double tet_volume(const TetMesh& mesh, int tet);
double total_volume(const TetMesh& mesh);

/// Volume enclosed by a closed, outward surface (divergence theorem).
double enclosed_volume(std::span<const double> vertices, std::span<const int> triangles);
double enclosed_volume(const TriangleMesh& mesh);

/// A quarter of each tet's mass to each of its vertices. `density` [kg/m^3]: one per tet, or one for all.
std::vector<double> lumped_masses(const TetMesh& mesh, std::span<const double> density);
std::vector<double> lumped_masses(const TetMesh& mesh, double density);

/// Axis-aligned; of no vertices: lower = +infinity, upper = -infinity.
struct Bounds {
  Vec3 lower, upper;
};
Bounds bounds(std::span<const double> vertices);

/// Shape of the tets. q = 6 sqrt(2) volume / rms_edge^3: 1 for a regular tet, negative for an inverted one.
/// Angles are dihedral, in degrees, of the tet without regard to its sign; a flat tet has 0 and 180.
struct Quality {
  std::vector<double> tet_quality, tet_min_dihedral, tet_max_dihedral;  // one per tet
  double min_quality = 0, mean_quality = 0, min_dihedral = 0, max_dihedral = 0;
  std::array<int, 18> dihedral_histogram{};  // bins of 10 degrees, six angles per tet
};
Quality quality(const TetMesh& mesh);

// ---- trust ------------------------------------------------------------------------------------------------

enum class DefectKind {
  incomplete_array,      // no ids: vertices not in triples, tets not in fours, triangles not in threes
  non_finite_vertex,     // ids are vertices
  index_out_of_range,    // ids are elements: tets of a solid, triangles of a surface
  repeated_vertex,       // elements
  zero_volume,           // tets; |volume| <= 1e-10 longest_edge^3
  inverted,              // tets
  duplicate_tet,         // tets: every one after the first on the same four vertices
  non_manifold_face,     // tets: the first of each face that more than two tets share
  zero_area,             // triangles; area <= 1e-10 longest_edge^2
  duplicate_triangle,    // triangles: every copy of one on the same three vertices, and both of opposite pairs
  non_manifold_edge,     // triangles: the first of each edge that more than two triangles share
  inconsistent_winding,  // triangles: the first of each edge whose two triangles face different sides
  inside_out,            // triangles: the first of each closed part that faces inward and bounds no cavity
  self_intersection,     // triangles: the first of each pair that cross or touch besides what they share
  open_boundary,         // triangles: the one of each edge that has only one
  sliver,                // tets with a dihedral angle under 1 or over 179 degrees
  unreferenced_vertex,   // vertices
  coincident_vertices,   // vertices: those within 1e-9 of the bounding diagonal of a smaller id
  size_looks_like_millimetres,  // no ids
};
/// The enumerator as text: "zero_volume".
const char* name(DefectKind kind);

struct Defect {
  DefectKind kind;
  int count = 0;
  std::vector<int> examples;  // the smallest ids, at most 8
  std::string detail;         // the first one in words, with its values
};

/// All defects, worst kinds first. Never throws and accepts any content whatsoever.
std::vector<Defect> check(const TetMesh& mesh);
std::vector<Defect> check(const TriangleMesh& mesh);
/// Those that a shell cannot have: it may be open, cross itself and face any side.
std::vector<Defect> check_shell(const TriangleMesh& mesh);
/// The slivers, which simulate, but badly. `quality` is that of the mesh.
std::vector<Defect> check_shape(const TetMesh& mesh, const Quality& quality);

/// For each vertex the smallest one at its place (within 1e-9 of the bounding diagonal), which may be itself.
std::vector<int> coincident_vertices(std::span<const double> vertices);

/// Throws InputError(where, ...) naming the first offending tet or vertex and its value. Only coincident
/// vertices pass: two bodies may touch. drop_unreferenced() and repair_winding() are the opt-in repairs.
void validate(const TetMesh& mesh, const std::string& where);

/// The same for a shell: open, self-intersecting and inside-out surfaces pass too.
void validate(const TriangleMesh& mesh, const std::string& where);

/// Swaps two vertices of every inverted tet; returns which.
std::vector<int> repair_winding(TetMesh& mesh);
/// Turns triangles so that neighbours agree and closed parts face outward, those around a cavity inward; returns
/// which. A part that is open keeps the side that most of its triangles face. Needs ids in range.
std::vector<int> repair_winding(TriangleMesh& mesh);

/// Removes vertices that belong to no tet; returns which.
std::vector<int> drop_unreferenced(TetMesh& mesh);

// ---- transforms. A mirror image keeps its tets positive ---------------------------------------------------

void scale(TetMesh& mesh, double factor);
void scale(TetMesh& mesh, const Vec3& factors);
void rotate(TetMesh& mesh, const Vec3& axis, double degrees);
void translate(TetMesh& mesh, const Vec3& offset);

// The same for bare vertex arrays, so that triangle and edge meshes need no copies of these.
void scale(std::span<double> vertices, const Vec3& factors);
void rotate(std::span<double> vertices, const Vec3& axis, double degrees);
/// Quaternion (w, x, y, z), normalised here.
void rotate(std::span<double> vertices, const std::array<double, 4>& quaternion);
void translate(std::span<double> vertices, const Vec3& offset);

}  // namespace resilin
