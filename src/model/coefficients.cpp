#include "model/coefficients.h"

#include <algorithm>

#include "simd/pack.h"

namespace resilin {

PackedCoefficients Coefficients::pack(std::span<const int> slot_element) const {
  bool same = true;
  for (int i = 1; i < size() && same; ++i) same = std::equal(element(0), element(0) + count_, element(i));
  const std::size_t packs = same ? 1 : slot_element.size() / lanes;
  PackedCoefficients out;
  out.stride_ = same ? 0 : static_cast<std::size_t>(count_) * lanes;
  out.packed_.assign(packs * static_cast<std::size_t>(count_) * lanes, 0.0);
  if (size() == 0) return out;
  for (std::size_t slot = 0; slot < packs * lanes; ++slot) {
    const double* from = element(same ? 0 : slot_element[slot]);
    double* to = out.packed_.data() + (slot / lanes) * static_cast<std::size_t>(count_) * lanes + slot % lanes;
    for (int c = 0; c < count_; ++c) to[c * lanes] = from[c];
  }
  return out;
}

}  // namespace resilin
