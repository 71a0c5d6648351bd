// Flat sheets besides the grid: a disc, and a rectangle without a pattern.
//
// Called by scenes (through the plugins), tests and benchmarks. Sheets must not know materials, pins or scenes.
#pragma once
#include "resilin/shapes.h"

namespace resilin {

struct DiscOptions {
  double radius = 0.5;  // [m]
  int rings = 8;        // 1 + 3 rings (rings + 1) vertices
  Vec3 center{0, 0, 0};
};
/// A flat disc in the xy-plane that faces +z. vertex_groups rim, center.
TriangleMesh disc_sheet(const DiscOptions& options);

struct IrregularOptions {
  std::array<double, 2> size{1, 1};  // [m]
  double spacing = 0.1;              // [m] wanted length of edges
  double jitter = 1;                 // 0: the regular pattern, to 1: nothing of it is left
  int seed = 1;
  Vec3 center{0, 0, 0};
};
/// A flat rectangle in the xy-plane that faces +z, with a Delaunay triangulation of points at about the spacing.
/// vertex_groups x_min, x_max, y_min, y_max.
TriangleMesh irregular_sheet(const IrregularOptions& options);

SheetPlugin sheet_disc();
SheetPlugin sheet_irregular();

}  // namespace resilin
