#include "model/partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry/bisection.h"
#include "model/components.h"

namespace resilin {
namespace {

// About 1300 tets: copies and forces of a part stay in the second-level cache.
constexpr double part_weight = 12000;
// A sample has few elements that share nothing: small parts, so that all threads have some.
constexpr double sample_part_weight = 1200;

struct Item {
  std::array<double, 3> centre;
  double weight;
  int term, element, component;
  double factor;
};

// By component, in the order of the model.
std::vector<Item> collect(const Model& model, const SampledElements* sample, const std::vector<int>& component) {
  std::vector<Item> items;
  for (int t = 0; t < static_cast<int>(model.terms.size()); ++t) {
    const Elements& e = model.terms[t].elements;
    const int count = sample == nullptr ? e.size() : static_cast<int>(sample->terms[t].elements.size());
    items.reserve(items.size() + static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
      const int i = sample == nullptr ? n : sample->terms[t].elements[n];
      Item item{{0, 0, 0},
                static_cast<double>(e.rows() * e.corners() - (e.translation_free() ? e.rows() : 0)),
                t,
                i,
                component[e.vertices(i)[0]],
                sample == nullptr ? 1 : sample->terms[t].factor[n]};
      for (const int v : e.vertices(i))
        for (int k = 0; k < 3; ++k) item.centre[k] += model.rest[3 * v + k] / e.corners();
      items.push_back(item);
    }
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.component < b.component; });
  return items;
}

// Recursive bisection across the longest extent at the weighted middle; ties keep the order of the model.
void bisect(std::span<Item> items, int parts, std::vector<int>& ends) {
  if (parts <= 1 || items.size() <= 1) {
    ends.push_back((ends.empty() ? 0 : ends.back()) + static_cast<int>(items.size()));
    return;
  }
  double total = 0;
  for (const Item& it : items) total += it.weight;
  sort_along_longest(
      items, [](const Item& it) -> const std::array<double, 3>& { return it.centre; },
      [](const Item& a, const Item& b) { return a.term != b.term ? a.term < b.term : a.element < b.element; });
  const int left_parts = parts / 2;
  double sum = 0;
  std::size_t cut = 0;
  while (cut < items.size() && sum < total * left_parts / parts) sum += items[cut++].weight;
  bisect(items.first(cut), left_parts, ends);
  bisect(items.subspan(cut), parts - left_parts, ends);
}

}  // namespace

Partition::Partition(const Model& model, const SampledElements* sample) {
  component_ = connected_components(model);
  std::vector<Item> items = collect(model, sample, component_);
  const double weight = sample == nullptr ? part_weight : sample_part_weight;
  std::vector<int> ends;
  for (auto first = items.begin(); first != items.end();) {
    const auto last =
        std::find_if(first, items.end(), [&](const Item& it) { return it.component != first->component; });
    double total = 0;
    for (auto it = first; it != last; ++it) total += it->weight;
    bisect({first, last}, std::clamp(static_cast<int>(std::ceil(total / weight)), 1, 1024), ends);
    part_component_.resize(ends.size(), first->component);
    first = last;
  }

  const int terms = static_cast<int>(model.terms.size());
  term_start_.assign(terms, {0});
  term_elements_.resize(terms);
  if (sample != nullptr) term_factors_.resize(terms);
  offset_ = {0};
  int begin = 0;
  std::vector<int> seen(model.vertex_count(), -1);
  for (int part = 0; part < static_cast<int>(ends.size()); ++part) {
    std::sort(items.begin() + begin, items.begin() + ends[part], [](const Item& a, const Item& b) {
      return a.term != b.term ? a.term < b.term : a.element < b.element;
    });
    const std::size_t first = local_.size();
    for (int i = begin; i < ends[part]; ++i) {
      term_elements_[items[i].term].push_back(items[i].element);
      if (sample != nullptr) term_factors_[items[i].term].push_back(items[i].factor);
      for (const int v : model.terms[items[i].term].elements.vertices(items[i].element)) {
        if (seen[v] == part) continue;
        seen[v] = part;
        local_.push_back(v);
      }
    }
    std::sort(local_.begin() + static_cast<std::ptrdiff_t>(first), local_.end());
    for (int t = 0; t < terms; ++t) term_start_[t].push_back(static_cast<int>(term_elements_[t].size()));
    offset_.push_back(static_cast<int>(local_.size()));
    begin = ends[part];
  }

  copy_start_.assign(model.vertex_count() + 1, 0);
  for (const int v : local_) ++copy_start_[v + 1];
  std::partial_sum(copy_start_.begin(), copy_start_.end(), copy_start_.begin());
  copy_.resize(local_.size());
  std::vector<int> next(copy_start_.begin(), copy_start_.end() - 1);
  for (int row = 0; row < static_cast<int>(local_.size()); ++row) copy_[next[local_[row]]++] = row;
}

}  // namespace resilin
