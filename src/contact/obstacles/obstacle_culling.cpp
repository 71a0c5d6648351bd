#include "contact/obstacles/obstacle_culling.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/chunks.h"

namespace resilin {
namespace {

constexpr int short_lived = 200, most_growths = 4;  // questions, some frames
constexpr double grown = 1.5;

}  // namespace

bool ObstacleCulling::arrived(const double* x, ThreadPool& pool) const {
  std::atomic<bool> any = false;
  for_chunks(pool, std::ssize(far_), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
    unsigned beyond = 0;  // no branch in the loop
    for (std::ptrdiff_t i = b; i < e; ++i) {
      const Far& far = far_[i];
      const double* at = x + 3 * far.vertex;
      const double d[3] = {at[0] - far.from[0], at[1] - far.from[1], at[2] - far.from[2]};
      beyond |= !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= far.clearance * far.clearance);
    }
    if (beyond != 0) any = true;
  });
  return any;
}

bool ObstacleCulling::ensure_listed(const Term& term, double time, const double* x, ThreadPool& pool) {
  const bool later = time != time_ && std::any_of(term.elastic.begin(), term.elastic.end(),
                                                  [](const auto& potential) { return potential->moves(); });
  if (!later && lasted_ >= 0 && !arrived(x, pool)) {
    ++lasted_;
    return false;
  }
  if (!later && lasted_ >= 0 && lasted_ < short_lived && growths_ < most_growths) margin_ *= grown, ++growths_;
  const Elements& elements = term.elements;
  const auto count = static_cast<std::size_t>(elements.size());
  constexpr double infinite = std::numeric_limits<double>::infinity();
  time_ = time, lasted_ = 0;
  at_.resize(3 * count), room_.resize(count), least_.assign(count, infinite);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(x + 3 * elements.vertices(static_cast<int>(i))[0], 3, &at_[3 * i]);
  for (const auto& potential : term.elastic) {
    potential->clearance(time, at_, room_);
    for (std::size_t i = 0; i < count; ++i) least_[i] = std::min(least_[i], room_[i]);
  }
  far_.clear();
  std::vector<int> listed;
  for (std::size_t i = 0; i < count; ++i)
    if (!(least_[i] > margin_)) listed.push_back(static_cast<int>(i));
    else if (least_[i] < infinite)
      far_.push_back(
          {elements.vertices(static_cast<int>(i))[0], {at_[3 * i], at_[3 * i + 1], at_[3 * i + 2]}, least_[i]});
  if (listed == listed_) return false;
  listed_ = std::move(listed);
  return true;
}

}  // namespace resilin
