#include "simulation/drag.h"

#include <cmath>

#include "potentials/pin.h"
#include "resilin/errors.h"
#include "simulation/checks.h"

namespace resilin {
namespace {

std::vector<double> offsets_from_middle(const std::vector<int>& vertices, const std::vector<double>& q) {
  std::vector<double> out;
  std::array<double, 3> middle{0, 0, 0};
  for (const int v : vertices)
    for (int k = 0; k < 3; ++k) {
      out.push_back(q[3 * static_cast<std::size_t>(v) + k]);
      middle[k] += out.back() / static_cast<double>(vertices.size());
    }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= middle[i % 3];
  return out;
}

}  // namespace

void complete_drag(Drag& drag, const std::vector<double>& q) {
  if (drag.offsets.empty()) drag.offsets = offsets_from_middle(drag.vertices, q);
  check_numbers(drag.offsets, 3 * drag.vertices.size(), "drag: offsets");
  check_numbers(drag.target, 3, "drag: target");
  if (!(drag.stiffness > 0) || !std::isfinite(drag.stiffness))
    throw InputError("drag", "the stiffness must be positive");
}

Term drag_term(const Drag& drag) {
  std::vector<double> targets = drag.offsets;
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] += drag.target[i % 3];
  const double each = drag.stiffness / static_cast<double>(drag.vertices.size());
  return {drag.name, Elements::points(drag.vertices), {make_pin(each, targets, {})}};
}

}  // namespace resilin
