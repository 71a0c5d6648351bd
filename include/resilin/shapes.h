// Shapes that the library can make by itself: structured boxes, implicit solids and cloth grids.
//
//   box: cells cut into 5, 6 or (body-centred) about 12 tets. Everything round goes through fill_implicit(),
//   isosurface stuffing on a body-centred cubic lattice [Labelle and Shewchuk 2007], whose dihedral angles
//   are bounded.
//
// Called by scenes (through the plugins below), tests and benchmarks. Shapes must not know materials, pins or
// scenes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/params.h"

namespace resilin {

// ---- boxes ------------------------------------------------------------------------------------------------

/// How a cell is cut. five: 5 tets, mirrored from cell to cell so that faces match. six: 6 tets around the
/// cell's diagonal (Kuhn), the same in every cell. bcc: a vertex in every cell's middle, 4 tets across every
/// inner face and 2 on every outer one: the best shaped.
enum class BoxPattern { five, six, bcc };

struct BoxOptions {
  Vec3 size{1, 1, 1};  // [m]
  std::array<int, 3> cells{1, 1, 1};
  BoxPattern pattern = BoxPattern::five;
  Vec3 center{0, 0, 0};
};

/// Vertices x fastest, then y, then z (bcc: then the middles, likewise). vertex_groups x_min, x_max, ...,
/// z_max.
TetMesh box(const BoxOptions& options);

// ---- implicit solids --------------------------------------------------------------------------------------

/// Negative inside, positive outside, at p[0..2]; continuous where it vanishes (a jump is located, not
/// smoothed). May be slow: it is evaluated once per lattice vertex, plus about 5 times per lattice edge that
/// crosses the surface.
using ImplicitFunction = std::function<double(const double* p)>;

struct FillOptions {
  Bounds region{{-1, -1, -1}, {1, 1, 1}};  // must contain the solid
  double spacing = 0.1;         // [m] edge of the lattice's cubes; tets have edges of 0.3 to 1.4 spacings
  double cut_tolerance = 1e-7;  // of an edge: how well the surface is located
};

/// Fills f < 0 (possibly nothing) with tets whose dihedral angles are within [10.7, 164.8] degrees, whatever
/// f is. Vertices on the surface satisfy f = 0. Features thinner than the spacing may be lost. Throws
/// InputError if f is not finite or reaches out of the region.
TetMesh fill_implicit(const ImplicitFunction& f, const FillOptions& options);

/// How fine: a spacing, or cells along the longest side, or (when neither is given) about so many tets.
struct SurfaceFillOptions {
  double spacing = 0;  // [m] as in FillOptions; 0: not given
  int cells = 0;       // 0: not given
  int tets = 10000;
  double thicken = 0;  // [m] what is so close to the surface is filled too: sheets become solids
};

/// Fills a surface that may have holes, edges of several sheets, parts that intersect and triangles that face
/// inward. Inside is where its generalised winding number exceeds 1/2. `notes` receives what was turned or left
/// out. Throws InputError when nothing, or little of the surface, is thick enough to be filled.
TetMesh fill_surface(const TriangleMesh& surface, const SurfaceFillOptions& options,
                     std::vector<std::string>* notes = nullptr);

struct SphereOptions {
  double radius = 0.5;  // [m]
  double spacing = 0.1;
  Vec3 center{0, 0, 0};
};
TetMesh sphere(const SphereOptions& options);

struct CylinderOptions {
  double radius = 0.5, height = 1;  // [m], along z
  double inner_radius = 0;          // > 0: a tube
  double spacing = 0.1;
  Vec3 center{0, 0, 0};
};
TetMesh cylinder(const CylinderOptions& options);

struct TorusOptions {
  double radius = 0.5, tube_radius = 0.2;  // [m], around z
  double spacing = 0.1;
  Vec3 center{0, 0, 0};
};
TetMesh torus(const TorusOptions& options);

struct Ball {
  Vec3 center;
  double radius;
};
struct MetaballsOptions {
  std::vector<Ball> balls;
  double blend = 0.05;  // [m] width over which balls melt together; 0: a plain union
  double spacing = 0.1;
};
/// f(p) = -blend log sum_i exp(-(|p - c_i| - r_i) / blend): a smooth union that does not depend on the order
/// of the balls.
TetMesh metaballs(const MetaballsOptions& options);
/// An animal on four legs, about one metre long, standing on z = 0 and looking along x.
std::vector<Ball> creature_balls();

// ---- cloth ------------------------------------------------------------------------------------------------

struct ClothOptions {
  int nx = 21, ny = 21;           // vertices along x and y
  double size_x = 1, size_y = 1;  // [m]
  Vec3 center{0, 0, 0};
};
/// A flat grid in the xy-plane, x fastest. `springs.element_groups`: stretch (axis neighbours), shear (both
/// diagonals of each cell), bend (axis neighbours but one). `triangles`: two per cell with alternating
/// diagonals, facing +z, on the same vertices. vertex_groups of both: x_min, x_max, y_min, y_max.
struct Cloth {
  EdgeMesh springs;
  TriangleMesh triangles;
};
Cloth grid_cloth(const ClothOptions& options);

// ---- sheets -----------------------------------------------------------------------------------------------

/// How a grid of cells is cut into triangles. regular: rows are shifted by half a cell, so that inner triangles
/// have equal sides when size_y/rows is sqrt(3)/2 of size_x/columns; alternating: diagonals change from cell to
/// cell; parallel: all the same. Hinges bend as a plate on regular ones only.
enum class GridPattern { regular, alternating, parallel };

struct GridOptions {
  std::array<double, 2> size{1, 1};  // [m]
  std::array<int, 2> cells{12, 14};  // of a square: sides are equal within 1 %
  GridPattern pattern = GridPattern::regular;
  Vec3 center{0, 0, 0};
};
/// A flat rectangle in the xy-plane that faces +z. vertex_groups x_min, x_max, y_min, y_max.
TriangleMesh grid_sheet(const GridOptions& options);

struct BallSurfaceOptions {
  double radius = 0.5;   // [m]
  int subdivisions = 3;  // of an icosahedron: each makes four triangles of one
  Vec3 center{0, 0, 0};
};
/// A closed surface: all vertices on the sphere, facing outward.
TriangleMesh ball_surface(const BallSurfaceOptions& options);

// ---- plugins ----------------------------------------------------------------------------------------------

/// One shape of a scene: src/geometry/shapes/x.cpp defines `ShapePlugin shape_x()`.
struct ShapePlugin {
  std::string doc;
  Params params;
  std::function<TetMesh(const Settings&)> make;
};
/// One sheet of a scene: src/geometry/sheets/x.cpp defines `SheetPlugin sheet_x()`.
struct SheetPlugin {
  std::string doc;
  Params params;
  std::function<TriangleMesh(const Settings&)> make;
};
SheetPlugin sheet_grid();
SheetPlugin sheet_sphere();

ShapePlugin shape_box();
ShapePlugin shape_sphere();
ShapePlugin shape_cylinder();
ShapePlugin shape_torus();
ShapePlugin shape_metaballs();

}  // namespace resilin
