// A box of cells, each cut into 5 or 6 tets or, body-centred, into about 12.
#include <string>

#include "geometry/shapes/shape_support.h"

namespace resilin {

namespace {

// Corners of a cell are numbered by bits: 1 = +x, 2 = +y, 4 = +z.
constexpr int five_tets[5][4] = {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 3, 5, 6}, {0, 5, 3, 6}};
// The six paths from corner 0 to corner 7 along the axes, one per order of the axes.
constexpr int six_tets[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}};

class BoxMaker {
 public:
  explicit BoxMaker(const BoxOptions& options) : options_(options), n_(options.cells) {}

  TetMesh run() {
    for (int k = 0; k <= n_[2]; ++k)
      for (int j = 0; j <= n_[1]; ++j)
        for (int i = 0; i <= n_[0]; ++i) add_vertex(i, j, k);
    const bool bcc = options_.pattern == BoxPattern::bcc;
    for (int k = 0; k < n_[2]; ++k)
      for (int j = 0; j < n_[1]; ++j)
        for (int i = 0; i < n_[0]; ++i) {
          if (bcc) {
            add_vertex(i + 0.5, j + 0.5, k + 0.5);
            cut_around_middle({i, j, k});
          } else {
            cut_cell({i, j, k});
          }
        }
    add_groups();
    return std::move(mesh_);
  }

 private:
  int corner(int i, int j, int k) const { return (k * (n_[1] + 1) + j) * (n_[0] + 1) + i; }
  int middle(std::array<int, 3> c) const { return corner_count() + (c[2] * n_[1] + c[1]) * n_[0] + c[0]; }
  int corner_count() const { return (n_[0] + 1) * (n_[1] + 1) * (n_[2] + 1); }

  void add_vertex(double i, double j, double k) {
    const double at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a)
      mesh_.vertices.push_back(options_.center[a] + options_.size[a] * (at[a] / n_[a] - 0.5));
  }

  void add_tet(int a, int b, int c, int d) { mesh_.tets.insert(mesh_.tets.end(), {a, b, c, d}); }

  void cut_cell(std::array<int, 3> cell) {
    // Mirroring every second cell makes the diagonals of the 5-tet cut meet those of its neighbours.
    const bool mirror = options_.pattern == BoxPattern::five && (cell[0] + cell[1] + cell[2]) % 2 != 0;
    const auto id = [&](int bits) {
      if (mirror) bits ^= 1;
      return corner(cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2 & 1));
    };
    const bool five = options_.pattern == BoxPattern::five;
    for (int t = 0; t < (five ? 5 : 6); ++t) {
      const int* b = five ? five_tets[t] : six_tets[t];
      add_tet(id(b[0]), id(b[1]), id(mirror ? b[3] : b[2]), id(mirror ? b[2] : b[3]));
    }
  }

  // Across the face towards +axis: two middles and each edge of the face. An outer face is cut in two instead,
  // the diagonal alternating so that no direction is preferred.
  void cut_around_middle(std::array<int, 3> cell) {
    for (int a = 0; a < 3; ++a)
      for (int side = 0; side < 2; ++side) {
        const bool outer = cell[a] == (side ? n_[a] - 1 : 0);
        if (!side && !outer) continue;  // the cell before has made these
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        int q[4];  // counter-clockwise around +axis
        for (int i = 0; i < 4; ++i) {
          std::array<int, 3> at = cell;
          at[a] += side;
          at[b] += i == 1 || i == 2;
          at[c] += i >= 2;
          q[i] = corner(at[0], at[1], at[2]);
        }
        const int m = middle(cell);
        if (!outer) {
          std::array<int, 3> next = cell;
          ++next[a];
          for (int i = 0; i < 4; ++i) add_tet(m, middle(next), q[i], q[(i + 1) % 4]);
          continue;
        }
        const int shift = (cell[b] + cell[c]) % 2;
        const int p[4] = {q[shift], q[shift + 1], q[(shift + 2) % 4], q[(shift + 3) % 4]};
        for (int i = 0; i < 2; ++i)
          if (side) add_tet(m, p[0], p[i + 1], p[i + 2]);
          else add_tet(m, p[0], p[i + 2], p[i + 1]);
      }
  }

  void add_groups() {
    static const char* const names[3][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
    for (int k = 0; k <= n_[2]; ++k)
      for (int j = 0; j <= n_[1]; ++j)
        for (int i = 0; i <= n_[0]; ++i) {
          const int at[3] = {i, j, k};
          for (int a = 0; a < 3; ++a) {
            if (at[a] == 0) mesh_.vertex_groups[names[a][0]].push_back(corner(i, j, k));
            if (at[a] == n_[a]) mesh_.vertex_groups[names[a][1]].push_back(corner(i, j, k));
          }
        }
  }

  const BoxOptions& options_;
  const std::array<int, 3> n_;
  TetMesh mesh_;
};

BoxPattern pattern_of(const std::string& name) {
  return name == "six" ? BoxPattern::six : name == "bcc" ? BoxPattern::bcc : BoxPattern::five;
}

}  // namespace

TetMesh box(const BoxOptions& options) {
  constexpr double max_cells = 2e7;  // keeps 4 * tets in int
  double cells = 1;
  for (int a = 0; a < 3; ++a) {
    require_positive(options.size[a], "size");
    if (options.cells[a] < 1)
      throw InputError("cells",
                       std::to_string(options.cells[a]) + " along axis " + "xyz"[a] + " must be at least 1");
    cells *= options.cells[a];
  }
  if (cells > max_cells) throw InputError("cells", std::to_string(cells) + " in all must be at most 20000000");
  require_finite(options.center, "center");
  return BoxMaker(options).run();
}

ShapePlugin shape_box() {
  return {"A box of cells. Each cell is cut into 5, 6 or, with a body-centred lattice, about 12 tets.",
          {vector3("size", "m", {1, 1, 1}, "lengths of the edges"),
           vector3("cells", "", {4, 4, 4}, "number of cells along x, y and z"),
           choice("pattern", {"five", "six", "bcc"},
                  "how a cell is cut. five: 5 tets, mirrored from cell to cell; six: 6 tets, the same in every "
                  "cell; bcc: body-centred lattice, best shaped"),
           center_param()},
          [](const Settings& settings) {
            return located(settings, [&] {
              BoxOptions options;
              options.size = settings.vector3("size");
              const Vec3 cells = settings.vector3("cells");
              for (int a = 0; a < 3; ++a) {
                if (!(cells[a] >= 1 && cells[a] <= 1e6) || cells[a] != std::floor(cells[a]))
                  throw InputError("cells", std::to_string(cells[a]) + " must be a whole number in [1, 1000000]");
                options.cells[a] = static_cast<int>(cells[a]);
              }
              options.pattern = pattern_of(settings.text("pattern"));
              options.center = settings.vector3("center");
              return box(options);
            });
          }};
}

}  // namespace resilin
