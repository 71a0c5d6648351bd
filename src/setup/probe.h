// One element at a time: psi, its derivatives and its projection at a given z, through the same packs that the
// sweep uses. For experiments that study an energy without a mesh.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "potentials/evaluate.h"
#include "potentials/material.h"
#include "resilin/builder.h"
#include "simd/pack.h"

namespace resilin::setup {

/// The compliant form of one element: psi = sum_j k_j/2 c_j^2.
struct Constraints {
  int count = 0;  // 0: psi is no sum of squares of constraints
  bool one_sided = false;
  double value[most_constraints] = {}, stiffness[most_constraints] = {}, gradient[most_constraints][9] = {};
  /// The sum; of pushing constraints only where they are one-sided.
  double energy() const;
};

class Probe {
 public:
  /// `potential` is made for one element.
  explicit Probe(std::shared_ptr<const Potential> potential);

  /// psi(z); `derivatives` 1 also fills gradient(), 2 also hessian(). z is R x 3, row by row: F^T for solids.
  double evaluate(const double* z, int derivatives, bool filter = false);
  const double* gradient() const { return gradient_; }
  /// Entry (i, j) of the second derivative.
  double hessian(int i, int j) const;
  /// Nearest point of a projective energy.
  void project(const double* z, double* projected);
  Constraints constrain(const double* z);
  /// k of the constant Hessian.
  double stiffness() const;
  const Potential& potential() const { return *potential_; }
  void set_time(double time) { kernels_.set_time(time), form_ ? form_->set_time(time) : void(); }

 private:
  void fill(const double* z);

  std::shared_ptr<const Potential> potential_;
  TermKernels kernels_;
  std::unique_ptr<CompliantForm> form_;
  Block block_;
  AlignedVector<double> z_, u_, s_, v_, r_, psi_, dpsi_s_, dpsi_z_, d2psi_s_, d2psi_z_;
  double gradient_[9] = {};
};

/// A probe of a registered material.
Probe probe(const std::string& material, const Values& params);
Settings material_settings(const std::string& material, const Values& params);
/// Parameters that give a material this Young's modulus: with `poisson` where it has both, else its defaults with
/// all moduli [Pa] scaled alike. One without stiffness at rest is given that stiffness in the constant Hessian.
/// `young` may be a list for the former.
Values as_stiff_as(const std::string& material, const Value& young, double poisson);

}  // namespace resilin::setup
