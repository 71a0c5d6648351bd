#include "contact/narrow_phase/contact_pairs.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/stopwatch.h"

namespace resilin {
namespace {

constexpr int clusters_per_part = 16, firsts_per_part = 512;
constexpr int ahead = 8;  // vertices or edges between the prefetch of pairs and their use

int parts_of(std::size_t count, int size) { return static_cast<int>((count + size - 1) / size); }

// The pairs of one first part; `vertices` of all four corners by the second part.
template <ContactPair::Kind kind, class Vertices>
ContactPair* write_pairs(int first, const FoundPairs& found, FoundRange range, Vertices&& vertices,
                         ContactPair* to) {
  for (int i = range.start; i < range.start + range.count; ++i, ++to) {
    const int second = static_cast<int>(found.order[i] >> 32);
    const FoundPair p = found.pair(static_cast<std::uint32_t>(found.order[i]));
    *to = {kind, first, second, vertices(second), {}, p.distance, {p.normal[0], p.normal[1], p.normal[2]}};
    const bool edges = kind == ContactPair::edge_edge;
    to->weight[0] = edges ? 1 - p.s : 1, to->weight[1] = edges ? p.s : p.t - (1 - p.s);
    to->weight[2] = edges ? p.t - 1 : -p.s, to->weight[3] = -p.t;
  }
  return to;
}

}  // namespace

PairFinder::PairFinder(const ContactSurface& surface, const double* rest, Bodies bodies, Clusters clusters)
    : surface_(surface),
      bodies_(std::move(bodies)),
      clusters_(std::move(clusters)),
      tree_(surface, rest),
      row_of_vertex_(surface.vertices.size()) {
  found_.of_row.resize(surface.vertices.size());
  found_.of_edge.resize(surface.edges.size());
  part_of_edge_.resize(surface.edges.size());
  part_of_row_.resize(surface.vertices.size());
  std::vector<int> row(surface.vertex_count, -1);
  for (std::size_t i = 0; i < tree_.vertex_of_row().size(); ++i)
    row[tree_.vertex_of_row()[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) row_of_vertex_[i] = row[surface.vertices[i]];
  for (std::size_t c = 0; c < tree_.clusters().size(); ++c) {
    const Cluster& cluster = tree_.clusters()[c];
    const int part = static_cast<int>(c) / clusters_per_part;
    for (int i = cluster.first_row; i < cluster.rows_end; ++i) part_of_row_[i] = part;
    each_part(tree_.edges(), cluster.first_edges, cluster.edges_end,
              [&](const EdgePack& pack, int l) { part_of_edge_[pack.id[l]] = part; });
  }
  searches_.resize(parts_of(tree_.clusters().size(), clusters_per_part));
}

bool PairFinder::find(const double* x, double radius, ThreadPool& pool, std::vector<ContactPair>& out) {
  assert(radius >= 0);
  Stopwatch watch;
  if (!tree_.refit(x, pool)) {
    out.clear();
    return false;
  }
  seconds_.refit = watch.lap();
  tree_.near_bodies(squared_limit(radius), bodies_, partners_);
  pool.parallel(static_cast<int>(searches_.size()), [&](int part) {
    PairSearch& search = searches_[part];
    search.clear();
    const int end = std::min(static_cast<int>(tree_.clusters().size()), (part + 1) * clusters_per_part);
    for (int c = part * clusters_per_part; c < end; ++c)
      search.search(tree_, c, partners_[tree_.clusters()[c].body], radius, clusters_, found_);
  });
  seconds_.search = watch.lap();
  write(pool, out);
  seconds_.write = watch.lap();
  return true;
}

// Vertices by their ids, then edges: what each has found is in order already.
void PairFinder::write(ThreadPool& pool, std::vector<ContactPair>& out) {
  const int vertex_parts = parts_of(surface_.vertices.size(), firsts_per_part);
  const int parts = vertex_parts + parts_of(surface_.edges.size(), firsts_per_part);
  const auto for_firsts = [&](int part, auto&& vertex, auto&& edge) {
    const bool edges = part >= vertex_parts;
    const int first = (edges ? part - vertex_parts : part) * firsts_per_part;
    const int count = static_cast<int>(edges ? surface_.edges.size() : surface_.vertices.size());
    for (int i = first; i < std::min(count, first + firsts_per_part); ++i) edges ? edge(i) : vertex(i);
  };
  starts_.assign(1, 0);
  for (int part = 0; part < parts; ++part) {
    std::size_t count = 0;
    for_firsts(
        part, [&](int i) { count += found_.of_row[row_of_vertex_[i]].count; },
        [&](int e) { count += found_.of_edge[e].count; });
    starts_.push_back(starts_.back() + count);
  }
  out.resize(starts_.back());  // what was there is overwritten: clearing it first would write everything twice
  pool.parallel(parts, [&](int part) {
    ContactPair* to = out.data() + starts_[part];
    for_firsts(
        part, [&](int i) { to = write_vertex(i, to); }, [&](int e) { to = write_edge(e, to); });
  });
}

ContactPair* PairFinder::write_vertex(int index, ContactPair* to) const {
  const int row = row_of_vertex_[index], vertex = surface_.vertices[index];
  if (index + ahead < static_cast<int>(row_of_vertex_.size())) {
    const int next = row_of_vertex_[index + ahead];
    searches_[part_of_row_[next]].vertex_triangle.prefetch(found_.of_row[next]);
  }
  const auto vertices = [&](int t) {
    const auto& [a, b, c] = surface_.triangles[t];
    return std::array{vertex, a, b, c};
  };
  return write_pairs<ContactPair::vertex_triangle>(vertex, searches_[part_of_row_[row]].vertex_triangle,
                                                   found_.of_row[row], vertices, to);
}

ContactPair* PairFinder::write_edge(int e, ContactPair* to) const {
  if (e + ahead < surface_.edge_count())
    searches_[part_of_edge_[e + ahead]].edge_edge.prefetch(found_.of_edge[e + ahead]);
  const auto vertices = [&](int f) {
    const auto &own = surface_.edges[e], &other = surface_.edges[f];
    return std::array{own[0], own[1], other[0], other[1]};
  };
  return write_pairs<ContactPair::edge_edge>(e, searches_[part_of_edge_[e]].edge_edge, found_.of_edge[e], vertices,
                                             to);
}

}  // namespace resilin
