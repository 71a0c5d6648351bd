#include "contact/broad_phase/body_boxes.h"

#include <algorithm>

#include "geometry/vec3.h"

namespace resilin {

double squared_distance(const Bounds& a, const Bounds& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({a.lower[k] - b.upper[k], b.lower[k] - a.upper[k], 0.0});
    sum += gap * gap;
  }
  return sum;
}

std::vector<Bounds> body_boxes(const ContactSurface& surface, const double* x) {
  std::vector<Bounds> out(surface.body_count, bounds({}));
  for (const int v : surface.vertices) extend(out[surface.body[v]], {vertex_at(x, v), vertex_at(x, v)});
  return out;
}

// A sweep along x: only boxes that are close there are compared.
std::vector<std::array<int, 2>> near_pairs(std::span<const Bounds> boxes, double radius) {
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    if (boxes[i].lower[0] <= boxes[i].upper[0]) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return boxes[a].lower[0] < boxes[b].lower[0] || (boxes[a].lower[0] == boxes[b].lower[0] && a < b);
  });
  std::vector<std::array<int, 2>> out;
  std::vector<int> open;
  for (const int i : order) {
    std::erase_if(open, [&](int j) { return boxes[j].upper[0] + radius < boxes[i].lower[0]; });
    for (const int j : open)
      if (squared_distance(boxes[i], boxes[j]) < radius * radius) out.push_back({std::min(i, j), std::max(i, j)});
    open.push_back(i);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace resilin
