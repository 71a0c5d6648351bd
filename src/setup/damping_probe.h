// One damped element at a time: R with its gradients, and S with its derivatives, through the same packs that the
// sweep uses.
#pragma once
#include <memory>
#include <string>

#include "core/aligned.h"
#include "potentials/damping/damping.h"
#include "potentials/evaluate.h"
#include "resilin/builder.h"

namespace resilin::setup {

/// On one solid element of a material; or, for models that only damp springs or vertices, on one of those.
std::shared_ptr<const Dissipation> damping_of_one(const std::string& type, const Values& params,
                                                  const std::string& material = "neo_hookean",
                                                  const Values& material_params = {});

/// On one spring or one vertex, or on a solid element as above.
std::shared_ptr<const Dissipation> damping_on(ElementKind kind, const std::string& type, const Values& params);

class DampingProbe {
 public:
  explicit DampingProbe(std::shared_ptr<const Dissipation> damping);
  /// As damping_of_one.
  DampingProbe(const std::string& type, const Values& params, const std::string& material = "neo_hookean",
               const Values& material_params = {});

  int size() const { return 3 * block_.rows; }
  /// R(z, zdot) and its gradients, each as long as z.
  double rate(const double* z, const double* zdot, double* by_z, double* by_rate);
  /// d2R/dzdot2, full, row by row.
  void curvature(const double* z, const double* zdot, double* full);
  /// S(z) of a stage and its gradient (unless null).
  double stage(const double* z, const double* origin, const double* velocity, double tau, double* gradient);

 private:
  const DissipationKernel& model() const { return *kernels_.damping()[0]; }
  void fill(AlignedVector<double>& to, const double* from);

  Term term_;  // of one element
  TermKernels kernels_;
  AlignedVector<double> z_, zdot_, origin_, r_, by_z_, by_rate_, h_, u_, s_, v_, rotation_, psi_, dpsi_s_, dpsi_z_,
      d2psi_s_, d2psi_z_;
  Block block_;
};

}  // namespace resilin::setup
