// Contact with obstacles in the preconditioner, without touching the factor of A. A body on the ground is as stiff
// as its contact, but A gives its rigid and smooth modes M/tau^2 only: A^-1 g would throw it off the ground. With K
// the stiffness of the vertices in contact, A' = A + K is approximated by low-rank rows of the means over patches
// (patch_rows.h), and by Gauss-Seidel with A' before and after (vertex_smoother.h), for what rows cannot see is
// local. The whole is symmetric, positive definite and at least A'^-1.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/problem.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/mean_step.h"
#include "solvers/precondition/patch_rows.h"
#include "solvers/precondition/vertex_smoother.h"

namespace resilin {

/// The vertices of a component that preconditioners count as in contact with an obstacle, or held by a drag. A
/// vertex that has left counts for some more updates, and the set changes when enough of it has changed: what is
/// made of a set costs more than a set that is slightly old.
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
  enum class Change { none, little, renewed };
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

class ObstacleLevel final : public Operator {
 public:
  using Point = VertexSmoother::Point;
  explicit ObstacleLevel(Factor& factor) : factor_(factor) {}

  /// A stage begins: nothing is in contact. Columns stay while the factor is the same.
  void begin(Problem& problem);
  /// Without contact, until the next begin.
  void leave_out() { bodies_.clear(), touchable_.clear(); }
  /// Takes in the vertices in contact at y. True when A' is another one. While the same vertices are in contact it
  /// looks less often: after two iterations, then three, at most four. `patient`: only a large difference makes
  /// rows anew, since operators that depend on them cost more.
  bool update(const double* y, bool patient);
  void apply(const double* r, double* d) override;

  // ---- the set in use, by component
  bool empty(int component) const { return bodies_.empty() || !body(component).touching.any(); }
  const std::vector<Point>& points(int component) const { return body(component).set.points; }
  /// Projects onto the axes along which nothing pushes the component: there its mean step is that of A.
  const std::array<double, 9>& unhindered(int component) const { return body(component).set.unhindered; }
  /// The vertices in contact at the last update, appended.
  void add_newest(int component, std::vector<Point>& out) const;

 private:
  // What is made of a set of vertices in contact. A body that is pressed has the same sets in every frame.
  struct Set {
    std::vector<Point> points;  // ascending
    PatchRows rows;
    VertexSmoother smoother;
    std::array<double, 9> unhindered{};
    std::uint64_t used = 0;
  };
  struct Body {
    PatchTree tree;
    ContactSet touching;
    Set set;  // in use where any vertex is in contact
    std::array<Set, 3> earlier;
    void forget() { set = {}, earlier = {}; }
  };
  struct Chunk {
    int component, begin, end;
  };
  const Body& body(int component) const { return bodies_[component]; }
  bool in_use(std::size_t component) const;
  void plant();
  void recall(Body& body);
  void make_columns(std::span<const std::size_t> changed);
  void make(Body& body);
  void find_mean_steps();

  Factor& factor_;
  Problem* problem_ = nullptr;  // of the stage
  std::uint64_t version_ = 0, clock_ = 0, structure_ = 0;
  std::vector<int> touchable_;  // the vertices of all trees
  std::vector<Body> bodies_;    // by component
  std::vector<Chunk> chunks_;
  std::vector<int> place_;  // of a vertex in the order of its tree
  MeanStep mean_step_;
  std::vector<double> load_;
  int wait_ = 0, patience_ = 0;  // iterations until the next look; how many were without news
};

}  // namespace resilin
