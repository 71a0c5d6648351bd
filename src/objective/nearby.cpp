#include "objective/nearby.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "objective/chunks.h"

namespace resilin {

bool Nearby::moved_too_far(const Term& term, const double* x, ThreadPool& pool) const {
  if (!(clearance_ >= 0)) return true;
  if (clearance_ == std::numeric_limits<double>::infinity()) return false;
  const double most = clearance_ / std::sqrt(3.0);  // along each axis
  std::atomic<bool> far = false;
  for_chunks(pool, std::ssize(from_), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
    bool here = false;
    for (std::ptrdiff_t i = b / 3; i < e / 3; ++i) {
      const double* at = x + 3 * static_cast<std::size_t>(term.elements.vertices(static_cast<int>(i))[0]);
      for (int k = 0; k < 3; ++k) here = here || !(std::abs(at[k] - from_[3 * i + k]) <= most);
    }
    if (here) far = true;
  });
  return far;
}

bool Nearby::cover(const Term& term, double time, const double* x, ThreadPool& pool) {
  const bool later = time != time_ && std::any_of(term.elastic.begin(), term.elastic.end(),
                                                  [](const auto& potential) { return potential->moves(); });
  if (!later && !moved_too_far(term, x, pool)) return false;
  const Elements& elements = term.elements;
  const auto count = static_cast<std::size_t>(elements.size());
  constexpr double infinite = std::numeric_limits<double>::infinity();
  time_ = time;
  from_.resize(3 * count), room_.resize(count), least_.assign(count, infinite);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(x + 3 * static_cast<std::size_t>(elements.vertices(static_cast<int>(i))[0]), 3, &from_[3 * i]);
  for (const auto& potential : term.elastic) {
    potential->clearance(time, from_, room_);
    for (std::size_t i = 0; i < count; ++i) least_[i] = std::min(least_[i], room_[i]);
  }
  clearance_ = infinite;
  std::vector<int> listed;
  for (std::size_t i = 0; i < count; ++i)
    if (!(least_[i] > margin_)) listed.push_back(static_cast<int>(i));
    else clearance_ = std::min(clearance_, least_[i]);
  if (listed == listed_) return false;
  listed_ = std::move(listed);
  return true;
}

}  // namespace resilin
