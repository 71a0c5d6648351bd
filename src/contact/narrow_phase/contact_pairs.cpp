#include "contact/narrow_phase/contact_pairs.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/stopwatch.h"

namespace resilin {
namespace {

constexpr int clusters_per_part = 16, firsts_per_part = 512;
constexpr int ahead = 8;  // vertices or edges between the prefetch of pairs and their use

int parts_of(std::size_t count, int size) {
  return static_cast<int>((count + static_cast<std::size_t>(size) - 1) / size);
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
    for (int i = cluster.first_edges; i < cluster.edges_end; ++i)
      for (int l = 0; l < lanes && tree_.edges()[i].id[l] >= 0; ++l) part_of_edge_[tree_.edges()[i].id[l]] = part;
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
        part, [&](int i) { count += static_cast<std::size_t>(found_.of_row[row_of_vertex_[i]].count); },
        [&](int e) { count += static_cast<std::size_t>(found_.of_edge[e].count); });
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
  const FoundPairs& found = searches_[part_of_row_[row]].vertex_triangle;
  const FoundRange range = found_.of_row[row];
  for (int i = range.start; i < range.start + range.count; ++i, ++to) {
    const int t = static_cast<int>(found.order[i] >> 32);
    const FoundPair p = found.pair(static_cast<std::uint32_t>(found.order[i]));
    const std::array<int, 3>& ids = surface_.triangles[t];
    *to = {ContactPair::vertex_triangle,
           vertex,
           t,
           {vertex, ids[0], ids[1], ids[2]},
           {1, p.t - (1 - p.s), -p.s, -p.t},
           p.distance,
           {p.normal[0], p.normal[1], p.normal[2]}};
  }
  return to;
}

ContactPair* PairFinder::write_edge(int e, ContactPair* to) const {
  if (e + ahead < surface_.edge_count())
    searches_[part_of_edge_[e + ahead]].edge_edge.prefetch(found_.of_edge[e + ahead]);
  const FoundPairs& found = searches_[part_of_edge_[e]].edge_edge;
  const FoundRange range = found_.of_edge[e];
  const std::array<int, 2>& own = surface_.edges[e];
  for (int i = range.start; i < range.start + range.count; ++i, ++to) {
    const int f = static_cast<int>(found.order[i] >> 32);
    const FoundPair p = found.pair(static_cast<std::uint32_t>(found.order[i]));
    const std::array<int, 2>& other = surface_.edges[f];
    *to = {ContactPair::edge_edge,
           e,
           f,
           {own[0], own[1], other[0], other[1]},
           {1 - p.s, p.s, p.t - 1, -p.t},
           p.distance,
           {p.normal[0], p.normal[1], p.normal[2]}};
  }
  return to;
}

}  // namespace resilin
