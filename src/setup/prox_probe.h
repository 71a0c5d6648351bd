// The local step of ADMM on single elements, and a plain minimiser of the same function to hold it against. For
// tests and experiments that study an energy without a mesh.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "potentials/prox.h"
#include "resilin/builder.h"

namespace resilin::setup {

/// f(z) = psi(z) + w/2 |z - v|^2; z and v are R x 3, row by row. With damping f is that of the first lane.
class ProxProbe {
 public:
  /// `potentials` are made for one element.
  explicit ProxProbe(std::vector<std::shared_ptr<const Potential>> potentials);
  /// Damping alone, made for one element: psi is its S of a stage (see set_stage).
  explicit ProxProbe(std::shared_ptr<const Dissipation> damping);

  int components() const { return 3 * block_.rows; }
  Prox method() const { return prox_method(term_); }
  double stiffness() const;
  const std::shared_ptr<const Potential>& potential() const { return term_.elastic[0]; }

  /// The stage that damping is told of: z of its origin, one for each of the eight lanes, and tau [s].
  void set_stage(const double* const origin[8], double tau);

  void solve(const double* v, double weight, double* z);
  /// Eight different v; z: [8][3R].
  void solve_lanes(const double* const v[8], double weight, double* z);
  double value(const double* z, const double* v, double weight);
  /// |df/dz|.
  double slope(const double* z, const double* v, double weight);
  /// Goes downhill from z by steps along coordinates, halved from `step` to 1e-7 of it: reads values only.
  void compass_search(const double* v, double weight, double step, double* z);

 private:
  explicit ProxProbe(Term term);
  double evaluate(const double* z, int derivatives);

  Term term_;  // of one element
  TermKernels kernels_;
  Block block_;
  AlignedVector<double> numbers_, origin_;
};

/// A probe of a registered material.
ProxProbe prox_probe(const std::string& material, const Values& params);

}  // namespace resilin::setup
