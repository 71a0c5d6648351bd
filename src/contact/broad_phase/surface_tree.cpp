#include "contact/broad_phase/surface_tree.h"

#include <algorithm>
#include <atomic>

#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr int cluster_size = 16;

/// What clusters are made of: triangles; edges without triangles; vertices without edges.
struct Item {
  Vec3 middle;
  int body;
  std::array<int, 3> corners;  // -1: it has less
  int triangle;                // -1: it is none
};

std::vector<Item> items_of(const ContactSurface& surface, const double* rest) {
  std::vector<Item> items;
  std::vector<char> covered(surface.vertex_count, 0);
  const auto add = [&](int body, std::array<int, 3> corners, int count, int triangle) {
    Vec3 middle{0, 0, 0};
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k) middle[k] += rest[3 * corners[i] + k] / count;
      covered[corners[i]] = 1;
    }
    items.push_back({middle, body, corners, triangle});
  };
  for (int t = 0; t < surface.triangle_count(); ++t) add(surface.triangle_body[t], surface.triangles[t], 3, t);
  for (int e = 0; e < surface.edge_count(); ++e)
    if (surface.edge_triangles[e].empty())
      add(surface.edge_body[e], {surface.edges[e][0], surface.edges[e][1], -1}, 2, -1);
  for (const int v : surface.vertices)
    if (covered[v] == 0) add(surface.body[v], {v, -1, -1}, 1, -1);
  return items;
}

/// Cuts a list along the longest side of its middles, so often that clusters lie side by side, then eight clusters,
/// and so on: every unit of 8^k clusters is full but the last.
void cut(std::span<int> list, const std::vector<Item>& items) {
  if (list.size() <= cluster_size) return;
  std::size_t unit = cluster_size;
  while (unit * lanes < list.size()) unit *= lanes;
  const std::size_t units = (list.size() + unit - 1) / unit, left = (units + 1) / 2 * unit;
  Bounds box{items[list[0]].middle, items[list[0]].middle};
  for (const int i : list) extend(box, {items[i].middle, items[i].middle});
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis]) axis = k;
  std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(left), list.end(), [&](int a, int b) {
    const double p = items[a].middle[axis], q = items[b].middle[axis];
    return p < q || (p == q && a < b);
  });
  cut(list.first(left), items);
  cut(list.subspan(left), items);
}

/// Gives each of `count` things to that of its clusters which has the least so far. `of`: pairs (thing, cluster).
std::vector<std::vector<int>> shared_out(int clusters, int count, std::vector<std::array<int, 2>> of) {
  std::sort(of.begin(), of.end());
  std::vector<std::vector<int>> out(static_cast<std::size_t>(clusters));
  std::size_t i = 0;
  for (int thing = 0; thing < count; ++thing) {
    int owner = -1;
    for (; i < of.size() && of[i][0] == thing; ++i)
      if (owner < 0 || out[of[i][1]].size() < out[owner].size()) owner = of[i][1];
    if (owner >= 0) out[owner].push_back(thing);
  }
  return out;
}

// How bodies are cut into clusters.
struct Plan {
  std::vector<Item> items;
  std::vector<std::vector<int>> members;  // of each cluster
  std::vector<int> first_cluster;         // of each body, and the end
};

Plan plan_of(const ContactSurface& surface, const double* rest) {
  Plan plan{items_of(surface, rest), {}, {0}};
  std::vector<std::vector<int>> of_body(static_cast<std::size_t>(surface.body_count));
  for (int i = 0; i < static_cast<int>(plan.items.size()); ++i) of_body[plan.items[i].body].push_back(i);
  for (std::vector<int>& list : of_body) {
    cut(list, plan.items);
    for (std::size_t at = 0; at < list.size(); at += cluster_size)
      plan.members.emplace_back(list.begin() + at, list.begin() + std::min(list.size(), at + cluster_size));
    plan.first_cluster.push_back(static_cast<int>(plan.members.size()));
  }
  return plan;
}

/// What the members of each cluster own: edges and vertices go to one of the clusters that have them.
struct Owned {
  std::vector<std::vector<int>> triangles, edges, vertices;
};

Owned owned_by(const Plan& plan, const ContactSurface& surface) {
  const int clusters = static_cast<int>(plan.members.size());
  std::vector<std::array<int, 2>> triangles, edges, vertices;
  for (int c = 0; c < clusters; ++c)
    for (const int i : plan.members[c]) {
      const Item& item = plan.items[i];
      if (item.triangle >= 0) triangles.push_back({item.triangle, c});
      for (int k = 0; k < 3; ++k) {
        const int a = item.corners[k], b = item.corners[(k + 1) % 3];
        if (a < 0) continue;
        vertices.push_back({a, c});
        if (b < 0) continue;
        const int edge = surface.edge_of(a, b);
        if (edge >= 0) edges.push_back({edge, c});
      }
    }
  return {shared_out(clusters, surface.triangle_count(), std::move(triangles)),
          shared_out(clusters, surface.edge_count(), std::move(edges)),
          shared_out(clusters, surface.vertex_count, std::move(vertices))};
}

/// Appends packs that hold `ids`, whose corners are rows of vertices.
template <int N>
void add_packs(AlignedVector<PartPack<N>>& packs, const std::vector<int>& ids,
               const std::vector<std::array<int, N>>& corners, const std::vector<int>& row) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % lanes == 0) {
      packs.emplace_back();
      packs.back().id = Int8{} - 1;
      packs.back().boxes.clear();
    }
    packs.back().id[i % lanes] = ids[i];
    for (int k = 0; k < N; ++k) packs.back().corners[k][i % lanes] = row[corners[ids[i]][k]];
  }
}

/// Fits the boxes of parts, and extends `whole` by them.
template <int N>
void refit_parts(AlignedVector<PartPack<N>>& packs, int first, int end, const AlignedVector<FloatBox>& row_boxes,
                 FloatBox& whole) {
  each_part(packs, first, end, [&](PartPack<N>& pack, int l) {
    FloatBox box = row_boxes[pack.corners[0][l]];
    for (int k = 1; k < N; ++k) extend(box, row_boxes[pack.corners[k][l]]);
    pack.boxes.set(l, box);
    extend(whole, box);
  });
}

}  // namespace

SurfaceTree::SurfaceTree(const ContactSurface& surface, const double* rest) {
  const Plan plan = plan_of(surface, rest);
  const Owned owned = owned_by(plan, surface);
  std::vector<int> row(surface.vertex_count, -1);
  for (const std::vector<int>& list : owned.vertices)
    for (const int v : list) row[v] = static_cast<int>(vertex_of_row_.size()), vertex_of_row_.push_back(v);
  positions_.resize(4 * vertex_of_row_.size());
  row_boxes_.resize(vertex_of_row_.size());

  int first_row = 0;
  for (std::size_t c = 0; c < plan.members.size(); ++c) {
    Cluster cluster{};
    cluster.body = plan.items[plan.members[c][0]].body;
    cluster.last_edge = owned.edges[c].empty() ? -1 : owned.edges[c].back();
    cluster.first_edges = static_cast<int>(edges_.size());
    add_packs<2>(edges_, owned.edges[c], surface.edges, row);
    cluster.edges_end = static_cast<int>(edges_.size());
    cluster.first_triangles = static_cast<int>(triangles_.size());
    add_packs<3>(triangles_, owned.triangles[c], surface.triangles, row);
    cluster.triangles_end = static_cast<int>(triangles_.size());
    cluster.first_row = first_row;
    cluster.rows_end = first_row += static_cast<int>(owned.vertices[c].size());
    clusters_.push_back(cluster);
  }
  make_levels(plan.first_cluster);
}

void SurfaceTree::make_levels(std::span<const int> first_cluster) {
  trees_.resize(first_cluster.size() - 1);
  for (std::size_t b = 0; b < trees_.size(); ++b) {
    BodyTree& tree = trees_[b];
    tree.first_cluster = first_cluster[b];
    tree.clusters = first_cluster[b + 1] - first_cluster[b];
    for (int packs = tree.clusters; packs > 1 || tree.levels == 0;) {
      packs = (packs + lanes - 1) / lanes;
      if (packs == 0) break;
      tree.first_pack[tree.levels++] = static_cast<int>(nodes_.size());
      nodes_.resize(nodes_.size() + static_cast<std::size_t>(packs));
    }
  }
  for (BoxPack& pack : nodes_) pack.clear();
  bodies_.resize((trees_.size() + lanes - 1) / lanes);
  for (BoxPack& pack : bodies_) pack.clear();
}

bool SurfaceTree::refit(const double* x, ThreadPool& pool) {
  constexpr int rows_per_part = 1024, clusters_per_part = 64;
  const int rows = static_cast<int>(vertex_of_row_.size()), clusters = static_cast<int>(clusters_.size());
  std::atomic<bool> finite{true};
  pool.parallel((rows + rows_per_part - 1) / rows_per_part, [&](int part) {
    if (!take_positions(x, part * rows_per_part, std::min(rows, (part + 1) * rows_per_part))) finite = false;
  });
  if (!finite) return false;
  pool.parallel((clusters + clusters_per_part - 1) / clusters_per_part, [&](int part) {
    const int end = std::min(clusters, (part + 1) * clusters_per_part);
    for (int c = part * clusters_per_part; c < end; ++c) refit_cluster(clusters_[c]);
  });
  for (int b = 0; b < static_cast<int>(trees_.size()); ++b) refit_levels(b);
  return true;
}

bool SurfaceTree::take_positions(const double* x, int first, int end) {
  bool finite = true;
  for (int row = first; row < end; ++row) {
    const double* p = x + 3 * vertex_of_row_[row];
    double* to = &positions_[4 * row];
    for (int k = 0; k < 3; ++k) {
      to[k] = p[k];
      finite &= std::abs(p[k]) <= 1e15;
    }
    row_boxes_[row] = float_box(p[0], p[1], p[2]);
  }
  return finite;
}

void SurfaceTree::refit_cluster(Cluster& cluster) {
  cluster.box = empty_float_box();
  for (int row = cluster.first_row; row < cluster.rows_end; ++row) extend(cluster.box, row_boxes_[row]);
  refit_parts(edges_, cluster.first_edges, cluster.edges_end, row_boxes_, cluster.box);
  refit_parts(triangles_, cluster.first_triangles, cluster.triangles_end, row_boxes_, cluster.box);
}

void SurfaceTree::near_bodies(float limit, const Bodies& wanted, Adjacency& out) const {
  out.start.assign(1, 0);
  out.ids.clear();
  for (int a = 0; a < static_cast<int>(trees_.size()); ++a) {
    const FloatBox box = bodies_[a / lanes].at(a % lanes);
    for (int i = 0; i < static_cast<int>(bodies_.size()); ++i)
      for (unsigned bits = lane_bits(near(bodies_[i], box, limit)); bits != 0; bits &= bits - 1) {
        const int b = lanes * i + __builtin_ctz(bits);
        if (!wanted || wanted(std::min(a, b), std::max(a, b))) out.ids.push_back(b);
      }
    out.start.push_back(static_cast<int>(out.ids.size()));
  }
}

void SurfaceTree::refit_levels(int body) {
  const BodyTree& tree = trees_[body];
  FloatBox whole = empty_float_box();
  int count = tree.clusters;
  for (int level = 0; level < tree.levels; ++level) {
    BoxPack* packs = &nodes_[tree.first_pack[level]];
    whole = empty_float_box();
    for (int i = 0; i < count; ++i) {
      FloatBox box = empty_float_box();
      if (level == 0) {
        box = clusters_[tree.first_cluster + i].box;
      } else {
        const BoxPack& below = nodes_[tree.first_pack[level - 1] + i];
        for (int l = 0; l < lanes; ++l) extend(box, below.at(l));
      }
      packs[i / lanes].set(i % lanes, box);
      extend(whole, box);
    }
    count = (count + lanes - 1) / lanes;
  }
  bodies_[body / lanes].set(body % lanes, whole);
}

}  // namespace resilin
