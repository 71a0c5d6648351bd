// Contact with obstacles in the preconditioner, without touching the factor of A. A body on the ground is as stiff
// as its contact, but A gives its rigid and smooth modes M/tau^2 only: A^-1 g would throw it off the ground. With K
// the stiffness of the vertices in contact, A' = A + K is approximated by low-rank rows of the means over patches
// (patch_rows.h), and by Gauss-Seidel with A' before and after (vertex_smoother.h), for what rows cannot see is
// local. The whole is symmetric, positive definite and at least A'^-1.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "problem/problem.h"
#include "solvers/precondition/contact_set.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/mean_step.h"
#include "solvers/precondition/patch_rows.h"
#include "solvers/precondition/vertex_smoother.h"

namespace resilin {

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
