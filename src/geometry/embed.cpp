// Barycentric embedding. The closest tet is found through a tree of boxes.
#include <cassert>
#include <limits>

#include "geometry/box_tree.h"
#include "geometry/triangle_bvh.h"
#include "resilin/embedding.h"
#include "resilin/watch.h"

namespace resilin {
namespace {

using Weights = std::array<double, 4>;

Weights weights_in(const std::array<Vec3, 4>& x, const Vec3& p) {
  const double volume = det(x[0], x[1], x[2], x[3]);
  Weights w;
  w[1] = det(x[0], p, x[2], x[3]) / volume;
  w[2] = det(x[0], x[1], p, x[3]) / volume;
  w[3] = det(x[0], x[1], x[2], p) / volume;
  w[0] = 1 - w[1] - w[2] - w[3];
  return w;
}

// 0 inside.
double squared_distance(const std::array<Vec3, 4>& x, const Weights& w, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 4; ++k) {
    if (w[k] >= 0) continue;  // p is on the inner side of the face opposite to k
    const Vec3 d = p - closest_on_triangle(p, x[(k + 1) % 4], x[(k + 2) % 4], x[(k + 3) % 4]);
    least = std::min(least, dot(d, d));
  }
  return least == std::numeric_limits<double>::infinity() ? 0 : least;
}

std::vector<Bounds> boxes_of(const TetMesh& mesh) {
  std::vector<Bounds> out;
  for (int t = 0; t < mesh.tet_count(); ++t) out.push_back(box_of(corners(mesh, t)));
  return out;
}

}  // namespace

void Embedding::place(std::span<const int> tets, std::span<const double> values, std::vector<double>& out,
                      int components) const {
  out.reserve(out.size() + tet.size() * static_cast<std::size_t>(components));
  for (std::size_t i = 0; i < tet.size(); ++i) {
    const int* v = &tets[4 * tet[i]];
    for (int c = 0; c < components; ++c) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += weights[i][k] * values[static_cast<std::size_t>(v[k]) * components + c];
      out.push_back(sum);
    }
  }
}

Embedding embed(const TetMesh& cage, TriangleMesh surface) {
  assert(cage.tet_count() > 0);
  const BoxTree tree(boxes_of(cage));
  Embedding out;
  for (int i = 0; i < surface.vertex_count(); ++i) {
    if (i % 1024 == 0) watch_check();
    const Vec3 p = vertex_at(surface.vertices, i);
    double limit = std::numeric_limits<double>::infinity();
    int best = -1;
    Weights weights{};
    tree.search(p, limit, [&](int t) {
      if (limit == 0) return;
      const auto x = corners(cage, t);
      const Weights w = weights_in(x, p);
      const double squared = squared_distance(x, w, p);
      if (best >= 0 && !(squared < limit)) return;
      limit = squared, best = t, weights = w;
    });
    out.tet.push_back(best);
    out.weights.push_back(weights);
  }
  out.surface = std::move(surface);
  return out;
}

}  // namespace resilin
