#include "contact/islands/separation_proof.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "contact/broad_phase/body_boxes.h"
#include "contact/narrow_phase/closest_points.h"
#include "geometry/vec3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double searched = 2.5;                    // radii: R
constexpr double beside = 3, beside_spheres = 0.5;  // radii, and parts of both spheres, between neighbours' spheres
constexpr double flat = 0.05;                       // height over length of a triangle that is no frame
constexpr int group_clusters = 16, clusters_per_part = 64;
constexpr int most_vertices = 64;  // of a cluster: sixteen triangles have 48 corners

Vec3 times(const double* m, const Vec3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}
double gap(const Bounds& a, const Bounds& b) { return std::sqrt(squared_distance(a, b)); }

double squared_difference(const double a[9], const double b[9]) {
  double sum = 0;
  for (int k = 0; k < 9; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

}  // namespace

SeparationProof::SeparationProof(const ContactSurface& surface, const Model& model, const PairList& list)
    : model_(model), list_(list), radius_(list.full_radius()) {
  const SurfaceTree tree(surface, model.rest.data());
  add_clusters(surface, tree);
  find_neighbours(surface, tree);
  shapes_.resize(clusters_.size()), ways_.resize(clusters_.size());
  boxes_.resize(surface.body_count);
  finder_ = std::make_unique<PairFinder>(surface, model.rest.data(),
                                         [this](int a, int b) { return a == b && a == asked_; });
  close_.resize(boxes_.size());
  ThreadPool alone(1);
  for (int body = 0; body < surface.body_count; ++body) renew(body, model.rest.data(), alone);
}

void SeparationProof::add_clusters(const ContactSurface& surface, const SurfaceTree& tree) {
  first_cluster_.assign(surface.body_count + 1, 0);
  std::vector<int> rows;
  int offsets = 0;
  for (const auto& from : tree.clusters()) {
    rows.clear();
    for (int row = from.first_row; row < from.rows_end; ++row) rows.push_back(row);
    const auto add_corners = [&](const auto& pack, int l) {
      for (const Int8& corner : pack.corners) rows.push_back(corner[l]);
    };
    each_part(tree.edges(), from.first_edges, from.edges_end, add_corners);
    each_part(tree.triangles(), from.first_triangles, from.triangles_end, add_corners);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    Cluster cluster{};
    cluster.body = from.body;
    cluster.first = static_cast<int>(vertices_.size());
    for (const int row : rows) vertices_.push_back(tree.vertex_of_row()[row]);
    cluster.end = static_cast<int>(vertices_.size());
    assert(cluster.end - cluster.first <= most_vertices);
    cluster.first_offset = offsets;
    offsets += (cluster.end - cluster.first + lanes - 1) / lanes * lanes;
    clusters_.push_back(cluster);
    ++first_cluster_[from.body + 1];
  }
  for (std::size_t b = 1; b < first_cluster_.size(); ++b) first_cluster_[b] += first_cluster_[b - 1];
  reference_.resize(3 * vertices_.size()), offsets_.resize(3 * offsets);
  first_group_.assign(1, 0);
  for (std::size_t b = 0; b + 1 < first_cluster_.size(); ++b) {
    for (int c = first_cluster_[b]; c < first_cluster_[b + 1]; c += group_clusters)
      groups_.push_back({c, std::min(c + group_clusters, first_cluster_[b + 1]), {}, {}, 0, 0});
    first_group_.push_back(static_cast<int>(groups_.size()));
  }
  spheres_.resize(4 * group_clusters * groups_.size());
}

// Three vertices far from each other span the plane of a cluster.
void SeparationProof::add_frame(Cluster& cluster) {
  const auto farthest = [&](auto&& measure) {
    int best = cluster.first;
    double most = -1;
    for (int i = cluster.first; i < cluster.end; ++i)
      if (const double d = measure(vertex_at(reference_, i)); d > most) most = d, best = i;
    return best;
  };
  Vec3 sum{0, 0, 0};
  for (int i = cluster.first; i < cluster.end; ++i) sum = sum + vertex_at(reference_, i);
  cluster.centre = (1.0 / (cluster.end - cluster.first)) * sum;
  const int far = farthest([&](const Vec3& x) { return norm(x - cluster.centre); });
  cluster.radius = norm(vertex_at(reference_, far) - cluster.centre);
  const int count = cluster.end - cluster.first, padded = (count + lanes - 1) / lanes * lanes;
  for (int i = 0; i < padded; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      offsets_[3 * cluster.first_offset + k * padded + i] =
          vertex_at(reference_, cluster.first + std::min(i, count - 1))[k] - cluster.centre[k];
  if (cluster.corners[1] == cluster.corners[2]) {  // once: ways must not depend on a reference
    const Vec3 first = vertex_at(reference_, far);
    const int b = farthest([&](const Vec3& x) { return norm(x - first); });
    const Vec3 along = vertex_at(reference_, b) - first;
    const int c = farthest([&](const Vec3& x) { return norm(cross(x - first, along)); });
    cluster.corners[0] = far, cluster.corners[1] = b, cluster.corners[2] = c;
  }
  const auto corner = [&](int i) { return vertex_at(reference_, cluster.corners[i]); };
  const Vec3 u = corner(1) - corner(0), v = corner(2) - corner(0), n = cross(u, v);
  cluster.flat = !(norm(n) > flat * dot(u, u));
  if (cluster.flat) return;
  // Rows of the inverse of (u, v, n/|n|): what a vector has of each.
  const Vec3 unit = (1 / norm(n)) * n, gu = (1 / norm(n)) * cross(v, unit), gv = (1 / norm(n)) * cross(unit, u);
  const Vec3 p = (1 / norm(u)) * u, q = cross(unit, p);
  const double in_plane[4] = {dot(gu, p), dot(gv, p), dot(gu, q), dot(gv, q)};
  for (std::size_t k = 0; k < 3; ++k)
    cluster.inverse[k] = gu[k], cluster.inverse[3 + k] = gv[k], cluster.inverse[6 + k] = unit[k];
  std::copy_n(in_plane, 4, cluster.in_plane);
}

void SeparationProof::find_neighbours(const ContactSurface& surface, const SurfaceTree& tree) {
  of_vertex_.assign(surface.vertex_count, -1);
  of_edge_.assign(surface.edges.size(), -1), of_triangle_.assign(surface.triangles.size(), -1);
  for (int c = 0; c < static_cast<int>(clusters_.size()); ++c) {
    const auto& from = tree.clusters()[c];
    for (int row = from.first_row; row < from.rows_end; ++row) of_vertex_[tree.vertex_of_row()[row]] = c;
    each_part(tree.edges(), from.first_edges, from.edges_end, [&](auto& pack, int l) { of_edge_[pack.id[l]] = c; });
    each_part(tree.triangles(), from.first_triangles, from.triangles_end,
              [&](auto& pack, int l) { of_triangle_[pack.id[l]] = c; });
  }
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    std::copy_n(&model_.rest[3 * vertices_[i]], 3, &reference_[3 * i]);
  for (Cluster& cluster : clusters_) add_frame(cluster);
  first_neighbour_.assign(1, 0);
  for (int a = 0; a < static_cast<int>(clusters_.size()); ++a) {
    const Cluster& own = clusters_[a];
    for (int b = a; b < first_cluster_[own.body + 1]; ++b) {
      const Cluster& other = clusters_[b];
      const double both = own.radius + other.radius;
      if (norm(own.centre - other.centre) < (1 + beside_spheres) * both + beside * radius_)
        neighbours_.push_back({0, 0, 0, 0}), others_.push_back(b);
    }
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
  }
}

// x is the reference of a body from now on. True: none of its parts push each other there.
bool SeparationProof::renew(int body, const double* x, ThreadPool& pool) {
  asked_ = body;
  if (!(radius_ > 0) || !finder_->find(x, searched * radius_, pool, found_)) found_.clear();
  const int first = first_cluster_[body], end = first_cluster_[body + 1];
  for (int c = first; c < end; ++c) {
    Cluster& cluster = clusters_[c];
    for (int i = cluster.first; i < cluster.end; ++i) std::copy_n(x + 3 * vertices_[i], 3, &reference_[3 * i]);
    add_frame(cluster);
  }
  return sort_out(body, x);
}

// A lower bound of the distance of two clusters at x: along a line.
double SeparationProof::separation(int first, int second, const double* x) const {
  const Cluster &a = clusters_[first], &b = clusters_[second];
  const auto corner = [&](int i) { return vertex_at(x, vertices_[i]); };
  const auto middle = [&](const Cluster& c) {
    Vec3 sum{0, 0, 0};
    for (int i = c.first; i < c.end; ++i) sum = sum + corner(i);
    return (1.0 / (c.end - c.first)) * sum;
  };
  const Vec3 line = middle(b) - middle(a);
  double last = -std::numeric_limits<double>::infinity(), next = -last;
  for (int i = a.first; i < a.end; ++i) last = std::max(last, dot(line, corner(i)));
  for (int i = b.first; i < b.end; ++i) next = std::min(next, dot(line, corner(i)));
  return norm(line) > 0 ? (next - last) / norm(line) : 0;
}

// The pairs that were found, by the neighbours they belong to.
bool SeparationProof::sort_out(int body, const double* x) {
  const int first = first_neighbour_[first_cluster_[body]], end = first_neighbour_[first_cluster_[body + 1]];
  for (int c = first_cluster_[body]; c < first_cluster_[body + 1]; ++c)
    for (int i = first_neighbour_[c]; i < first_neighbour_[c + 1]; ++i) {
      Neighbours& n = neighbours_[i];
      n.beyond = std::max(searched * radius_, separation(c, others_[i], x)) - radius_;
      n.spare = n.beyond, n.first = n.end = 0;
    }
  bool apart = true;
  of_found_.assign(found_.size(), -1);
  for (std::size_t p = 0; p < found_.size(); ++p) {
    const ContactPair& pair = found_[p];
    const double own = list_.own_radius(pair, radius_);
    if (!(own > 0)) continue;
    apart = apart && !(pair.distance < own);
    const bool edges = pair.kind == ContactPair::edge_edge;
    const int one = (edges ? of_edge_ : of_vertex_)[pair.first],
              two = (edges ? of_edge_ : of_triangle_)[pair.second];
    const int i = neighbours_at(std::min(one, two), std::max(one, two));
    if (i < 0) continue;
    Neighbours& n = neighbours_[i];
    n.spare = std::min(n.spare, pair.distance - own), ++n.end;
    of_found_[p] = i;
  }
  int count = 0;
  for (int i = first; i < end; ++i) {
    Neighbours& n = neighbours_[i];
    n.first = count, count += n.end, n.end = n.first;
  }
  std::vector<Close>& close = close_[body];
  close.resize(count);
  for (std::size_t p = 0; p < found_.size(); ++p)
    if (of_found_[p] >= 0)
      close[neighbours_[of_found_[p]].end++] = {found_[p].kind, found_[p].vertices,
                                                list_.own_radius(found_[p], radius_)};
  return apart;
}

void SeparationProof::measure(const double* from, const double* to, ThreadPool& pool) {
  const int count = static_cast<int>(clusters_.size());
  pool.parallel((count + clusters_per_part - 1) / clusters_per_part, [&](int part) {
    for (int c = part * clusters_per_part; c < std::min(count, (part + 1) * clusters_per_part); ++c)
      measure(clusters_[c], from, to, shapes_[c]);
  });
}

// Eight vertices at a time; the last stands for those that are missing.
void SeparationProof::measure(const Cluster& cluster, const double* from, const double* to, Shape& shape) const {
  alignas(64) double x[3][most_vertices], step[3][most_vertices];
  Vec3 now{0, 0, 0}, moved{0, 0, 0};
  const int count = cluster.end - cluster.first;
  for (int i = 0; i < count; ++i) {
    const std::size_t v = 3 * vertices_[cluster.first + i];
    for (std::size_t k = 0; k < 3; ++k) {
      x[k][i] = to[v + k], step[k][i] = to[v + k] - from[v + k];
      now[k] += x[k][i], moved[k] += step[k][i];
    }
  }
  const int padded = (count + lanes - 1) / lanes * lanes;
  for (std::size_t k = 0; k < 3; ++k)
    for (int i = count; i < padded; ++i) x[k][i] = x[k][count - 1], step[k][i] = step[k][count - 1];
  shape.centre = (1.0 / count) * now, shape.moved = (1.0 / count) * moved;
  measure_map(cluster, to, shape);
  const double* rest = &offsets_[3 * cluster.first_offset];
  Pack far = {}, spread = {}, off = {}, lower[3], upper[3];
  for (int k = 0; k < 3; ++k) lower[k] = upper[k] = load(x[k]);
  for (int i = 0; i < padded; i += lanes) {
    Pack d[3], s[3], r[3], e[3];
    for (int k = 0; k < 3; ++k) {
      const Pack here = load(x[k] + i);
      lower[k] = min(lower[k], here), upper[k] = max(upper[k], here);
      d[k] = here - shape.centre[k];
      s[k] = load(step[k] + i) - shape.moved[k];
      r[k] = load(rest + k * padded + i);
    }
    for (int k = 0; k < 3; ++k)
      e[k] = d[k] - shape.map[3 * k] * r[0] - shape.map[3 * k + 1] * r[1] - shape.map[3 * k + 2] * r[2];
    far = max(far, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    spread = max(spread, s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    off = max(off, e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  }
  const auto most = [](const Pack& p) {
    double out = p[0];
    for (int l = 1; l < lanes; ++l) out = std::max(out, double(p[l]));
    return out;
  };
  for (std::size_t k = 0; k < 3; ++k) shape.box.lower[k] = -most(-lower[k]), shape.box.upper[k] = most(upper[k]);
  shape.spread = std::sqrt(most(spread)), shape.reach = std::sqrt(most(far)) + shape.spread;
  shape.off = std::sqrt(most(off));
}

// F, by three vertices, and its least stretch; that is not positive where there is no F.
void SeparationProof::measure_map(const Cluster& cluster, const double* to, Shape& shape) const {
  shape.least = -1;
  std::fill_n(shape.map, 9, 0.0);
  if (cluster.flat) return;
  const auto corner = [&](int i) { return vertex_at(to, vertices_[cluster.corners[i]]); };
  const Vec3 a = corner(0), u = corner(1) - a, v = corner(2) - a, n = cross(u, v);
  const double size = norm(n);
  if (!(size > 0)) return;
  const double* g = cluster.inverse;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      shape.map[3 * i + j] = u[i] * g[j] + v[i] * g[3 + j] + n[i] / size * g[6 + j];
  const double* d = cluster.in_plane;
  const Vec3 p = d[0] * u + d[1] * v, q = d[2] * u + d[3] * v;
  const double pp = dot(p, p), qq = dot(q, q), pq = dot(p, q);
  const double square = 0.5 * (pp + qq) - std::sqrt(0.25 * (pp - qq) * (pp - qq) + pq * pq);
  shape.least = std::min(1.0, std::sqrt(std::max(0.0, square)));
}

void SeparationProof::measure_groups() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    Vec3 centre{0, 0, 0}, moved{0, 0, 0};
    for (int c = group.first; c < group.end; ++c)
      centre = centre + shapes_[c].centre, moved = moved + shapes_[c].moved;
    const double part = 1.0 / (group.end - group.first);
    group.centre = part * centre, group.moved = part * moved, group.reach = group.spread = 0;
    for (int c = group.first; c < group.end; ++c) {
      const Shape& shape = shapes_[c];
      group.reach = std::max(group.reach, norm(shape.centre - group.centre) + shape.reach);
      group.spread = std::max(group.spread, norm(shape.moved - group.moved));
      double* to = &spheres_[4 * group_clusters * g + c - group.first];
      for (std::size_t k = 0; k < 3; ++k) to[group_clusters * k] = shape.centre[k];
      to[3 * group_clusters] = shape.reach;
    }
  }
}

int SeparationProof::neighbours_at(int a, int b) const {
  const auto first = others_.begin() + first_neighbour_[a], end = others_.begin() + first_neighbour_[a + 1],
             at = std::lower_bound(first, end, b);
  return at != end && *at == b ? static_cast<int>(at - others_.begin()) : -1;
}
bool SeparationProof::neighbours(int a, int b) const { return neighbours_at(std::min(a, b), std::max(a, b)) >= 0; }

// Once per question, and only where spheres do not tell: how clusters turn and stretch on their way.
void SeparationProof::measure_ways(const double* from, const double* to) {
  if (std::exchange(ways_known_, true)) return;
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const Cluster& cluster = clusters_[c];
    const Shape& shape = shapes_[c];
    Way& way = ways_[c];
    way.before = shape.centre - shape.moved;
    Vec3 edges[2][3];
    for (int k = 0; k < 2; ++k) {
      const double* x = k == 0 ? from : to;
      const auto corner = [&](int i) { return vertex_at(x, vertices_[cluster.corners[i]]); };
      edges[k][0] = corner(1) - corner(0), edges[k][1] = corner(2) - corner(0);
      const Vec3 n = cross(edges[k][0], edges[k][1]);
      edges[k][2] = (1 / std::max(norm(n), 1e-300)) * n;
    }
    const auto& [u, v, n] = edges[0];
    const double size = dot(cross(u, v), n);
    const bool map = size > 0 && norm(edges[1][2]) > 0.5;
    const Vec3 gu = (1 / (map ? size : 1)) * cross(v, n), gv = (1 / (map ? size : 1)) * cross(n, u);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        way.map[3 * i + j] = map ? edges[1][0][i] * gu[j] + edges[1][1][i] * gv[j] + edges[1][2][i] * n[j] : i == j;
    double off = 0, radius = 0;
    for (int i = cluster.first; i < cluster.end; ++i) {
      const int vertex = vertices_[i];
      const Vec3 before = vertex_at(from, vertex) - way.before,
                 error = vertex_at(to, vertex) - shape.centre - times(way.map, before);
      off = std::max(off, dot(error, error)), radius = std::max(radius, dot(before, before));
    }
    way.off = std::sqrt(off), way.radius = std::sqrt(radius);
  }
}

// Seen from cluster c, as it turns and stretches: d and what c does besides move straight.
bool SeparationProof::near_on_its_way(int c, int d, double radius) const {
  const Way &own = ways_[c], &other = ways_[d];
  const Shape &one = shapes_[c], &two = shapes_[d];
  const double differ = squared_difference(own.map, other.map);
  const Vec3 shift = two.centre - one.centre - times(own.map, other.before - own.before);
  const double moves = norm(shift) + std::sqrt(differ) * other.radius + own.off + other.off + radius;
  const double spheres = norm(one.centre - two.centre) - (one.reach - one.spread) - (two.reach - two.spread);
  return !(std::max(spheres, gap(one.box, two.box)) > moves);
}

// The clusters of a group and those of a body that may have come nearer, neighbours apart.
void SeparationProof::test_pair(int body, int other_body, int group, double radius, Finding& out) const {
  const auto farther = [](const auto& one, const auto& other, double more) {
    const Vec3 between = one.centre - other.centre;
    const double reach = one.reach + other.reach + more;
    return dot(between, between) > reach * reach;
  };
  const auto near = [&](int c, int d) {
    const Shape &one = shapes_[c], &other = shapes_[d];
    const double moved = norm(one.moved - other.moved) + radius;
    return !farther(one, other, moved) && !(gap(one.box, other.box) > moved + one.spread + other.spread);
  };
  const Group& one = groups_[group];
  const int first = body == other_body ? group : first_group_[other_body];
  out.groups.clear();
  for (int h = first; h < first_group_[other_body + 1]; ++h) {
    const Group& other = groups_[h];
    // What clusters of both move differently at most.
    const double more = radius + norm(one.moved - other.moved) + one.spread + other.spread;
    if (group == h || !farther(one, other, more)) out.groups.push_back({h, more});
  }
  for (int c = one.first; c < one.end; ++c) {
    const Shape& own = shapes_[c];
    int next = first_neighbour_[c];
    const int last = body == other_body ? first_neighbour_[c + 1] : next;
    for (const auto& [h, more] : out.groups) {
      const Group& other = groups_[h];
      if (group != h && farther(own, other, more)) continue;
      for (int i = 0; i < other.end - other.first; i += lanes) {
        const double* spheres = &spheres_[4 * group_clusters * h + i];
        const Pack x = load(spheres) - own.centre[0], y = load(spheres + group_clusters) - own.centre[1],
                   z = load(spheres + 2 * group_clusters) - own.centre[2],
                   reach = load(spheres + 3 * group_clusters) + (own.reach + more);
        unsigned hits = lane_bits(x * x + y * y + z * z <= reach * reach);
        const int base = other.first + i;
        for (; next < last && others_[next] < base + lanes; ++next)
          if (const int lane = others_[next] - base; lane >= 0) hits &= ~(1u << lane);
        for (; hits != 0; hits &= hits - 1)
          if (const int d = base + __builtin_ctz(hits);
              d < other.end && (d > c || body != other_body) && near(c, d))
            out.clusters.push_back({c, d});
      }
    }
  }
}

bool SeparationProof::clusters_near(const Finding& finding, double radius, const double* from, const double* to) {
  if (finding.clusters.empty()) return false;
  measure_ways(from, to);
  return std::any_of(finding.clusters.begin(), finding.clusters.end(), [&](const std::array<int, 2>& pair) {
    return near_on_its_way(pair[0], pair[1], radius) && near_on_its_way(pair[1], pair[0], radius);
  });
}

// Whether pairs with so much to spare in the reference may push.
bool SeparationProof::may_push(int first, int second, double spare) const {
  const Cluster &a = clusters_[first], &b = clusters_[second];
  const Shape &own = shapes_[first], &other = shapes_[second];
  const double left = own.least * spare - (1 - own.least) * radius_ - own.off - other.off;
  if (!(left > 0) || !(own.least > 0) || !(other.least > 0)) return true;
  if (first == second) return false;
  const double differ = squared_difference(own.map, other.map);
  const Vec3 shift = times(own.map, b.centre - a.centre) - (other.centre - own.centre);
  const double shifted = dot(shift, shift), turned = differ * b.radius * b.radius;
  if (2 * (shifted + turned) < left * left) return false;  // (a + b)^2 <= 2 (a^2 + b^2): no roots
  return !(std::sqrt(shifted) + std::sqrt(turned) < left);
}

SeparationProof::Parts SeparationProof::neighbours_apart(int cluster, const double* x) const {
  const std::vector<Close>& close = close_[body(cluster)];
  Parts out = Parts::apart;
  for (int i = first_neighbour_[cluster]; i < first_neighbour_[cluster + 1]; ++i) {
    const Neighbours& pair = neighbours_[i];
    const int other = others_[i];
    if (!may_push(cluster, other, pair.spare)) continue;
    if (may_push(cluster, other, pair.beyond)) {
      if (separation(cluster, other, x) > radius_) continue;
      out = Parts::unknown;
    }
    for (int p = pair.first; p < pair.end; ++p)
      if (pushes(close[p], x)) return Parts::push;
  }
  return out;
}

bool SeparationProof::pushes(const Close& pair, const double* x) const {
  const auto closest = closest_points(pair.kind == ContactPair::edge_edge, corners_at(x, pair.vertices));
  return !(closest.squared >= pair.radius * pair.radius);
}

// The boxes that bodies sweep.
void SeparationProof::measure_bodies() {
  std::fill(boxes_.begin(), boxes_.end(), bounds({}));
  for (std::size_t c = 0; c < shapes_.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k) {
      const Shape& shape = shapes_[c];
      Bounds& box = boxes_[clusters_[c].body];
      box.lower[k] = std::min(box.lower[k], shape.centre[k] - shape.reach - std::max(0.0, shape.moved[k]));
      box.upper[k] = std::max(box.upper[k], shape.centre[k] + shape.reach - std::min(0.0, shape.moved[k]));
    }
}

// One task per group and body, in the order of BodyPair: the parts of a task look at groups, and at neighbours in
// them.
void SeparationProof::find(const double* from, const double* to, double margin, bool between, bool self,
                           ThreadPool& pool, Near& near) {
  near.pairs.clear(), near.folded.clear();
  ways_known_ = false;
  if (!(radius_ > 0)) return;
  measure(from, to, pool);
  measure_groups(), measure_bodies();
  const auto range = [&](const BodyPair& pair) { return (pair[0] == pair[1] ? 1 : margin) * radius_; };
  const int bodies = static_cast<int>(boxes_.size());
  tasks_.clear();
  for (int a = 0; a < bodies; ++a)
    for (int b = a; b < (between ? bodies : a + 1); ++b) {
      const BodyPair pair{a, b};
      if (a == b ? !self : !(gap(boxes_[a], boxes_[b]) < range(pair))) continue;
      for (int g = first_group_[a]; g < first_group_[a + 1]; ++g) tasks_.push_back({pair, g});
    }
  if (findings_.size() < tasks_.size()) findings_.resize(tasks_.size());
  pool.parallel(static_cast<int>(tasks_.size()), [&](int i) {
    const auto& [pair, g] = tasks_[i];
    Finding& out = findings_[i];
    out.parts = Parts::apart, out.clusters.clear();
    test_pair(pair[0], pair[1], g, range(pair), out);
    const Group& group = groups_[g];
    for (int c = group.first; pair[0] == pair[1] && c < group.end; ++c)
      out.parts = std::max(out.parts, neighbours_apart(c, to));
  });
  for (std::size_t i = 0; i < tasks_.size();) {
    const BodyPair pair = tasks_[i].bodies;
    Parts parts = Parts::apart;
    bool touch = false;
    for (; i < tasks_.size() && tasks_[i].bodies == pair; ++i) {
      parts = std::max(parts, findings_[i].parts);
      touch = touch || clusters_near(findings_[i], range(pair), from, to);
    }
    const bool folded = parts == Parts::push || (parts == Parts::unknown && !renew(pair[0], to, pool));
    if (folded) near.folded.push_back(pair[0]);
    if (folded || touch) near.pairs.push_back(pair);
  }
}

}  // namespace resilin
