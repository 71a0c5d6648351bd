#include "contact/apart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/surface_tree.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double searched = 2.5;  // radii: R
constexpr double beside = 3,
                 beside_spheres =
                     0.5;      // neighbours: so many radii, and so much of both spheres, between their spheres
constexpr double flat = 0.05;  // height over length of a triangle that is no frame
constexpr int group_clusters = 16;

Vec3 at(const double* x, int v) {
  const double* p = x + 3 * static_cast<std::size_t>(v);
  return {p[0], p[1], p[2]};
}
Vec3 times(const double* m, const Vec3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}
double gap(const Bounds& a, const Bounds& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double one = std::max({a.lower[k] - b.upper[k], b.lower[k] - a.upper[k], 0.0});
    sum += one * one;
  }
  return std::sqrt(sum);
}

}  // namespace

Apart::Apart(const ContactSurface& surface, const Model& model, const PairList& list)
    : model_(model), list_(list), radius_(list.full_radius()) {
  add_clusters(surface);
  find_neighbours(surface);
  shapes_.resize(clusters_.size());
  boxes_.resize(static_cast<std::size_t>(surface.body_count));
  finder_ = std::make_unique<PairFinder>(surface, model.rest.data(),
                                         [this](int a, int b) { return a == b && a == asked_; });
  ThreadPool alone(1);
  for (int body = 0; body < surface.body_count; ++body) renew(body, model.rest.data(), alone);
}

void Apart::add_clusters(const ContactSurface& surface) {
  const SurfaceTree tree(surface, model_.rest.data());
  first_cluster_.assign(static_cast<std::size_t>(surface.body_count) + 1, 0);
  std::vector<int> rows;
  for (const auto& from : tree.clusters()) {
    rows.clear();
    for (int row = from.first_row; row < from.rows_end; ++row) rows.push_back(row);
    for (int i = lanes * from.first_edges; i < lanes * from.edges_end; ++i)
      if (tree.edges()[i / lanes].id[i % lanes] >= 0)
        for (const Int8& end : tree.edges()[i / lanes].ends) rows.push_back(end[i % lanes]);
    for (int i = lanes * from.first_triangles; i < lanes * from.triangles_end; ++i)
      if (tree.triangles()[i / lanes].id[i % lanes] >= 0)
        for (const Int8& corner : tree.triangles()[i / lanes].corners) rows.push_back(corner[i % lanes]);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    Cluster cluster{};
    cluster.body = from.body;
    cluster.first = static_cast<int>(vertices_.size());
    for (const int row : rows) vertices_.push_back(tree.vertex_of_row()[static_cast<std::size_t>(row)]);
    cluster.end = static_cast<int>(vertices_.size());
    clusters_.push_back(cluster);
    ++first_cluster_[static_cast<std::size_t>(from.body) + 1];
  }
  for (std::size_t b = 1; b < first_cluster_.size(); ++b) first_cluster_[b] += first_cluster_[b - 1];
  reference_.resize(3 * vertices_.size());
  first_group_.assign(1, 0);
  for (std::size_t b = 0; b + 1 < first_cluster_.size(); ++b) {
    for (int c = first_cluster_[b]; c < first_cluster_[b + 1]; c += group_clusters)
      groups_.push_back({c, std::min(c + group_clusters, first_cluster_[b + 1]), {}, {}, 0, 0});
    first_group_.push_back(static_cast<int>(groups_.size()));
  }
}

// Three vertices far from each other span the plane of a cluster.
void Apart::add_frame(Cluster& cluster) {
  const auto farthest = [&](auto&& measure) {
    int best = cluster.first;
    double most = -1;
    for (int i = cluster.first; i < cluster.end; ++i)
      if (const double d = measure(at(reference_.data(), i)); d > most) most = d, best = i;
    return best;
  };
  Vec3 sum{0, 0, 0};
  for (int i = cluster.first; i < cluster.end; ++i) sum = sum + at(reference_.data(), i);
  cluster.centre = (1.0 / (cluster.end - cluster.first)) * sum;
  const int a = farthest([&](const Vec3& x) { return norm(x - cluster.centre); });
  const Vec3 pa = at(reference_.data(), a);
  cluster.radius = norm(pa - cluster.centre);
  const int b = farthest([&](const Vec3& x) { return norm(x - pa); });
  const Vec3 u = at(reference_.data(), b) - pa;
  const int c = farthest([&](const Vec3& x) { return norm(cross(x - pa, u)); });
  const Vec3 v = at(reference_.data(), c) - pa, n = cross(u, v);
  const bool good = norm(n) > flat * dot(u, u);
  cluster.corners[0] = good ? a : -1, cluster.corners[1] = b, cluster.corners[2] = c;
  if (!good) return;
  // Rows of the inverse of (u, v, n/|n|): what a vector has of each.
  const Vec3 unit = (1 / norm(n)) * n, gu = (1 / norm(n)) * cross(v, unit), gv = (1 / norm(n)) * cross(unit, u);
  const Vec3 p = (1 / norm(u)) * u, q = cross(unit, p);
  const double in_plane[4] = {dot(gu, p), dot(gv, p), dot(gu, q), dot(gv, q)};
  for (std::size_t k = 0; k < 3; ++k)
    cluster.inverse[k] = gu[k], cluster.inverse[3 + k] = gv[k], cluster.inverse[6 + k] = unit[k];
  std::copy_n(in_plane, 4, cluster.in_plane);
}

void Apart::find_neighbours(const ContactSurface& surface) {
  const SurfaceTree tree(surface, model_.rest.data());
  of_vertex_.assign(static_cast<std::size_t>(surface.vertex_count), -1);
  of_edge_.assign(surface.edges.size(), -1), of_triangle_.assign(surface.triangles.size(), -1);
  for (int c = 0; c < static_cast<int>(clusters_.size()); ++c) {
    const auto& from = tree.clusters()[static_cast<std::size_t>(c)];
    for (int row = from.first_row; row < from.rows_end; ++row)
      of_vertex_[static_cast<std::size_t>(tree.vertex_of_row()[static_cast<std::size_t>(row)])] = c;
    for (int i = lanes * from.first_edges; i < lanes * from.edges_end; ++i)
      if (const int e = tree.edges()[i / lanes].id[i % lanes]; e >= 0) of_edge_[static_cast<std::size_t>(e)] = c;
    for (int i = lanes * from.first_triangles; i < lanes * from.triangles_end; ++i)
      if (const int t = tree.triangles()[i / lanes].id[i % lanes]; t >= 0)
        of_triangle_[static_cast<std::size_t>(t)] = c;
  }
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    std::copy_n(&model_.rest[3 * static_cast<std::size_t>(vertices_[i])], 3, &reference_[3 * i]);
  for (Cluster& cluster : clusters_) add_frame(cluster);
  first_neighbour_.assign(1, 0);
  for (int a = 0; a < static_cast<int>(clusters_.size()); ++a) {
    const Cluster& own = clusters_[static_cast<std::size_t>(a)];
    for (int b = a; b < first_cluster_[static_cast<std::size_t>(own.body) + 1]; ++b) {
      const Cluster& other = clusters_[static_cast<std::size_t>(b)];
      const double both = own.radius + other.radius;
      if (norm(own.centre - other.centre) < (1 + beside_spheres) * both + beside * radius_)
        neighbours_.push_back({b, 0});
    }
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
  }
}

// x is the reference of a body from now on. True: none of its parts push each other there.
bool Apart::renew(int body, const double* x, ThreadPool& pool) {
  asked_ = body;
  if (!(radius_ > 0) || !finder_->find(x, searched * radius_, pool, found_)) found_.clear();
  const int first = first_cluster_[static_cast<std::size_t>(body)],
            end = first_cluster_[static_cast<std::size_t>(body) + 1];
  for (int c = first; c < end; ++c) {
    Cluster& cluster = clusters_[static_cast<std::size_t>(c)];
    for (int i = cluster.first; i < cluster.end; ++i)
      std::copy_n(x + 3 * static_cast<std::size_t>(vertices_[static_cast<std::size_t>(i)]), 3,
                  &reference_[3 * static_cast<std::size_t>(i)]);
    add_frame(cluster);
    for (int i = first_neighbour_[static_cast<std::size_t>(c)];
         i < first_neighbour_[static_cast<std::size_t>(c) + 1]; ++i)
      neighbours_[static_cast<std::size_t>(i)].spare = (searched - 1) * radius_;
  }
  bool apart = true;
  for (const ContactPair& pair : found_) {
    const double own = list_.own_radius(pair, radius_);
    if (!(own > 0)) continue;
    apart = apart && !(pair.distance < own);
    const bool edges = pair.kind == ContactPair::edge_edge;
    const int one = (edges ? of_edge_ : of_vertex_)[static_cast<std::size_t>(pair.first)],
              two = (edges ? of_edge_ : of_triangle_)[static_cast<std::size_t>(pair.second)];
    const int a = std::min(one, two), b = std::max(one, two);
    for (int i = first_neighbour_[static_cast<std::size_t>(a)];
         i < first_neighbour_[static_cast<std::size_t>(a) + 1]; ++i)
      if (Neighbours& n = neighbours_[static_cast<std::size_t>(i)]; n.other == b)
        n.spare = std::min(n.spare, pair.distance - own);
  }
  return apart;
}

void Apart::measure(const double* from, const double* to) {
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    const Cluster& cluster = clusters_[c];
    Shape& shape = shapes_[c];
    Vec3 now{0, 0, 0}, before{0, 0, 0};
    for (int i = cluster.first; i < cluster.end; ++i) {
      const std::size_t v = 3 * static_cast<std::size_t>(vertices_[static_cast<std::size_t>(i)]);
      for (std::size_t k = 0; k < 3; ++k) now[k] += to[v + k], before[k] += from[v + k];
    }
    const double part = 1.0 / (cluster.end - cluster.first);
    shape.centre = part * now, shape.moved = part * (now - before);
    double far = 0, spread = 0;
    shape.box = {shape.centre, shape.centre};
    for (int i = cluster.first; i < cluster.end; ++i) {
      const int v = vertices_[static_cast<std::size_t>(i)];
      const Vec3 x = at(to, v), off = x - shape.centre, step = x - at(from, v) - shape.moved;
      far = std::max(far, dot(off, off)), spread = std::max(spread, dot(step, step));
      extend(shape.box, {x, x});
    }
    shape.spread = std::sqrt(spread), shape.reach = std::sqrt(far) + shape.spread;
    measure_map(cluster, to, shape);
  }
}

void Apart::measure_map(const Cluster& cluster, const double* to, Shape& shape) const {
  shape.least = -1;
  if (cluster.corners[0] < 0) return;
  const auto corner = [&](int i) { return at(to, vertices_[static_cast<std::size_t>(cluster.corners[i])]); };
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
  double off = 0;
  for (int i = cluster.first; i < cluster.end; ++i) {
    const Vec3 error = at(to, vertices_[static_cast<std::size_t>(i)]) - shape.centre -
                       times(shape.map, at(reference_.data(), i) - cluster.centre);
    off = std::max(off, dot(error, error));
  }
  shape.off = std::sqrt(off);
}

void Apart::measure_groups() {
  for (Group& group : groups_) {
    Vec3 centre{0, 0, 0}, moved{0, 0, 0};
    for (int c = group.first; c < group.end; ++c)
      centre = centre + shapes_[static_cast<std::size_t>(c)].centre,
      moved = moved + shapes_[static_cast<std::size_t>(c)].moved;
    const double part = 1.0 / (group.end - group.first);
    group.centre = part * centre, group.moved = part * moved, group.reach = group.spread = 0;
    for (int c = group.first; c < group.end; ++c) {
      const Shape& shape = shapes_[static_cast<std::size_t>(c)];
      group.reach = std::max(group.reach, norm(shape.centre - group.centre) + shape.reach);
      group.spread = std::max(group.spread, norm(shape.moved - group.moved));
    }
  }
}

// Whether any two clusters of two bodies, neighbours apart, may have come nearer.
bool Apart::clusters_near(int a, int b, double radius) const {
  const auto far = [](const auto& one, const auto& other, double more) {
    return norm(one.centre - other.centre) > norm(one.moved - other.moved) + one.reach + other.reach + more;
  };
  const auto near = [&](int c, int d) {
    const Shape &one = shapes_[static_cast<std::size_t>(c)], &other = shapes_[static_cast<std::size_t>(d)];
    if (far(one, other, radius)) return false;
    return !(gap(one.box, other.box) > norm(one.moved - other.moved) + one.spread + other.spread + radius);
  };
  const auto neighbours = [&](int one, int other) {
    const auto first = neighbours_.begin() + first_neighbour_[static_cast<std::size_t>(one)],
               end = neighbours_.begin() + first_neighbour_[static_cast<std::size_t>(one) + 1];
    return std::any_of(first, end, [&](const Neighbours& n) { return n.other == other; });
  };
  const int last = first_group_[static_cast<std::size_t>(b) + 1];
  for (int g = first_group_[static_cast<std::size_t>(a)]; g < first_group_[static_cast<std::size_t>(a) + 1]; ++g) {
    const Group& one = groups_[static_cast<std::size_t>(g)];
    for (int h = a == b ? g : first_group_[static_cast<std::size_t>(b)]; h < last; ++h) {
      const Group& other = groups_[static_cast<std::size_t>(h)];
      if (g != h && far(one, other, radius + one.spread + other.spread)) continue;
      for (int c = one.first; c < one.end; ++c)
        for (int d = g == h ? c + 1 : other.first; d < other.end; ++d)
          if (near(c, d) && (a != b || !neighbours(c, d))) return true;
    }
  }
  return false;
}

bool Apart::neighbours_apart(int cluster) const {
  const Shape& own = shapes_[static_cast<std::size_t>(cluster)];
  const Cluster& a = clusters_[static_cast<std::size_t>(cluster)];
  if (!(own.least > 0)) return false;
  for (int i = first_neighbour_[static_cast<std::size_t>(cluster)];
       i < first_neighbour_[static_cast<std::size_t>(cluster) + 1]; ++i) {
    const Neighbours& pair = neighbours_[static_cast<std::size_t>(i)];
    const Shape& other = shapes_[static_cast<std::size_t>(pair.other)];
    const double spare = pair.spare - (1 - own.least) * searched * radius_ - own.off - other.off;
    if (!(spare > 0) || !(other.least > 0)) return false;
    if (pair.other == cluster) continue;
    const Cluster& b = clusters_[static_cast<std::size_t>(pair.other)];
    double differ = 0;
    for (std::size_t k = 0; k < 9; ++k) differ += (own.map[k] - other.map[k]) * (own.map[k] - other.map[k]);
    const Vec3 shift = times(own.map, b.centre - a.centre) - (other.centre - own.centre);
    if (!(std::sqrt(dot(shift, shift)) + std::sqrt(differ) * b.radius < spare)) return false;
  }
  return true;
}

void Apart::find(const double* from, const double* to, double margin, bool between, bool self, ThreadPool& pool,
                 std::vector<BodyPair>& near) {
  near.clear();
  if (!(radius_ > 0)) return;
  measure(from, to);
  measure_groups();
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::fill(boxes_.begin(), boxes_.end(), Bounds{{inf, inf, inf}, {-inf, -inf, -inf}});
  for (std::size_t c = 0; c < shapes_.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k) {
      const Shape& shape = shapes_[c];
      Bounds& box = boxes_[static_cast<std::size_t>(clusters_[c].body)];
      box.lower[k] = std::min(box.lower[k], shape.centre[k] - shape.reach - std::max(0.0, shape.moved[k]));
      box.upper[k] = std::max(box.upper[k], shape.centre[k] + shape.reach - std::min(0.0, shape.moved[k]));
    }
  const int bodies = static_cast<int>(boxes_.size());
  for (int a = 0; a < bodies; ++a) {
    if (first_cluster_[static_cast<std::size_t>(a)] == first_cluster_[static_cast<std::size_t>(a) + 1]) continue;
    bool own = self && clusters_near(a, a, margin * radius_), sure = true;
    for (int c = first_cluster_[static_cast<std::size_t>(a)];
         self && !own && sure && c < first_cluster_[static_cast<std::size_t>(a) + 1]; ++c)
      sure = neighbours_apart(c);
    if (self && !own && !sure) own = !renew(a, to, pool);
    if (own) near.push_back({a, a});
    for (int b = a + 1; between && b < bodies; ++b)
      if (gap(boxes_[static_cast<std::size_t>(a)], boxes_[static_cast<std::size_t>(b)]) < margin * radius_ &&
          clusters_near(a, b, margin * radius_))
        near.push_back({a, b});
  }
}

}  // namespace resilin
