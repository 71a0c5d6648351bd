// A tree of boxes over primitives that are known by their boxes only: whoever owns them searches it for what is
// near a point or touches a box (a ray along an axis is a flat box). Cut in the middle, so that its depth is
// log2(n) whatever the boxes are.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "geometry/vec3.h"

namespace resilin {

class BoxTree {
 public:
  struct Node {
    Bounds box;
    int first, count;  // in order()
    int right;         // the left child follows its parent; 0: a leaf
  };

  explicit BoxTree(std::span<const Bounds> boxes);

  const std::vector<Node>& nodes() const { return nodes_; }
  /// The primitives, those of a node side by side.
  const std::vector<int>& order() const { return order_; }

  /// Calls visit(primitive) for those whose box may be closer to p than sqrt(limit), nearer nodes first. `visit`
  /// may lower `limit` while the search goes on.
  template <class Visit>
  void search(const Vec3& p, const double& limit, Visit&& visit) const {
    struct Waiting {  // without first values: nobody pays for 128 of them
      double squared;
      int node;
    };
    std::array<Waiting, 128> stack;
    int size = 0;
    if (!nodes_.empty()) stack[size++] = {squared_distance(nodes_[0].box, p), 0};
    while (size > 0) {
      const auto [squared, i] = stack[--size];
      if (squared >= limit) continue;
      const Node& node = nodes_[i];
      if (node.right == 0) {
        for (int k = 0; k < node.count; ++k) visit(order_[node.first + k]);
        continue;
      }
      Waiting near{squared_distance(nodes_[i + 1].box, p), i + 1};
      Waiting far{squared_distance(nodes_[node.right].box, p), node.right};
      if (far.squared < near.squared) std::swap(near, far);
      if (far.squared < limit) stack[size++] = far;
      if (near.squared < limit) stack[size++] = near;
    }
  }

  /// Calls visit(primitive) for those in leaves that touch `query`, in a fixed order; visit returns whether to go
  /// on.
  template <class Visit>
  void touching(const Bounds& query, Visit&& visit) const {
    std::array<int, 64> stack;  // depth <= 32, at most one sibling waits per level
    int size = 0;
    if (!nodes_.empty()) stack[size++] = 0;
    while (size > 0) {
      const int at = stack[--size];
      const Node& node = nodes_[at];
      if (!touch(node.box, query)) continue;
      if (node.right > 0) {
        stack[size++] = node.right;
        stack[size++] = at + 1;
        continue;
      }
      for (int k = 0; k < node.count; ++k)
        if (!visit(order_[node.first + k])) return;
    }
  }

 private:
  static double squared_distance(const Bounds& box, const Vec3& p) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({box.lower[k] - p[k], p[k] - box.upper[k], 0.0});
      sum += d * d;
    }
    return sum;
  }
  int build(std::span<const Bounds> boxes, int first, int count);

  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace resilin
