// What an energy is to the rest of the program: a density psi(z) of the element coordinates z = D_i y. A Potential
// holds the numbers of its elements and is never written after it was made, so models, simulations and threads
// share it. A sweep has a Kernel: the same numbers in packs of its own order, evaluated a block of packs at
// once (one virtual call per block). Written by materials (through the adaptors of src/potentials), springs, pins
// and obstacles. A potential never knows the solver or the mesh.
//
// z is an R x 3 matrix per element, row r = sum_a c_ra x_a. For a tet R = 3, for a triangle R = 2, and z is the
// TRANSPOSED deformation gradient: z = F^T = u diag(s) v^T, so that F = v diag(s) u^T. u is R x R, v is 3 x R; the
// stretches of a triangle have no sign.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "resilin/element_kind.h"

namespace resilin {

class Stamp;

constexpr int block_packs = 4;  // packs per virtual call at most

/// What a potential reads: the signed singular values of z, z and the rotation nearest to it, or z alone.
enum class Reads { stretches, rotation, coordinates };

/// What keeps points out of a region is to a stage: a part of Phi; an inequality, psi zero where it holds; or
/// nothing until the stage is solved, and then points inside are put on the border.
enum class Response { energy, hard, projected };

/// Up to `block_packs` packs of 8 elements. Arrays are [packs][components][8]. Outputs are ADDED to; null means not
/// wanted.
struct Block {
  int rows = 3;  // R
  int packs = 0;
  int first = 0;        // number of the first pack in the term: where coefficients are found
  bool filter = false;  // second derivatives are wanted positive semidefinite

  const double* z = nullptr;  // 3R components
  // Only for terms with damping, and only inside a stage: z of its origin and of the velocity of the step's start.
  const double *z_origin = nullptr, *z_velocity = nullptr;  // 3R each
  double tau = 0;                                           // [s]: the rate of z is (z - z_origin)/tau
  const double *u = nullptr, *s = nullptr, *v = nullptr;    // R^2, R, 3R; only when something reads stretches
  const double* r = nullptr;                                // 9; only when something of tets reads the rotation
  double* guess = nullptr;                                  // 4: quaternions near r, kept up to date; null: none
  double* psi = nullptr;                                    // 1
  double *dpsi_s = nullptr, *dpsi_z = nullptr;              // R; 3R
  double* d2psi_s = nullptr;                                // 6: 00 11 22 12 02 01, of triangles 3: 00 11 01
  double* d2psi_z = nullptr;                                // lower triangle of (3R)^2, row by row
};

constexpr int most_constraints = 3;  // of one potential on one element

/// What a CompliantForm SETS for a block: [packs][constraints][8], and [packs][constraints][3R][8] for the
/// gradients.
struct ConstraintBlock {
  double* value;      // c
  double* gradient;   // dc/dz; zero where c has no direction, never NaN
  double* stiffness;  // k per unit of measure, >= 0
};

/// The potential seen by PBD and XPBD: psi(z) = sum_j k_j/2 c_j(z)^2, all c zero where psi is. In packs of the
/// solver's own order.
class CompliantForm {
 public:
  virtual ~CompliantForm() = default;
  /// Of each element: 1 to most_constraints.
  virtual int constraints() const = 0;
  /// psi = sum k/2 min(0, c)^2: the constraint pushes and never pulls.
  virtual bool one_sided() const { return false; }
  /// As Kernel::set_time.
  virtual void set_time(double /*time*/) {}
  /// Of `block` only rows, packs, first and z are read.
  virtual void evaluate(const Block& block, const ConstraintBlock& out) const = 0;
};

/// Eq. 11 of Liu et al. on stretches that occur in place of an interval: k should be stress/stiffness times what it
/// is.
struct StretchSums {
  double stress = 0, stiffness = 0;  // sums of measure (s - 1) f(s) and of measure k (s - 1)^2
};

/// The numbers of a potential in packs of its owner's order, and what is computed with them.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void evaluate(Block& block) const = 0;
  /// The local step of projective dynamics, [packs][3R][8]: p(z) of potentials that project. Of regions the nearest
  /// point outside.
  virtual void project(const Block&, double* /*projected*/) const {}
  /// Adds the stretches s of a block, weighed by `measure` [packs][8]. Nothing where k has no other value to take.
  virtual void sum_stretches(const Block& /*block*/, const double* /*measure*/, StretchSums& /*sums*/) const {}
  /// Moves what depends on time (targets of soft pins).
  virtual void set_time(double /*time*/) {}
};

class Potential {
 public:
  virtual ~Potential() = default;
  virtual std::string name() const = 0;
  /// The elements that it stands on.
  virtual ElementKind kind() const = 0;
  /// Adds every number that the function depends on: equal stamps mean equal functions.
  virtual void stamp(Stamp& out) const = 0;
  /// Slot i of the kernel holds element slot_element[i].
  virtual std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const = 0;
  /// What its kernels need for a given number of derivatives (1: energy and gradient, 2: second derivatives too).
  virtual Reads reads(int derivatives) const = 0;
  /// The R x R positive semidefinite matrix (row-major, per unit of measure) that stands for the second derivative
  /// of this potential in the constant Hessian: k I of Liu et al. Eq. 11 for solids. Only that of damping depends
  /// on tau.
  virtual void quadratic(int element, double tau, double* matrix) const = 0;
  /// Projective-dynamics energies k/2 |z - p(z)|^2 with p the projection.
  virtual bool projects() const { return false; }
  /// Of a potential on points: it keeps them out of a region, and stands in no constant Hessian.
  virtual bool is_obstacle() const { return false; }
  /// Other than energy: psi is zero everywhere, and the kernel knows the nearest allowed point. On points.
  virtual Response response() const { return Response::energy; }
  /// The function depends on time.
  virtual bool moves() const { return false; }
  /// Of a potential on points: how far [m] each vertex at x (xyz) may move, any way, before psi can be anything but
  /// zero at that time. 0: it counts everywhere.
  virtual void clearance(double /*time*/, std::span<const double> /*x*/, std::span<double> out) const {
    for (double& each : out) each = 0;
  }
  /// Of an obstacle that moves: takes a point that is fixed to it from where it is at one time to where it is at
  /// another.
  virtual void carry(double /*from*/, double /*to*/, double* /*x*/) const {}
  /// Null when psi is no sum of squares of constraints. Slots as in pack.
  virtual std::unique_ptr<CompliantForm> compliant_form(std::span<const int> /*slot_element*/) const {
    return nullptr;
  }
};

class DissipationKernel;

/// Damping: one more potential to a stage, zero outside of one (src/potentials/dissipation.h).
class Dissipation : public Potential {
 public:
  /// The R x R matrix that stands for d2R/dzdot2 in the constant Hessian, where it is divided by tau.
  virtual void viscosity(int element, double* matrix) const = 0;
  void quadratic(int element, double tau, double* matrix) const final;
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const final;
  std::unique_ptr<DissipationKernel> pack_damping(std::span<const int> slot_element) const;
  Reads reads(int) const override { return Reads::coordinates; }

  /// R = k/2 |y'|^2 in some coordinates y(z): then the local step is known up to the distance |y - y_origin| (Brown
  /// et al., Appendix B).
  virtual bool radial() const { return false; }
  /// The local step of a term that has no other potential is known.
  virtual bool has_local_step() const { return radial() && !second_order_; }
  /// False: the force jumps, and only solvers with an exact local step can take it.
  virtual bool smooth() const { return true; }
  /// Eq. 30 instead of Eq. 28. Part of making it.
  void set_second_order(bool yes) { second_order_ = yes; }
  bool second_order() const { return second_order_; }
  void stamp(Stamp& out) const final;

 protected:
  virtual std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const = 0;
  virtual void stamp_model(Stamp& out) const = 0;

 private:
  bool second_order_ = false;
};

}  // namespace resilin
