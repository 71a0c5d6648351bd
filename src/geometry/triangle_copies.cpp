#include "geometry/triangle_copies.h"

#include <algorithm>
#include <array>

#include "core/disjoint_sets.h"
#include "geometry/surface_patches.h"

namespace resilin {
namespace {

/// The triangles on three vertices, each list ascending.
struct Place {
  std::vector<int> ids[2];  // by the way round
  std::size_t pairs() const { return std::min(ids[0].size(), ids[1].size()); }
  bool balanced() const { return ids[0].size() == ids[1].size(); }
  int first() const {  // of those that face the side that most face
    if (balanced()) return std::min(ids[0][0], ids[1][0]);
    return ids[ids[0].size() < ids[1].size()][0];
  }
};

/// The places with more than one triangle; `single` tells which triangles are alone.
std::vector<Place> crowded_places(std::span<const int> triangles, std::vector<bool>& single) {
  struct Key {
    std::array<int, 3> vertices;
    int triangle;
    bool even;
  };
  std::vector<Key> keys;
  for (std::size_t t = 0; t < triangles.size() / 3; ++t) {
    if (!single[t]) continue;
    const int* v = &triangles[3 * t];
    Key key{{v[0], v[1], v[2]}, static_cast<int>(t), (v[0] < v[1]) == ((v[1] < v[2]) == (v[0] < v[2]))};
    std::sort(key.vertices.begin(), key.vertices.end());
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.vertices != b.vertices ? a.vertices < b.vertices : a.triangle < b.triangle;
  });
  std::vector<Place> out;
  for (std::size_t i = 0, end; i < keys.size(); i = end) {
    for (end = i + 1; end < keys.size() && keys[end].vertices == keys[i].vertices;) ++end;
    if (end == i + 1) continue;
    out.emplace_back();
    for (std::size_t k = i; k < end; ++k) {
      out.back().ids[keys[k].even].push_back(keys[k].triangle);
      single[keys[k].triangle] = false;
    }
  }
  return out;
}

/// Pairs joined by edges that no triangle which stays has, and how many open edges they would close if one of each
/// stayed.
class Sheets {
 public:
  /// `stays`: triangles that stay in any case; pairs: one triangle of each.
  Sheets(std::span<const int> triangles, const std::vector<bool>& stays, const std::vector<int>& pairs)
      : sets_(triangles.size() / 3), gain_(triangles.size() / 3, 0) {
    std::vector<bool> use = stays;
    for (const int t : pairs) use[t] = true;
    const std::vector<HalfEdge> half_edges = sorted_half_edges(triangles, use);
    for_each_edge(half_edges, [&](std::span<const HalfEdge> edge) {
      if (std::none_of(edge.begin(), edge.end(), [&](const HalfEdge& h) { return stays[h.triangle]; }))
        for (const HalfEdge& h : edge) sets_.join(edge[0].triangle, h.triangle);
    });
    for_each_edge(half_edges, [&](std::span<const HalfEdge> edge) { weigh(edge, stays); });
  }
  bool worth_keeping(int triangle) { return gain_[sets_.root(triangle)] > 0; }

 private:
  void weigh(std::span<const HalfEdge> edge, const std::vector<bool>& stays) {
    bool open = false;
    std::vector<int> sheets;  // those that have the edge an odd number of times
    for (const HalfEdge& h : edge) {
      if (stays[h.triangle]) {
        open = !open;
        continue;
      }
      const auto at = std::find(sheets.begin(), sheets.end(), sets_.root(h.triangle));
      if (at != sheets.end()) sheets.erase(at);
      else sheets.push_back(sets_.root(h.triangle));
    }
    for (const int sheet : sheets) gain_[sheet] += open ? 1 : -1;
  }

  DisjointSets sets_;
  std::vector<int> gain_;
};

}  // namespace

void TriangleCopies::drop_from(std::vector<bool>& use) const {
  for (const auto& [triangle, first] : repeated) use[triangle] = false;
  for (const int triangle : opposite) use[triangle] = false;
}

TriangleCopies find_copies(std::span<const int> triangles, const std::vector<bool>& use) {
  std::vector<bool> stays = use;
  const std::vector<Place> places = crowded_places(triangles, stays);
  std::vector<int> pairs;
  for (const Place& place : places) {
    if (place.balanced()) pairs.push_back(place.first());
    else stays[place.first()] = true;
  }
  Sheets sheets(triangles, stays, pairs);
  const bool only_pairs = std::none_of(stays.begin(), stays.end(), [](bool b) { return b; });
  TriangleCopies out;
  for (const Place& place : places) {
    const int first = place.first();
    const bool one_stays = !place.balanced() || only_pairs || sheets.worth_keeping(first);
    const std::size_t cancelled = place.balanced() && one_stays ? 0 : place.pairs();
    for (const std::vector<int>& ids : place.ids)
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] == first && one_stays) continue;
        // The last ones cancel: the first of the majority stays.
        if (i + cancelled >= ids.size()) out.opposite.push_back(ids[i]);
        else out.repeated.emplace_back(ids[i], first);
      }
  }
  std::sort(out.repeated.begin(), out.repeated.end());
  std::sort(out.opposite.begin(), out.opposite.end());
  return out;
}

}  // namespace resilin
