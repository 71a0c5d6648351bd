#include "reduction/handle_weights.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "resilin/watch.h"

namespace resilin {
namespace {

struct Reached {
  int vertex;
  double distance;
};

constexpr int search_parts = 32;  // each has a search of its own while it runs

// The vertices within its radius, of every handle.
std::vector<std::vector<Reached>> vertices_within(const EdgeGraph& graph, std::span<const int> handles,
                                                  std::span<const double> radius, ThreadPool& pool) {
  std::vector<std::vector<Reached>> out(handles.size());
  pool.parallel(std::min(search_parts, static_cast<int>(handles.size())), [&](int part) {
    GeodesicSearch search(graph);
    for (std::size_t j = part; j < handles.size(); j += search_parts) {
      const GeodesicSearch::Source source{handles[j], 0};
      const auto found = search.run({&source, 1}, radius[graph.component[handles[j]]]);
      out[j].reserve(found.size());
      for (const int v : found) out[j].push_back({v, search.distance(v)});
    }
  });
  return out;
}

double falloff(double distance, double radius) {
  const double s = distance / radius;
  return s < 1 ? 1 - s * s * (3 - 2 * s) : 0;
}

// Of each vertex.
std::vector<int> nearest_handles(const EdgeGraph& graph, std::span<const int> handles) {
  std::vector<int> out(graph.size(), -1);
  std::vector<double> distance(out.size(), std::numeric_limits<double>::infinity());
  GeodesicSearch search(graph);
  for (std::size_t j = 0; j < handles.size(); ++j) {
    const GeodesicSearch::Source source{handles[j], 0};
    for (const int v : search.run({&source, 1}, std::numeric_limits<double>::infinity(), distance.data()))
      out[v] = static_cast<int>(j), distance[v] = search.distance(v);
  }
  return out;
}

}  // namespace

HandleWeights handle_weights(const EdgeGraph& graph, std::span<const int> handles, std::span<const double> radius,
                             ThreadPool& pool) {
  watch_begin("distances of handles");
  const auto reached = vertices_within(graph, handles, radius, pool);
  const auto n = static_cast<std::size_t>(graph.size());
  HandleWeights out;
  out.start.assign(n + 1, 0);
  const auto each = [&](auto visit) {
    for (std::size_t j = 0; j < handles.size(); ++j)
      for (const auto& [v, d] : reached[j])
        if (const double b = v == handles[j] ? 1 : falloff(d, radius[graph.component[v]]); b > 0)
          visit(static_cast<int>(j), v, b);
  };
  each([&](int, int v, double) { ++out.start[v + 1]; });
  std::vector<int> nearest;
  for (std::size_t v = 0; v < n; ++v)
    if (out.start[v + 1] == 0) {
      if (nearest.empty()) nearest = nearest_handles(graph, handles);
      out.start[v + 1] = 1;
    }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.handle.assign(out.start[n], -1);
  out.weight.assign(out.handle.size(), 1.0);
  std::vector<std::int64_t> next(out.start.begin(), out.start.end() - 1);
  each([&](int j, int v, double b) { out.handle[next[v]] = j, out.weight[next[v]++] = b; });
  for (std::size_t v = 0; v < n; ++v) {
    if (next[v] == out.start[v]) out.handle[out.start[v]] = nearest[v];
    double sum = 0;
    for (std::int64_t s = out.start[v]; s < out.start[v + 1]; ++s) sum += out.weight[s];
    for (std::int64_t s = out.start[v]; s < out.start[v + 1]; ++s) out.weight[s] /= sum;
  }
  return out;
}

}  // namespace resilin
