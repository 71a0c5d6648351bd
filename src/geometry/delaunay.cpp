#include "geometry/delaunay.h"

#include <vector>

#include "geometry/surface_patches.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double flat_angle =
    1e-12;  // [rad] beyond 180 degrees that is left: rounding must not flip an edge back and forth

// Side 3 t + k of a triangle lies opposite to its corner k; `across`: the same edge seen from the other side, -1 at
// the boundary.
class Flips {
 public:
  explicit Flips(TriangleMesh& mesh)
      : x_(mesh.vertices), corner_(mesh.triangles), across_(mesh.triangles.size(), -1) {
    const auto edges = sorted_half_edges(corner_, std::vector<bool>(corner_.size() / 3, true));
    for_each_edge(edges, [&](std::span<const HalfEdge> edge) {
      if (edge.size() != 2) return;
      const int one = side(edge[0]), other = side(edge[1]);
      across_[one] = other, across_[other] = one;
    });
  }

  int run() {
    int count = 0;
    std::vector<int> open(corner_.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = static_cast<int>(i);
    while (!open.empty()) {
      const int s = open.back();
      open.pop_back();
      if (across_[s] < 0 || !is_wrong(s)) continue;
      flip(s, open);
      ++count;
    }
    return count;
  }

 private:
  static int next(int s) { return s % 3 == 2 ? s - 2 : s + 1; }
  static int previous(int s) { return s % 3 == 0 ? s + 2 : s - 1; }

  int side(const HalfEdge& edge) const {
    int s = 3 * edge.triangle;
    while (corner_[s] == edge.a || corner_[s] == edge.b) ++s;
    return s;
  }

  // sin of the sum of the angles at the corners that face the edge.
  bool is_wrong(int s) const {
    const Vec3 a = vertex_at(x_, corner_[next(s)]), b = vertex_at(x_, corner_[previous(s)]);
    const Vec3 c = vertex_at(x_, corner_[s]), d = vertex_at(x_, corner_[across_[s]]);
    const auto cosine = [](const Vec3& u, const Vec3& v) { return u[0] * v[0] + u[1] * v[1]; };
    const auto sine = [](const Vec3& u, const Vec3& v) { return u[0] * v[1] - u[1] * v[0]; };
    const Vec3 ca = a - c, cb = b - c, da = a - d, db = b - d;
    const double sum = sine(ca, cb) * cosine(db, da) + cosine(ca, cb) * sine(db, da);
    return sum < -flat_angle * norm(ca) * norm(cb) * norm(da) * norm(db);
  }

  void join(int s, int other) {
    across_[s] = other;
    if (other >= 0) across_[other] = s;
  }

  // Triangles (c, a, b) and (d, b, a) become (c, a, d) and (d, b, c): the edge from a to b is now the one from c to
  // d.
  void flip(int s, std::vector<int>& open) {
    const int o = across_[s], s1 = next(s), s2 = previous(s), o1 = next(o), o2 = previous(o);
    const int c = corner_[s], d = corner_[o];
    const int beside_s = across_[s1], beside_o = across_[o1];  // of the edges b c and a d
    corner_[s2] = d, corner_[o2] = c;
    join(s, beside_o), join(o, beside_s);
    join(s1, o1);
    for (const int changed : {s, s2, o, o2}) open.push_back(changed);
  }

  const std::vector<double>& x_;
  std::vector<int>& corner_;
  std::vector<int> across_;
};

}  // namespace

int flip_to_delaunay(TriangleMesh& mesh) { return Flips(mesh).run(); }

}  // namespace resilin
