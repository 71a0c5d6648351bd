#include "contact/pair_search.h"

#include <algorithm>
#include <cmath>

#include "contact/closest_points.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr Int8 lane_numbers = {0, 1, 2, 3, 4, 5, 6, 7};

// ---- the two kinds of pairs: vertices of a candidate, its closest points, two directions that span both parts ------------------

struct VertexTriangleKind {
  static int key(const SurfaceTree&, int first) { return first; }
  static int second_id(const SurfaceTree& tree, int second) {
    return tree.triangles()[second / lanes].id[second % lanes];
  }
  static void rows(const SurfaceTree& tree, int first, int second, int* to) {
    const TrianglePack& pack = tree.triangles()[second / lanes];
    to[0] = first;
    for (int k = 0; k < 3; ++k) to[(k + 1) * lanes] = pack.corners[k][second % lanes];
  }
  RESILIN_INLINE static ClosestPoints<Pack> closest(const Pack x[4][3], Pack u[3], Pack v[3]) {
    detail::minus(x[2], x[1], u), detail::minus(x[3], x[1], v);
    return closest_vertex_triangle<Pack>(x[0], x[1], x[2], x[3]);
  }
  RESILIN_INLINE static Pack s(const ClosestPoints<Pack>& c) { return -c.weight[2]; }
};

struct EdgeEdgeKind {
  static int key(const SurfaceTree& tree, int first) { return tree.edges()[first / lanes].id[first % lanes]; }
  static int second_id(const SurfaceTree& tree, int second) { return key(tree, second); }
  static void rows(const SurfaceTree& tree, int first, int second, int* to) {
    const EdgePack &a = tree.edges()[first / lanes], &b = tree.edges()[second / lanes];
    for (int k = 0; k < 2; ++k) {
      to[k * lanes] = a.ends[k][first % lanes];
      to[(k + 2) * lanes] = b.ends[k][second % lanes];
    }
  }
  RESILIN_INLINE static ClosestPoints<Pack> closest(const Pack x[4][3], Pack u[3], Pack v[3]) {
    detail::minus(x[1], x[0], u), detail::minus(x[3], x[2], v);
    return closest_edge_edge<Pack>(x[0], x[1], x[2], x[3]);
  }
  RESILIN_INLINE static Pack s(const ClosestPoints<Pack>& c) { return c.weight[1]; }
};

// ---- where parts touch --------------------------------------------------------------------------------------------------------

/// Perpendicular to `u`, unit; any direction when u is zero.
Vec3 across(const Vec3& u) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(u[k]) < std::abs(u[least])) least = k;
  Vec3 axis{0, 0, 0};
  axis[least] = 1;
  const Vec3 n = cross(u, axis);
  const double size = norm(n);
  return size > 0 ? 1 / size * n : axis;
}

/// Where the points coincide but for round-off, the difference has no direction: the normal of both parts takes its place, or what is
/// perpendicular to the longer of two that are parallel or flat. It keeps the side that the difference still tells.
Vec3 touching_normal(const Vec3& u, const Vec3& v, const Vec3& difference) {
  const double uu = dot(u, u), vv = dot(v, v);
  Vec3 n = cross(u, v);
  const double nn = dot(n, n);
  n = nn > 1e-28 * uu * vv ? 1 / std::sqrt(nn) * n : across(uu >= vv ? u : v);
  return dot(n, difference) < 0 ? -1.0 * n : n;
}

Vec3 lane_of(const Pack x[3], int l) { return {x[0][l], x[1][l], x[2][l]}; }

}  // namespace

void PairSearch::make_room(int more) {
  const std::size_t needed = static_cast<std::size_t>(count_) + static_cast<std::size_t>(more);
  if (needed <= first_.size()) return;
  first_.resize(2 * needed);
  second_.resize(2 * needed);
}

void PairSearch::collect_neighbours(const SurfaceTree& tree, const Cluster& cluster, std::span<const int> bodies,
                                    float limit) {
  neighbours_.clear();
  neighbour_boxes_.clear();
  neighbour_triangles_ = neighbour_edges_ = lanes;
  for (const int body : bodies)
    tree.visit_near(body, cluster.box, limit, [&](int other) {
      const int lane = static_cast<int>(neighbours_.size()) % lanes;
      if (lane == 0) {
        neighbour_boxes_.emplace_back();
        neighbour_boxes_.back().clear();
      }
      const Cluster& near_by = tree.clusters()[other];
      neighbour_boxes_.back().set(lane, near_by.box);
      neighbour_triangles_ += lanes * (near_by.triangles_end - near_by.first_triangles);
      neighbour_edges_ += lanes * (near_by.edges_end - near_by.first_edges);
      neighbours_.push_back(other);
    });
}

void PairSearch::collect_triangles(const SurfaceTree& tree, const Cluster& cluster, float limit) {
  count_ = 0;
  for (int row = cluster.first_row; row < cluster.rows_end; ++row) {
    const FloatBox box = tree.row_box(row);
    make_room(neighbour_triangles_);
    for (std::size_t n = 0; n < neighbour_boxes_.size(); ++n)
      for (unsigned bits = lane_bits(near(neighbour_boxes_[n], box, limit)); bits != 0; bits &= bits - 1) {
        const Cluster& other = tree.clusters()[neighbours_[lanes * n + __builtin_ctz(bits)]];
        for (int i = other.first_triangles; i < other.triangles_end; ++i) {
          const TrianglePack& pack = tree.triangles()[i];
          const unsigned hits = lane_bits(near(pack.boxes, box, limit) & (pack.corners[0] != row) &
                                          (pack.corners[1] != row) & (pack.corners[2] != row));
          std::fill_n(&first_[count_], lanes, row);
          count_ += write_lanes(&second_[count_], lanes * i + lane_numbers, hits);
        }
      }
  }
}

void PairSearch::collect_edges(const SurfaceTree& tree, const Cluster& cluster, float limit) {
  count_ = 0;
  for (int slot = lanes * cluster.first_edges; slot < lanes * cluster.edges_end; ++slot) {
    const EdgePack& own = tree.edges()[slot / lanes];
    const int l = slot % lanes, id = own.id[l], a = own.ends[0][l], b = own.ends[1][l];
    if (id < 0) break;
    const FloatBox box = own.boxes.at(l);
    make_room(neighbour_edges_);
    for (std::size_t n = 0; n < neighbour_boxes_.size(); ++n)
      for (unsigned bits = lane_bits(near(neighbour_boxes_[n], box, limit)); bits != 0; bits &= bits - 1) {
        const Cluster& other = tree.clusters()[neighbours_[lanes * n + __builtin_ctz(bits)]];
        if (other.last_edge <= id) continue;
        for (int i = other.first_edges; i < other.edges_end; ++i) {
          const EdgePack& pack = tree.edges()[i];
          const Int8 apart = (pack.ends[0] != a) & (pack.ends[0] != b) & (pack.ends[1] != a) & (pack.ends[1] != b) &
                             (pack.id > id);
          const unsigned hits = lane_bits(near(pack.boxes, box, limit) & apart);
          std::fill_n(&first_[count_], lanes, slot);
          count_ += write_lanes(&second_[count_], lanes * i + lane_numbers, hits);
        }
      }
  }
}

template <class Kind>
void PairSearch::measure(const SurfaceTree& tree, double radius, FoundPairs& found,
                         std::vector<FoundRange>& ranges) {
  // Rounding up what is compared with, so that no distance below the radius is lost by that of its square.
  const double limit = radius * radius * (1 + 1e-14);
  for (int i = 0; i < count_; i += lanes) {
    const int filled = std::min(lanes, count_ - i);
    int rows[4 * lanes];
    for (int l = 0; l < lanes; ++l) {
      const int at = l < filled ? i + l : i;
      Kind::rows(tree, first_[at], second_[at], rows + l);
    }
    Pack x[4][3], u[3], v[3];
    gather_vertices<4>(tree.positions(), rows, x);
    const ClosestPoints<Pack> closest = Kind::closest(x, u, v);
    unsigned bits = lane_bits(closest.squared < limit) & ((1u << filled) - 1);
    if (bits == 0) continue;
    const Pack distance = sqrt(closest.squared), scale = 1.0 / distance;
    const Pack values[6] = {Kind::s(closest),
                            -closest.weight[3],
                            distance,
                            scale * closest.difference[0],
                            scale * closest.difference[1],
                            scale * closest.difference[2]};
    const unsigned noise = lane_bits(closest.squared <= 1e-28 * (detail::dot(u, u) + detail::dot(v, v)));
    for (; bits != 0; bits &= bits - 1) {
      const int l = __builtin_ctz(bits);
      if (!(values[2][l] < radius)) continue;
      FoundPair pair{values[0][l], values[1][l], values[2][l], {values[3][l], values[4][l], values[5][l]}};
      if ((noise >> l & 1) != 0 || values[2][l] == 0) {
        const Vec3 n = touching_normal(lane_of(u, l), lane_of(v, l), lane_of(closest.difference, l));
        std::copy(n.begin(), n.end(), pair.normal);
      }
      ++ranges[Kind::key(tree, first_[i + l])].count;
      found.order.push_back((static_cast<std::uint64_t>(Kind::second_id(tree, second_[i + l])) << 32) +
                            found.pairs.size());
      found.pairs.push_back(pair);
    }
  }
}

void PairSearch::search(const SurfaceTree& tree, int index, std::span<const int> bodies, double radius,
                        SearchTarget& target) {
  const Cluster& cluster = tree.clusters()[index];
  const float limit = squared_limit(radius);
  collect_neighbours(tree, cluster, bodies, limit);

  const auto sorted = [](FoundPairs& found, FoundRange& range, int start) {
    range.start = start;
    const auto first = found.order.begin() + start;
    std::sort(first, first + range.count);
    return start + range.count;
  };
  collect_triangles(tree, cluster, limit);
  for (int row = cluster.first_row; row < cluster.rows_end; ++row) target.of_row[row].count = 0;
  int start = static_cast<int>(vertex_triangle.order.size());
  measure<VertexTriangleKind>(tree, radius, vertex_triangle, target.of_row);
  for (int row = cluster.first_row; row < cluster.rows_end; ++row)
    start = sorted(vertex_triangle, target.of_row[row], start);

  collect_edges(tree, cluster, limit);
  const auto for_edges = [&](auto&& run) {
    for (int slot = lanes * cluster.first_edges; slot < lanes * cluster.edges_end; ++slot) {
      const int id = EdgeEdgeKind::key(tree, slot);
      if (id >= 0) run(target.of_edge[id]);
    }
  };
  for_edges([](FoundRange& range) { range.count = 0; });
  start = static_cast<int>(edge_edge.order.size());
  measure<EdgeEdgeKind>(tree, radius, edge_edge, target.of_edge);
  for_edges([&](FoundRange& range) { start = sorted(edge_edge, range, start); });
}

}  // namespace resilin
