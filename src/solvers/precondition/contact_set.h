// The vertices of a component that preconditioners count as in contact with an obstacle, or held by a drag. A
// vertex that has left counts for some more updates, and the set changes when enough of it has changed: what is
// made of a set costs more than a set that is slightly old.
#pragma once
#include <span>
#include <vector>

#include "solvers/precondition/patch_rows.h"

namespace resilin {

class ContactSet {
 public:
  using Point = VertexSmoother::Point;
  explicit ContactSet(int size = 0);
  /// No vertex is in contact.
  void clear();

  // ---- an update, by place in the order of a tree
  void age();
  /// A vertex is in contact; several obstacles add up.
  void add(int place, const double stiffness[6]);
  enum class Change { none, slight, renewed };
  /// Takes vertices and stiffness in where they differ enough from those in use, of which there were `before`
  /// points. `patient`: only a large difference counts. none: the same vertices with about the same stiffness are
  /// in contact.
  Change take(const PatchTree& tree, std::span<const Point> before, bool patient);

  bool any() const { return any_; }
  /// Those in use, and those in contact at the last update, by ascending vertices.
  std::vector<Point> points(const PatchTree& tree) const;
  void add_newest(const PatchTree& tree, std::vector<Point>& out) const;
  std::span<const char> touched() const { return touched_; }
  std::span<const Symmetric3> stiffness() const { return stiffness_; }

 private:
  bool stiffness_changed(const PatchTree& tree, std::span<const Point> before) const;

  std::vector<char> touched_;  // updates for which a vertex still counts
  std::vector<char> used_;
  std::vector<Symmetric3> stiffness_;
  bool any_ = false;  // in use
};

}  // namespace resilin
