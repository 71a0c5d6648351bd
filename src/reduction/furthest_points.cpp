#include "reduction/furthest_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "resilin/watch.h"

namespace resilin {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

class ElementSampler {
 public:
  ElementSampler(const EdgeGraph& graph, const Elements& elements)
      : graph_(graph),
        elements_(elements),
        search_(graph),
        distance_(graph.size(), infinite),
        owner_(graph.size(), -1),
        taken_(elements.size(), -1) {}

  void take(int element) {
    if (taken_[element] >= 0) return;
    const int sample = static_cast<int>(chosen_.size());
    taken_[element] = sample;
    chosen_.push_back(element);
    const auto ids = elements_.vertices(element);
    const auto corners = static_cast<double>(ids.size());
    double centre[3] = {0, 0, 0};
    for (const int v : ids)
      for (int k = 0; k < 3; ++k) centre[k] += graph_.position[4 * v + k] / corners;
    sources_.clear();
    for (const int v : ids) {
      const double* x = &graph_.position[4 * v];
      sources_.push_back({v, std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2])});
    }
    for (const int v : search_.run(sources_, infinite, distance_.data()))
      distance_[v] = search_.distance(v), owner_[v] = sample;
  }

  void extend(int count) {
    std::vector<Furthest> all;
    for (int i = 0; i < elements_.size(); ++i) all.push_back({mean(i), i});
    std::priority_queue<Furthest> queue({}, std::move(all));
    while (static_cast<int>(chosen_.size()) < count && !queue.empty()) {
      const Furthest top = queue.top();
      queue.pop();
      if (taken_[top.id] >= 0) continue;
      if (const double now = mean(top.id); now < top.distance) {
        queue.push({now, top.id});
        continue;
      }
      watch_check();
      take(top.id);
    }
  }

  // An element belongs to the sample that is nearest to its nearest corner.
  ElementSamples result() const {
    ElementSamples out{chosen_, std::vector<double>(chosen_.size(), 0.0)};
    for (int i = 0; i < elements_.size(); ++i) {
      int owner = taken_[i];
      double least = infinite;
      if (owner < 0)
        for (const int v : elements_.vertices(i))
          if (distance_[v] < least) least = distance_[v], owner = owner_[v];
      out.measure[owner < 0 ? 0 : owner] += elements_.measure(i);
    }
    return out;
  }

 private:
  double mean(int element) const {
    double sum = 0;
    for (const int v : elements_.vertices(element)) sum += distance_[v];
    return sum / elements_.corners();
  }

  const EdgeGraph& graph_;
  const Elements& elements_;
  GeodesicSearch search_;
  std::vector<double> distance_;
  std::vector<int> owner_, taken_, chosen_;  // sample of a vertex, of an element; element of a sample
  std::vector<GeodesicSearch::Source> sources_;
};

}  // namespace

FurthestVertices::FurthestVertices(const EdgeGraph& graph, int seed)
    : graph_(graph), search_(graph), taken_(graph.size(), 0), distance_(graph.size(), infinite) {
  for (int v = 0; v < graph.size(); ++v) queue_.push({infinite, v});
  std::uint64_t h = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15u + 0xd1342543de82ef95u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  if (graph.size() > 0) first_ = static_cast<int>((h ^ (h >> 31)) % static_cast<std::uint64_t>(graph.size()));
}

void FurthestVertices::extend(int count) {
  while (static_cast<int>(chosen_.size()) < std::min(count, graph_.size())) {
    if (chosen_.empty()) {
      take(first_);
      continue;
    }
    const Furthest top = queue_.top();
    queue_.pop();
    if (taken_[top.id] != 0) continue;
    if (distance_[top.id] < top.distance) queue_.push({distance_[top.id], top.id});
    else take(top.id);
  }
}

void FurthestVertices::complete(int share) {
  std::vector<int> all(graph_.components, 0), of(all);
  for (const int c : graph_.component) ++all[c];
  for (const int v : chosen_) ++of[graph_.component[v]];
  for (int v = 0; v < graph_.size(); ++v) {
    const int c = graph_.component[v];
    if (all[c] <= share * of[c] && taken_[v] == 0) take(v);
  }
}

void FurthestVertices::take(int vertex) {
  watch_check();
  taken_[vertex] = 1;
  chosen_.push_back(vertex);
  const GeodesicSearch::Source source{vertex, 0};
  if (distance_[vertex] == 0) return;  // it stands where another one does
  for (const int v : search_.run({&source, 1}, infinite, distance_.data())) distance_[v] = search_.distance(v);
}

std::vector<double> FurthestVertices::radius_of_covering() const {
  std::vector<double> out(graph_.components, 0.0);
  for (int v = 0; v < graph_.size(); ++v)
    out[graph_.component[v]] = std::max(out[graph_.component[v]], distance_[v]);
  return out;
}

Adjacency elements_at(const Elements& elements, int vertices, Members members) {
  std::vector<int> all(members ? 0 : elements.size());
  std::iota(all.begin(), all.end(), 0);
  const std::span<const int> chosen = members.value_or(all);
  Adjacency out;
  out.start.assign(vertices + 1, 0);
  for (const int i : chosen)
    for (const int v : elements.vertices(i)) ++out.start[v + 1];
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.ids.resize(out.start.back());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (const int i : chosen)
    for (const int v : elements.vertices(i)) out.ids[next[v]++] = i;
  return out;
}

ElementSamples furthest_elements(const EdgeGraph& graph, const Elements& elements, std::span<const int> first,
                                 int count) {
  ElementSamples out;
  if (elements.size() <= count) {
    for (int i = 0; i < elements.size(); ++i) out.element.push_back(i), out.measure.push_back(elements.measure(i));
    return out;
  }
  ElementSampler sampler(graph, elements);
  const Adjacency at = elements_at(elements, graph.size());
  for (std::size_t i = 0; i < first.size() && static_cast<int>(i) < count; ++i)
    if (!at[first[i]].empty()) sampler.take(at[first[i]][0]);
  sampler.extend(count);
  return sampler.result();
}

}  // namespace resilin
