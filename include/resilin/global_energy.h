// An energy that couples many vertices at once, which no sum over elements does: E(x) = k/2 c(x)^2 of one
// constraint c, such as the volume that a closed surface encloses. Data of the Model, never written after it was
// made. It stands outside of the partition and of the sparse matrices: solvers take its Gauss-Newton part k grad c
// grad c^T by the Woodbury formula, Newton's method adds k c d2c where matrices have room for it, XPBD visits the
// constraint.
#pragma once
#include <array>
#include <functional>
#include <span>
#include <string>

namespace resilin {

class Stamp;

class GlobalEnergy {
 public:
  virtual ~GlobalEnergy() = default;
  virtual std::string name() const = 0;
  /// Every number that it depends on.
  virtual void stamp(Stamp& out) const = 0;
  /// That it reads, ascending; they are of one connected component by that.
  virtual std::span<const int> vertices() const = 0;
  /// k > 0
  virtual double stiffness() const = 0;
  /// c at x, of which vertex v begins at stride v; unless null SETS its gradient, xyz of each of vertices().
  virtual double constraint(const double* x, int stride, double* gradient) const = 0;
  /// add(v, w, block) of some ordered pairs v != w, row-major, in any order: d2c/dx_v dx_w is the sum of the blocks
  /// of (v, w) and of the transposed blocks of (w, v). None: c is linear.
  using Blocks = std::function<void(int, int, const std::array<double, 9>&)>;
  virtual void curvature(const double* /*x*/, const Blocks& /*add*/) const {}
};

}  // namespace resilin
