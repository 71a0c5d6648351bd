// A0, the matrix that L-BFGS begins with (Liu et al. 2017, Figs. 8 to 10):
//   projective        M/tau^2 + L, constant and the same in all orientations: ours, the default; with contact as
//                     rows on top and the true Hessian on a few smooth functions (coarse_space.h)
//   scaled_identity   (t.t)/(s.t) 1 of the newest pair (Eq. 13, corrected by X2)
//   rest_pose         M/tau^2 + d2V at rest (X3): constant, good while nothing turns
//   warped_rest_pose  that turned with every vertex (Mueller et al. 2002): a baseline, ghost forces change momentum
//   frame_hessian     the Hessian at the first point of a frame, for that frame and `hessian_age - 1` more
#pragma once
#include <memory>
#include <vector>

#include "problem/problem.h"
#include "resilin/params.h"
#include "resilin/solver.h"

namespace resilin {

class InitialHessian {
 public:
  virtual ~InitialHessian() = default;
  /// A stage begins at y; the number of factorisations that this took, negative when it failed.
  virtual int begin(Problem& problem, const std::vector<double>& y, Memory& memory) = 0;
  /// d = A0^-1 r at the point y; r and d may be the same array, d is zero on pinned vertices. `scale`: s.t/t.t of
  /// the newest pair, or zero.
  virtual void solve(Problem& problem, const std::vector<double>& y, double scale, const double* r, double* d) = 0;
  /// The next direction will be asked for at y, after so many iterations.
  virtual void iterate(Problem& /*problem*/, const std::vector<double>& /*y*/, int /*iterations*/) {}
  /// Whether g . A0^-1 g tells the error of a component now: not before what it knows of the point has been taken
  /// in.
  virtual bool measures(int /*component*/, int iterations) const { return iterations > 0; }
  /// The line search of a component had to cut the step, or not.
  virtual void searched(int /*component*/, bool /*cut*/) {}
  /// d of a component was not finite: drops a part of A0 until the next begin; false when there is none.
  virtual bool simplify(int /*component*/) { return false; }
  /// Whether each row of unknowns must be a vertex.
  virtual bool needs_vertices() const { return true; }
};

Params initial_hessian_params();
std::unique_ptr<InitialHessian> make_initial_hessian(const Settings& settings);

}  // namespace resilin
