#include "contact/narrow_phase/intersections.h"

#include <algorithm>

#include "geometry/self_intersection.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

constexpr int clusters_per_part = 16;

bool crosses(const Vec3& from, const Vec3& to, const Corners& t) {
  if (orientation(t[0], t[1], t[2], from) * orientation(t[0], t[1], t[2], to) >= 0) return false;
  const int side = orientation(from, to, t[0], t[1]);
  return side != 0 && orientation(from, to, t[1], t[2]) == side && orientation(from, to, t[2], t[0]) == side;
}

}  // namespace

IntersectionFinder::IntersectionFinder(const ContactSurface& surface, const double* rest) : tree_(surface, rest) {
  parts_.resize((tree_.clusters().size() + clusters_per_part - 1) / clusters_per_part);
}

bool IntersectionFinder::find(const double* x, ThreadPool& pool, std::vector<Intersection>& out) {
  out.clear();
  if (!tree_.refit(x, pool)) return false;
  tree_.near_bodies(squared_limit(0), {}, near_bodies_);
  pool.parallel(static_cast<int>(parts_.size()), [&](int index) {
    Part& part = parts_[index];
    part.found.clear();
    const int end = std::min(static_cast<int>(tree_.clusters().size()), (index + 1) * clusters_per_part);
    for (int c = index * clusters_per_part; c < end; ++c) search(tree_.clusters()[c], part);
  });
  for (const Part& part : parts_) out.insert(out.end(), part.found.begin(), part.found.end());
  std::sort(out.begin(), out.end());
  return true;
}

void IntersectionFinder::search(const Cluster& cluster, Part& part) const {
  const float limit = squared_limit(0);
  const auto at = [&](int row) {
    const double* p = tree_.positions() + 4 * static_cast<std::size_t>(row);
    return Vec3{p[0], p[1], p[2]};
  };
  part.near.collect(tree_, cluster.box, near_bodies_[cluster.body], limit);
  for (int slot = lanes * cluster.first_edges; slot < lanes * cluster.edges_end; ++slot) {
    const EdgePack& own = tree_.edges()[slot / lanes];
    const int l = slot % lanes, a = own.corners[0][l], b = own.corners[1][l];
    if (own.id[l] < 0) break;
    const FloatBox box = own.boxes.at(l);
    part.near.visit(box, limit, ClusterPairs::any_edge, [&](const Cluster& other) {
      for (int i = other.first_triangles; i < other.triangles_end; ++i) {
        const TrianglePack& pack = tree_.triangles()[i];
        // A common vertex makes a sign exactly zero, which takes long to find out.
        Int8 wanted = near(pack.boxes, box, limit);
        for (const Int8& corner : pack.corners) wanted &= (corner != a) & (corner != b);
        for (unsigned bits = lane_bits(wanted); bits != 0; bits &= bits - 1) {
          const int k = __builtin_ctz(bits);
          if (crosses(at(a), at(b), {at(pack.corners[0][k]), at(pack.corners[1][k]), at(pack.corners[2][k])}))
            part.found.push_back({own.id[l], pack.id[k]});
        }
      }
    });
  }
}

std::vector<Intersection> crossings(const ContactSurface& surface, const double* x) {
  ThreadPool pool(1);
  std::vector<Intersection> out;
  if (!IntersectionFinder(surface, x).find(x, pool, out))
    throw InputError("positions", "not a number, or larger than 1e15 m: crossings need finite positions");
  return out;
}

}  // namespace resilin
