// What an energy is to the rest of the program: a density psi(z) of the element coordinates z = D_i y, evaluated for a
// block of packs at once (one virtual call per block). Written by materials (through the adaptors of src/potentials),
// springs, pins and obstacles; called by the sweep of a Term. A potential never knows the solver or the mesh, and only damping the
// step size.
//
// z is an R x 3 matrix per element, row r = sum_a c_ra x_a. For a tet R = 3 and z is the TRANSPOSED deformation gradient:
// z = F^T = u diag(s) v^T, so that F = v diag(s) u^T.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace resilin {

constexpr int block_packs = 4;  // packs per virtual call at most

/// What a potential reads: the signed singular values of z, z and the rotation nearest to it, or z alone.
enum class Reads { stretches, rotation, coordinates };

/// Up to `block_packs` packs of 8 elements. Arrays are [packs][components][8]. Outputs are ADDED to; null means not wanted.
struct Block {
  int rows = 3;     // R
  int packs = 0;
  int first = 0;    // number of the first pack in the term: where coefficients are found
  bool filter = false;  // second derivatives are wanted positive semidefinite

  const double* z = nullptr;                                      // 3R components
  // Only for terms with damping, and only inside a stage: z of its origin and of the velocity of the step's start.
  const double *z_origin = nullptr, *z_velocity = nullptr;        // 3R each
  double tau = 0;                                                 // [s]: the rate of z is (z - z_origin)/tau
  const double *u = nullptr, *s = nullptr, *v = nullptr;          // 9, 3, 9; only when something reads stretches
  const double* r = nullptr;                                      // 9; only when something reads the rotation
  double* guess = nullptr;                                        // 4: quaternions near r, kept up to date; null: none
  double* psi = nullptr;                                          // 1
  double *dpsi_s = nullptr, *dpsi_z = nullptr;                    // 3; 3R
  double *d2psi_s = nullptr;                                      // 6: 00 11 22 12 02 01
  double *d2psi_z = nullptr;                                      // lower triangle of (3R)^2, row by row
};

constexpr int most_constraints = 3;  // of one potential on one element

/// What a CompliantForm SETS for a block: [packs][constraints][8], and [packs][constraints][3R][8] for the gradients.
struct ConstraintBlock {
  double* value;      // c
  double* gradient;   // dc/dz; zero where c has no direction, never NaN
  double* stiffness;  // k per unit of measure, >= 0
};

/// The potential seen by PBD and XPBD: psi(z) = sum_j k_j/2 c_j(z)^2, all c zero where psi is. A copy of the potential's numbers, in
/// packs of the solver's own order.
class CompliantForm {
 public:
  virtual ~CompliantForm() = default;
  /// Of each element: 1 to most_constraints.
  virtual int constraints() const = 0;
  /// psi = sum k/2 min(0, c)^2: the constraint pushes and never pulls.
  virtual bool one_sided() const { return false; }
  /// As Potential::arrange and Potential::set_time.
  virtual void arrange(std::span<const int> slot_element) = 0;
  virtual void set_time(double /*time*/) {}
  /// Of `block` only rows, packs, first and z are read.
  virtual void evaluate(const Block& block, const ConstraintBlock& out) const = 0;
};

/// Eq. 11 of Liu et al. on stretches that occur in place of an interval: k should be stress/stiffness times what it is.
struct StretchFit {
  double stress = 0, stiffness = 0;  // sums of measure (s - 1) f(s) and of measure k (s - 1)^2
};

class Potential {
 public:
  virtual ~Potential() = default;
  virtual std::string name() const = 0;
  /// What evaluate needs for a given number of derivatives (1: energy and gradient, 2: second derivatives too).
  virtual Reads reads(int derivatives) const = 0;
  virtual void evaluate(Block& block) const = 0;
  /// The R x R positive semidefinite matrix (row-major, per unit of measure) that stands for the second derivative of this
  /// potential in the constant Hessian: k I of Liu et al. Eq. 11 for solids. `element` counts in the caller's order.
  virtual void quadratic(int element, double* matrix) const = 0;
  /// Adds the stretches s of a block, weighed by `measure` [packs][8]. Nothing where k has no other value to take.
  virtual void fit(const Block& /*block*/, const double* /*measure*/, StretchFit& /*sums*/) const {}

  /// Projective-dynamics energies k/2 |z - p(z)|^2 with p the projection: the local step. [packs][3R][8].
  virtual bool projects() const { return false; }
  virtual void project(const Block&, double* /*projected*/) const {}

  /// Null when psi is no sum of squares of constraints.
  virtual std::unique_ptr<CompliantForm> compliant_form() const { return nullptr; }

  /// Called once when elements are put into packs: slot i holds element slot_element[i].
  virtual void arrange(std::span<const int> slot_element) = 0;
  /// Damping: reads z_origin and z_velocity and is zero outside of a stage (see src/potentials/dissipation.h).
  virtual bool reads_rates() const { return false; }
  /// The tau of the stages to come: what damping adds to the constant Hessian goes like 1/tau.
  virtual void set_tau(double /*tau*/) {}
  /// Moves what depends on time (targets of soft pins). True when the function changed.
  virtual bool set_time(double /*time*/) { return false; }
};

}  // namespace resilin
