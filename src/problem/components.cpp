#include "problem/components.h"

#include <algorithm>
#include <numeric>

namespace resilin {

ComponentSet::ComponentSet(std::span<const int> of_vertex) {
  const auto size = static_cast<std::ptrdiff_t>(of_vertex.size());
  int count = 0;
  for (std::ptrdiff_t v = 0; v < size; ++v) {
    count = std::max(count, of_vertex[v] + 1);
    const bool goes_on = !chunks_.empty() && chunks_.back().component == of_vertex[v] &&
                         chunks_.back().end - chunks_.back().begin < vector_chunk;
    if (!goes_on) chunks_.push_back({of_vertex[v], 3 * v, 3 * v});
    chunks_.back().end += 3;
  }
  size_ = 3 * size;
  active_.assign(count, 0);
  part();
  activate_all();
}

ComponentSet ComponentSet::whole(std::ptrdiff_t size) {
  ComponentSet out;
  for (std::ptrdiff_t begin = 0; begin < size; begin += vector_chunk)
    out.chunks_.push_back({0, begin, std::min(size, begin + vector_chunk)});
  out.size_ = size;
  out.active_.assign(1, 0);
  out.part();
  out.activate_all();
  return out;
}

void ComponentSet::activate_all() {
  if (active_count_ == count() && active_count_ > 0) return;
  std::fill(active_.begin(), active_.end(), 1);
  choose();
}

void ComponentSet::set_active(std::span<const char> active) {
  if (std::equal(active.begin(), active.end(), active_.begin())) return;
  std::copy(active.begin(), active.end(), active_.begin());
  choose();
}

void ComponentSet::part() {
  if (!joined_ && island_.size() == active_.size()) return;
  island_.resize(active_.size());
  std::iota(island_.begin(), island_.end(), 0);
  joined_ = false;
}

bool ComponentSet::join(int a, int b) {
  const auto [first, second] = std::minmax(island_[a], island_[b]);
  if (first == second) return false;
  std::replace(island_.begin(), island_.end(), int{second}, int{first});
  joined_ = true;
  return true;
}

void ComponentSet::share(int k, std::vector<double>& sums) const {
  if (!joined_) return;
  const auto at = [&](int component, int i) -> double& { return sums[component * k + i]; };
  for (int c = 0; c < count(); ++c)
    for (int i = 0; i < k && !leads(c); ++i) at(island_[c], i) += at(c, i);
  for (int c = 0; c < count(); ++c)
    for (int i = 0; i < k && !leads(c); ++i) at(c, i) = at(island_[c], i);
}

// The chunks of active components.
void ComponentSet::choose() {
  ++activations_;
  active_count_ = static_cast<int>(std::count(active_.begin(), active_.end(), 1));
  active_chunks_.clear();
  for (const Chunk& chunk : chunks_)
    if (active_[chunk.component] != 0) active_chunks_.push_back(chunk);
}

}  // namespace resilin
