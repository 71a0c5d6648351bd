#include "simulation/drag.h"

#include <cmath>

#include "potentials/pin.h"
#include "resilin/errors.h"
#include "simulation/checks.h"

namespace resilin {
namespace {

double share(const Drag& drag, std::size_t i) {
  return drag.weights.empty() ? 1 / static_cast<double>(drag.vertices.size()) : drag.weights[i];
}

std::vector<double> offsets_from_middle(const Drag& drag, const std::vector<double>& q) {
  std::vector<double> out;
  std::array<double, 3> middle{0, 0, 0};
  for (std::size_t i = 0; i < drag.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      out.push_back(q[3 * drag.vertices[i] + k]);
      middle[k] += share(drag, i) * out.back();
    }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= middle[i % 3];
  return out;
}

// As barycentric coordinates of a point within.
void check_weights(const Drag& drag) {
  check_numbers(drag.weights, drag.vertices.size(), "drag: weights");
  double sum = 0;
  for (const double w : drag.weights) {
    if (!(w >= 0)) throw InputError("drag", "weights must not be negative");
    sum += w;
  }
  if (!(std::abs(sum - 1) <= 1e-6)) throw InputError("drag", "weights must sum to 1");
}

}  // namespace

void complete_drag(Drag& drag, const std::vector<double>& q) {
  if (!drag.weights.empty()) check_weights(drag);
  if (drag.offsets.empty()) drag.offsets = offsets_from_middle(drag, q);
  check_numbers(drag.offsets, 3 * drag.vertices.size(), "drag: offsets");
  check_numbers(drag.target, 3, "drag: target");
  if (!(drag.stiffness > 0) || !std::isfinite(drag.stiffness))
    throw InputError("drag", "the stiffness must be positive");
}

Term drag_term(const Drag& drag) {
  std::vector<double> targets = drag.offsets;
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] += drag.target[i % 3];
  Elements points(ElementKind::point);
  const double one = 1;
  for (std::size_t i = 0; i < drag.vertices.size(); ++i)
    points.add(std::span(&drag.vertices[i], 1), std::span(&one, 1), share(drag, i));
  return {drag.name, std::move(points), {make_pin(drag.stiffness, targets, {})}};
}

}  // namespace resilin
