// One cut of a recursive bisection: items are ordered along the axis of their longest extent. Called by the
// partition and by patches of contacts.
#pragma once
#include <algorithm>
#include <array>
#include <span>

namespace resilin {

/// Sorts items along that axis. place(item) gives three coordinates; `before` orders items at the same place. An
/// axis that is longer by round-off only does not count, so that cuts do not depend on it.
template <class Item, class Place, class Before>
void sort_along_longest(std::span<Item> items, Place place, Before before) {
  if (items.empty()) return;
  std::array<double, 3> low, high;
  for (std::size_t k = 0; k < 3; ++k) low[k] = high[k] = place(items[0])[k];
  for (const Item& item : items) {
    const auto& at = place(item);
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], at[k]), high[k] = std::max(high[k], at[k]);
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (high[k] - low[k] > (high[axis] - low[axis]) * (1 + 1e-9)) axis = k;
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    const double x = place(a)[axis], y = place(b)[axis];
    return x != y ? x < y : before(a, b);
  });
}

}  // namespace resilin
