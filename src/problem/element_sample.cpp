#include "problem/element_sample.h"

#include <algorithm>
#include <utility>

#include "problem/space.h"

namespace resilin {
namespace {

constexpr int one_in = 96, least = 128;  // elements sampled of a term and component: a part of them, and at least
constexpr int group_elements = 64;

// Elements of a term by component, in the order of the partition: neighbours stand together.
std::vector<std::vector<int>> by_component(const Partition& partition, const Elements& elements, int term) {
  const auto& component = partition.component();
  std::vector<std::vector<int>> out(component.empty() ? 0
                                                      : *std::max_element(component.begin(), component.end()) + 1);
  for (int part = 0; part < partition.parts(); ++part)
    for (const int i : partition.elements(term, part)) out[component[elements.vertices(i)[0]]].push_back(i);
  return out;
}

// Many components share the least number, but each keeps a quarter of its elements up to that.
int wanted(int elements, int components) {
  if (elements * components <= 2 * least) return elements;
  return std::min(elements, std::max({elements / one_in, least / components, std::min(elements / 4, least)}));
}

std::vector<int> choose(const std::vector<int>& members, int count) {
  std::vector<int> out;
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t size = std::ssize(members), first = i * size / count, last = (i + 1) * size / count;
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's
    out.push_back(
        members[first + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(last - first))]);
  }
  return out;
}

double total_measure(const Elements& elements, const std::vector<int>& members) {
  double sum = 0;
  for (const int i : members) sum += elements.measure(i);
  return sum;
}

}  // namespace

ElementSample sample_elements(const Model& model, const Partition& partition) {
  std::vector<int> row_of(model.vertex_count(), 0);
  for (int v = 0; v < model.vertex_count(); ++v)
    if (!partition.copies_of(v).empty()) row_of[v] = partition.copies_of(v)[0];
  ElementSample out;
  std::vector<char> met(model.vertex_count(), 0);
  for (int t = 0; t < static_cast<int>(model.terms.size()); ++t) {
    const Term& term = model.terms[t];
    const auto components = by_component(partition, term.elements, t);
    const auto used = static_cast<int>(
        std::count_if(components.begin(), components.end(), [](const auto& members) { return !members.empty(); }));
    ElementGroups groups;
    for (int c = 0; c < static_cast<int>(components.size()); ++c) {
      const auto& members = components[c];
      if (members.empty() || !has_quadratic(term, members[0])) continue;
      const auto sampled = choose(members, wanted(static_cast<int>(members.size()), used));
      const double factor = total_measure(term.elements, members) / total_measure(term.elements, sampled);
      for (std::size_t i = 0; i < sampled.size(); ++i) {
        groups.element.push_back(sampled[i]);
        groups.factor.push_back(factor);
        for (const int v : term.elements.vertices(sampled[i]))
          if (std::exchange(met[v], 1) == 0) out.corners.push_back({v, row_of[v]});
        if ((i + 1) % group_elements != 0 && i + 1 != sampled.size()) continue;
        out.groups.push_back({t, static_cast<int>(groups.start.size()) - 1, c, sampled.size() == members.size()});
        groups.start.push_back(static_cast<int>(groups.element.size()));
      }
    }
    out.terms.emplace_back(model, t, groups, row_of);
    out.kernels.emplace_back(term, out.terms.back().slot_element());
  }
  return out;
}

}  // namespace resilin
