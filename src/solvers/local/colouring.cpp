#include "solvers/local/colouring.h"

#include <algorithm>
#include <numeric>

#include "simd/pack.h"

namespace resilin {
namespace {

int vertex_bound(const Elements& elements) {
  int bound = 0;
  for (int i = 0; i < elements.size(); ++i)
    for (const int v : elements.vertices(i)) bound = std::max(bound, v + 1);
  return bound;
}

// Marks vertices with the number of a group or pack.
class Marks {
 public:
  explicit Marks(const Elements& elements) : elements_(elements), mark_(vertex_bound(elements), -1) {}
  bool take(int element, int number) {
    const auto ids = elements_.vertices(element);
    if (std::any_of(ids.begin(), ids.end(), [&](int v) { return mark_[v] == number; })) return false;
    for (const int v : ids) mark_[v] = number;
    return true;
  }

 private:
  const Elements& elements_;
  std::vector<int> mark_;
};

void add_pack(VisitOrder& order, std::span<const int> elements) {
  for (int l = 0; l < lanes; ++l)
    order.slot_element.push_back(elements[l < static_cast<int>(elements.size()) ? l : 0]);
  order.active.push_back(static_cast<int>(elements.size()));
}

// Largest first: few colours, because the crowded elements choose while there is room.
std::vector<int> by_neighbours(const Elements& elements) {
  std::vector<int> degree(vertex_bound(elements), 0), crowd(elements.size(), 0), out(elements.size());
  for (int i = 0; i < elements.size(); ++i)
    for (const int v : elements.vertices(i)) ++degree[v];
  for (int i = 0; i < elements.size(); ++i)
    for (const int v : elements.vertices(i)) crowd[i] += degree[v];
  std::iota(out.begin(), out.end(), 0);
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return crowd[a] > crowd[b]; });
  return out;
}

}  // namespace

VisitOrder colour_order(const Elements& elements) {
  VisitOrder order;
  order.group_start = {0};
  Marks marks(elements);
  std::vector<int> left = by_neighbours(elements), later, colour;
  for (int number = 0; !left.empty(); ++number) {
    colour.clear(), later.clear();
    for (const int i : left) (marks.take(i, number) ? colour : later).push_back(i);
    std::sort(colour.begin(), colour.end());
    const std::span<const int> all(colour);
    for (std::size_t at = 0; at < all.size(); at += lanes)
      add_pack(order, all.subspan(at, std::min<std::size_t>(lanes, all.size() - at)));
    order.group_start.push_back(order.packs());
    left.swap(later);
  }
  return order;
}

VisitOrder serial_order(const Elements& elements) {
  VisitOrder order;
  order.group_start = {0};
  Marks marks(elements);
  std::vector<int> run;
  for (int i = 0; i <= elements.size(); ++i) {
    const bool fits = i < elements.size() && run.size() < lanes && marks.take(i, order.packs());
    if (!fits && !run.empty()) {
      add_pack(order, run);
      order.group_start.push_back(order.packs());
      run.clear();
      if (i < elements.size()) marks.take(i, order.packs());
    }
    if (i < elements.size()) run.push_back(i);
  }
  return order;
}

}  // namespace resilin
