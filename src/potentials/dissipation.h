// Damping: a dissipation function R(z, zdot) >= 0 per unit of measure, whose force is -dR/dzdot (Brown et al. 2018,
// Section 5). To a stage it is one more potential (their Eqs. 28 and 30), with w = (z - z_origin)/tau:
//
//   S(z) = tau [R(z, w) - R(z, v_n)],   the second part only when second_order
//   dS/dz = dR/dzdot(z, w) + tau [dR/dz(z, w) - dR/dz(z, v_n)]
//
// so that every solver minimises the same S. A model is a Dissipation (its numbers) and this kernel. Written by
// those of damping/, wrapped by the decorators there; `rate` also serves explicit integrators, first forces and the
// ledger. A model never knows the solver, the mesh or the integrator.
#pragma once
#include "model/packed_term.h"
#include "resilin/potential.h"
#include "simd/pack.h"

namespace resilin {

class DissipationKernel : public Kernel {
 public:
  /// For one pack: the distance r at which the damping of k r^2/(2 tau^2) and w/2 (r - distance)^2 together are
  /// least.
  struct Radius {
    virtual ~Radius() = default;
    virtual Pack operator()(Pack k, Pack weight, Pack distance) const = 0;
  };
  /// What `rate` SETS, per unit of measure: R [packs][8], dR/dz and dR/dzdot [packs][3R][8]; null: not wanted.
  struct Rate {
    double *r = nullptr, *by_z = nullptr, *by_rate = nullptr;
  };
  /// At (block.z, zdot), zdot [packs][3R][8]. Of `block` only rows, packs, first and z are read.
  virtual void rate(const Block& block, const double* zdot, const Rate& out) const = 0;
  /// R of a stage, with w = (z - z_origin)/tau; by_z + by_rate/tau is its whole gradient in z. Models of other
  /// coordinates than z, which difference those, have their own.
  virtual void stage_rate(const Block& block, const double* w, const Rate& out) const { rate(block, w, out); }
  /// d2R/dzdot2, set, positive semidefinite, laid out like d2psi_z. The default holds for R quadratic in zdot.
  virtual void curvature(const Block& block, const double* zdot, double* h) const;

  /// z = argmin S + w/2 |z - block.z|^2 of a radial model. `radius` finds the distance.
  virtual void radial_step(const Block&, const double* /*weight*/, const Radius&, double* /*z*/) const {}
  /// The local step of a term that has no other potential: that of radial models with their own radius.
  virtual void local_step(const Block& block, const double* weight, double* z) const;

  /// Adds S and its derivatives; the second one without what dR/dz contributes, so that it stays positive
  /// semidefinite.
  void evaluate(Block& block) const override;

 protected:
  /// dR/dz by central differences of R in every coordinate, to about 1e-9: for models without a closed form.
  void difference_by_z(const Block& block, const double* zdot, double* by_z) const;

 private:
  friend class Dissipation;
  bool second_order_ = false;
};

/// At (z, z_velocity) of a sweep: leaves dR/dzdot in dpsi_z; the power sum of measure zdot : dR/dzdot [W].
double damping_power(const DissipationKernel& model, SweepBlock& sweep);

}  // namespace resilin
