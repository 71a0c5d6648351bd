#include "geometry/box_tree.h"

#include <numeric>

namespace resilin {
namespace {

constexpr int leaf_size = 4;

double middle(const Bounds& box, int axis) { return 0.5 * box.lower[axis] + 0.5 * box.upper[axis]; }

int longest_axis(const Bounds& box) {
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (box.upper[k] - box.lower[k] > box.upper[axis] - box.lower[axis]) axis = k;
  return axis;
}

}  // namespace

BoxTree::BoxTree(std::span<const Bounds> boxes) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!boxes.empty()) build(boxes, 0, static_cast<int>(boxes.size()));
}

// Cut in the middle of the list along the axis in which the primitives spread most; ids decide between equals.
int BoxTree::build(std::span<const Bounds> boxes, int first, int count) {
  const int id = static_cast<int>(nodes_.size());
  Bounds box = bounds({}), centres = bounds({});
  for (int i = first; i < first + count; ++i) {
    const Bounds& one = boxes[order_[i]];
    extend(box, one);
    extend(centres, Vec3{middle(one, 0), middle(one, 1), middle(one, 2)});
  }
  nodes_.push_back({box, first, count, 0});
  if (count <= leaf_size) return id;
  const int axis = longest_axis(centres), half = count / 2;
  const auto before = [&](int a, int b) {
    const double ca = middle(boxes[a], axis), cb = middle(boxes[b], axis);
    return ca != cb ? ca < cb : a < b;
  };
  std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count, before);
  build(boxes, first, half);
  const int right = build(boxes, first + half, count - half);
  nodes_[id].right = right;
  return id;
}

}  // namespace resilin
