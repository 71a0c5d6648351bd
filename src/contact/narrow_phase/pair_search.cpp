#include "contact/narrow_phase/pair_search.h"

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/closest_points.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

// ---- the two kinds of pairs: closest points, and two directions that span both parts

struct VertexTriangleKind {
  RESILIN_INLINE static ClosestPoints<Pack> closest(const Pack x[4][3], Pack u[3], Pack v[3]) {
    detail::minus(x[2], x[1], u), detail::minus(x[3], x[1], v);
    return closest_vertex_triangle<Pack>(x[0], x[1], x[2], x[3]);
  }
  RESILIN_INLINE static Pack s(const ClosestPoints<Pack>& c) { return -c.weight[2]; }
};

struct EdgeEdgeKind {
  RESILIN_INLINE static ClosestPoints<Pack> closest(const Pack x[4][3], Pack u[3], Pack v[3]) {
    detail::minus(x[1], x[0], u), detail::minus(x[3], x[2], v);
    return closest_edge_edge<Pack>(x[0], x[1], x[2], x[3]);
  }
  RESILIN_INLINE static Pack s(const ClosestPoints<Pack>& c) { return c.weight[1]; }
};

// ---- where parts touch

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

/// Where the points coincide but for round-off, the difference has no direction: the normal of both parts takes its
/// place, or what is perpendicular to the longer of two that are parallel or flat. It keeps the side that the
/// difference still tells.
Vec3 touching_normal(const Vec3& u, const Vec3& v, const Vec3& difference) {
  const double uu = dot(u, u), vv = dot(v, v);
  Vec3 n = cross(u, v);
  const double nn = dot(n, n);
  n = nn > 1e-28 * uu * vv ? 1 / std::sqrt(nn) * n : across(uu >= vv ? u : v);
  return dot(n, difference) < 0 ? -1.0 * n : n;
}

Vec3 lane_of(const Pack x[3], int l) { return {x[0][l], x[1][l], x[2][l]}; }

template <class T>
void ensure_size(std::vector<T>& list, std::size_t size) {
  if (list.size() < size) list.resize(2 * size);
}

}  // namespace

void FoundPairs::make_room(int more) {
  const std::size_t size = count + more + lanes;
  for (auto& list : values) ensure_size(list, size);
  ensure_size(order, size);
}

void PairSearch::Candidates::make_room(int more) {
  const std::size_t size = count + more + lanes;
  ensure_size(first, size), ensure_size(second, size);
  for (auto& list : rows) ensure_size(list, size);
}

void PairSearch::collect_triangles(const SurfaceTree& tree, const Cluster& cluster, float limit) {
  Candidates& c = candidates_;
  c.count = 0;
  for (int row = cluster.first_row; row < cluster.rows_end; ++row) {
    const FloatBox box = tree.row_box(row);
    c.make_room(near_.triangles());
    int* second = c.second.data() + c.count;
    int* corners[3] = {c.rows[1].data() + c.count, c.rows[2].data() + c.count, c.rows[3].data() + c.count};
    int count = 0;
    near_.visit(box, limit, ClusterPairs::any_edge, [&](const Cluster& other) {
      for (int i = other.first_triangles; i < other.triangles_end; ++i) {
        const TrianglePack& pack = tree.triangles()[i];
        const unsigned hits = lane_bits(near(pack.boxes, box, limit) & (pack.corners[0] != row) &
                                        (pack.corners[1] != row) & (pack.corners[2] != row));
        write_lanes(second + count, pack.id, hits);
        for (int k = 0; k < 3; ++k) write_lanes(corners[k] + count, pack.corners[k], hits);
        count += __builtin_popcount(hits);
      }
    });
    std::fill_n(c.first.data() + c.count, count, row);
    c.count += count;
  }
}

void PairSearch::collect_edges(const SurfaceTree& tree, const Cluster& cluster, float limit) {
  Candidates& c = candidates_;
  c.count = 0;
  for (int slot = lanes * cluster.first_edges; slot < lanes * cluster.edges_end; ++slot) {
    const EdgePack& own = tree.edges()[slot / lanes];
    const int l = slot % lanes, id = own.id[l], a = own.corners[0][l], b = own.corners[1][l];
    if (id < 0) break;
    const FloatBox box = own.boxes.at(l);
    c.make_room(near_.edges());
    int* second = c.second.data() + c.count;
    int* ends[2] = {c.rows[2].data() + c.count, c.rows[3].data() + c.count};
    int count = 0;
    near_.visit(box, limit, id, [&](const Cluster& other) {
      for (int i = other.first_edges; i < other.edges_end; ++i) {
        const EdgePack& pack = tree.edges()[i];
        const auto& [c0, c1] = pack.corners;
        const Int8 apart = (c0 != a) & (c0 != b) & (c1 != a) & (c1 != b) & (pack.id > id);
        const unsigned hits = lane_bits(near(pack.boxes, box, limit) & apart);
        write_lanes(second + count, pack.id, hits);
        for (int k = 0; k < 2; ++k) write_lanes(ends[k] + count, pack.corners[k], hits);
        count += __builtin_popcount(hits);
      }
    });
    std::fill_n(c.first.data() + c.count, count, id);
    std::fill_n(c.rows[0].data() + c.count, count, a);
    std::fill_n(c.rows[1].data() + c.count, count, b);
    c.count += count;
  }
}

template <class Kind>
void PairSearch::measure(const SurfaceTree& tree, double radius, FoundPairs& found, FoundRange* ranges) {
  constexpr bool vertex = std::is_same_v<Kind, VertexTriangleKind>;
  Candidates& c = candidates_;
  const int* rows[4] = {vertex ? c.first.data() : c.rows[0].data(), c.rows[1].data(), c.rows[2].data(),
                        c.rows[3].data()};
  for (auto& list : c.rows) std::fill_n(list.begin() + c.count, lanes, 0);
  std::fill_n(c.first.begin() + c.count, lanes, 0);
  found.make_room(c.count);
  double* values[found_values];
  for (int k = 0; k < found_values; ++k) values[k] = found.values[k].data();
  std::uint64_t* order = found.order.data();
  int count = found.count;
  for (int i = 0; i < c.count; i += lanes) {
    Pack x[4][3], u[3], v[3];
    for (int k = 0; k < 4; ++k) gather_vertices<1>(tree.positions(), rows[k] + i, &x[k]);
    const ClosestPoints<Pack> closest = Kind::closest(x, u, v);
    const Pack distance = sqrt(closest.squared), scale = 1.0 / distance;
    unsigned bits = lane_bits(distance < radius);
    if (c.count - i < lanes) bits &= (1u << (c.count - i)) - 1;
    if (bits == 0) continue;
    write_lanes(values[found_s] + count, Kind::s(closest), bits);
    write_lanes(values[found_t] + count, -closest.weight[3], bits);
    write_lanes(values[found_distance] + count, distance, bits);
    for (int k = 0; k < 3; ++k) write_lanes(values[found_normal + k] + count, scale * closest.difference[k], bits);
    const unsigned noise = lane_bits(closest.squared <= 1e-28 * (detail::dot(u, u) + detail::dot(v, v)));
    for (; bits != 0; bits &= bits - 1) {
      const int l = __builtin_ctz(bits);
      if ((noise >> l & 1) != 0) {
        const Vec3 n = touching_normal(lane_of(u, l), lane_of(v, l), lane_of(closest.difference, l));
        for (int k = 0; k < 3; ++k) values[found_normal + k][count] = n[k];
      }
      ++ranges[c.first[i + l]].count;
      order[count] = (static_cast<std::uint64_t>(c.second[i + l]) << 32) + static_cast<std::uint64_t>(count);
      ++count;
    }
  }
  found.count = count;
}

void PairSearch::search(const SurfaceTree& tree, int index, std::span<const int> bodies, double radius,
                        const Clusters& clusters, SearchTarget& target) {
  const Cluster& cluster = tree.clusters()[index];
  const float limit = squared_limit(radius);
  if (!clusters) near_.collect(tree, cluster.box, bodies, limit);
  else near_.collect(tree, cluster.box, bodies, limit, [&](int other) { return clusters(index, other); });

  const auto sorted = [](FoundPairs& found, FoundRange& range, int start) {
    range.start = start;
    const auto first = found.order.begin() + start;
    std::sort(first, first + range.count);
    return start + range.count;
  };
  collect_triangles(tree, cluster, limit);
  for (int row = cluster.first_row; row < cluster.rows_end; ++row) target.of_row[row].count = 0;
  int start = vertex_triangle.count;
  measure<VertexTriangleKind>(tree, radius, vertex_triangle, target.of_row.data());
  for (int row = cluster.first_row; row < cluster.rows_end; ++row)
    start = sorted(vertex_triangle, target.of_row[row], start);

  collect_edges(tree, cluster, limit);
  const auto for_edges = [&](auto&& run) {
    each_part(tree.edges(), cluster.first_edges, cluster.edges_end,
              [&](const EdgePack& pack, int l) { run(target.of_edge[pack.id[l]]); });
  };
  for_edges([](FoundRange& range) { range.count = 0; });
  start = edge_edge.count;
  measure<EdgeEdgeKind>(tree, radius, edge_edge, target.of_edge.data());
  for_edges([&](FoundRange& range) { start = sorted(edge_edge, range, start); });
}

}  // namespace resilin
