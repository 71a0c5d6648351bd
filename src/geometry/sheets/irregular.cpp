// A flat rectangle with triangles of no pattern, as meshing programs make them: a regular grid whose vertices are
// shaken, and a Delaunay triangulation after each shake, until nothing of the grid is left.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "geometry/delaunay.h"
#include "geometry/shapes/shape_support.h"
#include "geometry/vec3.h"
#include "resilin/sheets.h"

namespace resilin {
namespace {

constexpr int shakes = 4, smoothings = 4;
constexpr double stride = 0.45;        // of the spacing: largest step of a shake
constexpr double least_quality = 0.6;  // 1: equal sides, 0: flat; a shake leaves nothing worse

void check_options(const IrregularOptions& options) {
  for (const double size : options.size) require_positive(size, "size");
  require_positive(options.spacing, "spacing");
  require_finite(options.center, "center");
  if (!(options.jitter >= 0) || options.jitter > 1)
    throw InputError("jitter", fmt::format("{} must be in 0..1", options.jitter));
  if (options.size[0] / options.spacing * (options.size[1] / options.spacing) > 2e7)
    throw InputError("spacing", fmt::format("{} is too fine: more than 20 million vertices", options.spacing));
}

// Moves vertices one by one; those of the sides stay where they are.
class Shaker {
 public:
  Shaker(TriangleMesh& mesh, const IrregularOptions& options)
      : mesh_(mesh),
        step_(stride * options.jitter * options.spacing),
        random_(static_cast<std::uint32_t>(options.seed)),
        fixed_(static_cast<std::size_t>(mesh.vertex_count()), 0) {
    for (const char* side : {"x_min", "x_max", "y_min", "y_max"})
      for (const int v : mesh.vertex_groups.at(side)) fixed_[v] = 1;
  }

  void shake() {
    around_ = triangles_around();
    for (int v = 0; v < mesh_.vertex_count(); ++v) {
      const double x = uniform(), y = uniform();
      move(v, vertex_at(mesh_.vertices, v) + Vec3{step_ * x, step_ * y, 0});
    }
  }

  // Towards the middle of its neighbours.
  void smooth() {
    around_ = triangles_around();
    for (int v = 0; v < mesh_.vertex_count(); ++v) {
      Vec3 sum{};
      for (const int t : around_[v])
        for (const Vec3& corner : corners(mesh_, t)) sum = sum + corner;
      const auto count = static_cast<double>(around_[v].size());
      const Vec3 at = vertex_at(mesh_.vertices, v), middle = 1 / (2 * count) * (sum - count * at);
      move(v, 0.5 * (at + middle));
    }
  }

 private:
  std::vector<std::vector<int>> triangles_around() const {
    std::vector<std::vector<int>> out(static_cast<std::size_t>(mesh_.vertex_count()));
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i)
      out[mesh_.triangles[i]].push_back(static_cast<int>(i / 3));
    return out;
  }

  double uniform() { return 2 * (random_() / 4294967296.0) - 1; }

  // The worst quality of its triangles: 4 sqrt(3) area over the sum of squared edges.
  double worst_around(int v) const {
    double out = least_quality;
    for (const int t : around_[v]) {
      const auto c = corners(mesh_, t);
      const Vec3 a = c[1] - c[0], b = c[2] - c[0], d = c[2] - c[1];
      out = std::min(out, 2 * std::sqrt(3.0) * cross(a, b)[2] / (dot(a, a) + dot(b, b) + dot(d, d)));
    }
    return out;
  }

  // Not at all where a triangle would become bad, or worse than it is.
  void move(int v, const Vec3& to) {
    if (fixed_[v] != 0) return;
    const auto first = 3 * static_cast<std::size_t>(v);
    const Vec3 from = vertex_at(mesh_.vertices, v);
    const double before = worst_around(v);
    for (std::size_t k = 0; k < 2; ++k) mesh_.vertices[first + k] = to[k];
    if (worst_around(v) >= before) return;
    for (std::size_t k = 0; k < 2; ++k) mesh_.vertices[first + k] = from[k];
  }

  TriangleMesh& mesh_;
  double step_;
  std::mt19937 random_;  // its numbers are the same everywhere
  std::vector<char> fixed_;
  std::vector<std::vector<int>> around_;
};

}  // namespace

TriangleMesh irregular_sheet(const IrregularOptions& options) {
  check_options(options);
  const auto cells = [&](double length) { return std::max(1, static_cast<int>(std::lround(length))); };
  TriangleMesh mesh = grid_sheet(
      {options.size,
       {cells(options.size[0] / options.spacing), cells(options.size[1] / (options.spacing * std::sqrt(3.0) / 2))},
       GridPattern::regular,
       options.center});
  Shaker shaker(mesh, options);
  for (int i = 0; i < shakes && options.jitter > 0; ++i) shaker.shake(), flip_to_delaunay(mesh);
  for (int i = 0; i < smoothings && options.jitter > 0; ++i) shaker.smooth(), flip_to_delaunay(mesh);
  return mesh;
}

SheetPlugin sheet_irregular() {
  return {"A flat rectangle in the xy-plane with triangles of no pattern, as meshing programs make them.",
          {numbers("size", "m", {1, 1}, positive(), "extent along x and y"),
           number("spacing", "m", 0.1, positive(), "wanted length of edges"),
           number("jitter", "", 1, between(0, 1), "how irregular; 0: a regular pattern"),
           integer("seed", 1, between(0, 2147483647), "seed of the random numbers"), center_param()},
          [](const Settings& s) {
            return located(s, [&] {
              return irregular_sheet({pair_of(s, "size"), s.number("spacing"), s.number("jitter"),
                                      s.integer("seed"), s.vector3("center")});
            });
          }};
}

}  // namespace resilin
