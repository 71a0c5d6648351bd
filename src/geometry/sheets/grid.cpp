// A flat rectangle cut into triangles.
#include <fmt/format.h>

#include <cstdint>

#include "geometry/shapes/shape_support.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

void check_options(const GridOptions& options) {
  for (const double size : options.size) require_positive(size, "size");
  for (const int cells : options.cells)
    if (cells < 1) throw InputError("cells", fmt::format("{} must be at least 1", cells));
  if (std::int64_t{options.cells[0]} * options.cells[1] > 50'000'000)
    throw InputError("cells",
                     fmt::format("{} times {} must be at most 50000000", options.cells[0], options.cells[1]));
  require_finite(options.center, "center");
}

// Odd rows of the regular pattern are shifted by half a cell and have one more vertex: their ends stay on the
// sides.
struct Rows {
  int cells;
  bool shifted;
  int count(int j) const { return cells + 1 + (shifted && j % 2 == 1 ? 1 : 0); }
  int first(int j) const { return j * (cells + 1) + (shifted ? j / 2 : 0); }
  double place(int i, int j) const {  // 0 to 1
    if (!shifted || j % 2 == 0) return static_cast<double>(i) / cells;
    return std::clamp((i - 0.5) / cells, 0.0, 1.0);
  }
};

void add_cells(TriangleMesh& mesh, const Rows& rows, int j, GridPattern pattern) {
  for (int i = 0; i < rows.cells; ++i) {
    const int a = rows.first(j) + i, b = a + 1, d = rows.first(j + 1) + i, c = d + 1;
    if (pattern == GridPattern::parallel || (i + j) % 2 == 0)
      mesh.triangles.insert(mesh.triangles.end(), {a, b, c, a, c, d});
    else mesh.triangles.insert(mesh.triangles.end(), {a, b, d, b, c, d});
  }
}

// Between a row and a shifted one: the shifted one has a half cell at each end.
void add_shifted(TriangleMesh& mesh, const Rows& rows, int j) {
  const bool upper = j % 2 == 0;  // the shifted row is the upper one
  const int even = rows.first(upper ? j : j + 1), odd = rows.first(upper ? j + 1 : j);
  const auto add = [&](int a, int b, int c) {
    if (!upper) std::swap(b, c);
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
  };
  for (int i = 0; i <= rows.cells; ++i) {
    if (i < rows.cells) add(even + i, even + i + 1, odd + i + 1);
    add(even + i, odd + i + 1, odd + i);
  }
}

}  // namespace

TriangleMesh grid_sheet(const GridOptions& options) {
  check_options(options);
  const Rows rows{options.cells[0], options.pattern == GridPattern::regular};
  TriangleMesh mesh;
  for (int j = 0; j <= options.cells[1]; ++j)
    for (int i = 0; i < rows.count(j); ++i) {
      const int id = mesh.vertex_count();
      const double x = options.size[0] * (rows.place(i, j) - 0.5);
      const double y = options.size[1] * (static_cast<double>(j) / options.cells[1] - 0.5);
      mesh.vertices.insert(mesh.vertices.end(), {options.center[0] + x, options.center[1] + y, options.center[2]});
      if (i == 0) mesh.vertex_groups["x_min"].push_back(id);
      if (i == rows.count(j) - 1) mesh.vertex_groups["x_max"].push_back(id);
      if (j == 0) mesh.vertex_groups["y_min"].push_back(id);
      if (j == options.cells[1]) mesh.vertex_groups["y_max"].push_back(id);
    }
  for (int j = 0; j < options.cells[1]; ++j)
    if (rows.shifted) add_shifted(mesh, rows, j);
    else add_cells(mesh, rows, j, options.pattern);
  return mesh;
}

SheetPlugin sheet_grid() {
  return {"A flat rectangle in the xy-plane, cut into triangles.",
          {numbers("size", "m", {1, 1}, positive(), "extent along x and y"),
           numbers("cells", "", {12, 14}, at_least(1), "cells along x and y"),
           choice("pattern", {"regular", "alternating", "parallel"},
                  "how cells are cut. regular: rows are shifted by half a cell; triangles have equal sides where "
                  "the cells along y are 1.15 times as many per metre as those along x. alternating: diagonals "
                  "change from cell to cell. parallel: all diagonals are parallel"),
           center_param()},
          [](const Settings& s) {
            return located(s, [&] {
              const std::string pattern = s.text("pattern");
              return grid_sheet({pair_of(s, "size"), whole_pair_of(s, "cells"),
                                 pattern == "alternating" ? GridPattern::alternating
                                 : pattern == "parallel"  ? GridPattern::parallel
                                                          : GridPattern::regular,
                                 s.vector3("center")});
            });
          }};
}

}  // namespace resilin
