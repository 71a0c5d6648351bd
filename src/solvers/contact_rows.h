// Contact in the preconditioner, without touching the factor of A. A body on the ground is as stiff as its contact,
// but A gives its rigid and smooth modes M/tau^2 only: A^-1 g would throw it off the ground. With K the contact
// stiffness of the touching vertices (3 x 3 each), A' = A + K is approximated by two levels:
//
//   rows       A + sum_p K_p (w_p w_p^T) (x) n_p n_p^T   w_p: mean over a patch of touching vertices, n_p: an axis
//              of its stiffness
//              = A^-1 - Z C^-1 Z^T,  Z = A^-1 W,  C = 1/K + W^T Z
//              (Woodbury)
//   smoothing  Gauss-Seidel on the touching vertices with A', forwards before and backwards after: what rows cannot
//              see is local
//
// The whole is symmetric and positive definite, and at least A'^-1, since by Cauchy and Schwarz rows never
// overestimate K. A is the same for x, y and z, so one scalar column A^-1 w serves every direction: obstacles of
// any shape, and friction, add rows but no columns. Patches are nodes of a fixed tree over the vertices that can
// touch; a column depends on A and its patch only and is kept from stage to stage. Used by the projective initial
// Hessian.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "problem/problem.h"
#include "solvers/constant_hessian.h"
#include "solvers/contact_smoother.h"

namespace resilin {

class ContactRows {
 public:
  /// A stage begins: nothing touches. Columns stay while the factor is the same.
  void begin(Problem& problem, const ConstantHessian& hessian);
  /// Takes in what touches at y; what has touched a few updates ago still counts. True when that made a difference.
  /// While the same vertices touch, it looks less often: after two iterations, then three, at most four. `patient`:
  /// only a large difference makes rows anew, since what depends on them costs more.
  bool update(Problem& problem, ConstantHessian& hessian, const double* y, bool patient = false);
  bool empty(int component) const { return bodies_.empty() || !bodies_[component].touches; }
  /// d = A'^-1 r on active components; r and d may be the same array.
  void solve(Problem& problem, ConstantHessian& hessian, const double* r, double* d);

  /// A vertex that touches, and its contact stiffness.
  using Point = ContactSmoother::Point;
  const std::vector<Point>& points(int component) const { return bodies_[component].points; }
  /// What touched when it looked last, appended.
  void add_touching(int component, std::vector<Point>& out) const;
  /// Projects onto the directions in which nothing pushes a component (3 x 3): there its mean step is that of A,
  /// which is exact.
  const std::array<double, 9>& unhindered(int component) const { return bodies_[component].unhindered; }

 private:
  struct Row {
    int patch;  // in patches of the component
    std::array<double, 3> axis;
    double stiffness;
  };
  struct Patch {
    int first, last;  // vertices of the patch: order[first] .. order[last - 1]
    int column;       // where its Z stands
  };
  struct Column {
    int first = 0, last = 0;
    std::uint64_t used = 0;
    AlignedVector<float> z;  // by place in `vertices`, padded to 16
  };
  // What is made of a set of touching vertices.
  struct Made {
    std::vector<Point> points;  // ascending
    std::vector<Patch> patches;
    std::vector<Row> rows;
    bool one_axis = false;  // all rows have the same
    ContactSmoother smoother;
    std::array<double, 9> unhindered;
    std::vector<double> mean;    // of patches: w_p . z_q
    std::vector<double> factor;  // of C, lower triangle, column-major
    std::uint64_t used = 0;
  };
  struct Body : Made {
    std::vector<int> order;      // vertices that can touch, leaves of the tree from left to right
    std::vector<int> ascending;  // places in order, by vertex
    std::vector<int> place;      // of each vertex of `order` in `vertices`
    std::vector<int> vertices;   // all of the component
    std::vector<Column> columns;
    std::vector<char> touched;  // by place in order: updates for which a vertex still counts
    std::vector<char> made;     // whether it counted when the rows were made
    std::vector<Symmetric3> stiffness;
    bool touches = false;         // else what was made is of another stage
    std::array<Made, 3> earlier;  // a body that is pressed has the same sets in every frame
    std::vector<double> right;
    std::vector<float> loads;    // by patch, of the last solve: three numbers, or one along the axis of all
    std::array<double, 3> push;  // sum of r
  };
  struct Chunk {
    int component, begin, end;
  };
  void plant(const Problem& problem);
  bool mark(Body& body, bool patient);
  bool stiffness_changed(const Body& body) const;
  void forget(Body& body) const;
  void recall(Body& body, const std::vector<Point>& points) const;
  void choose_patches(Body& body) const;
  void make_columns(Problem& problem, ConstantHessian& hessian);
  std::vector<Point> points_of(const Body& body) const;
  void make(Body& body) const;
  void make_rows(Body& body) const;
  void take_common_axis(Body& body) const;
  void factorise(Body& body) const;
  void find_loads(Body& body, const double* d) const;
  void subtract_columns(const Chunk& chunk, double* d) const;
  void sum_pushes(const Problem& problem, const double* r);
  void keep_momentum(const Problem& problem, double* d) const;
  bool touches(const Problem& problem, int component) const {
    return !empty(component) && problem.space().components().active(component);
  }

  std::uint64_t version_ = 0, clock_ = 0, revision_ = 0;
  std::vector<int> planted_;  // the vertices that can touch, of the trees
  std::vector<Body> bodies_;  // by component
  std::vector<Chunk> chunks_;
  std::vector<PointStiffness> points_;
  std::vector<int> place_;  // of a vertex in the order of its body
  NeighbourMatrix matrix_;
  std::vector<double> load_;
  std::vector<char> changed_;
  int wait_ = 0, patience_ = 0;  // iterations until the next look; how many were without news
};

}  // namespace resilin
