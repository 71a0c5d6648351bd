// Damping made from damping. Each wraps any model and knows nothing of it but R and its gradients.
#pragma once
#include <algorithm>
#include <memory>

#include "potentials/dissipation.h"
#include "potentials/materials/curve.h"

namespace resilin {

/// A model that passes on to another what it does not change.
class Decorator : public Dissipation {
 public:
  explicit Decorator(std::shared_ptr<Dissipation> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  int rows() const override { return inner_->rows(); }
  void arrange(std::span<const int> slot_element) override { inner_->arrange(slot_element); }
  void viscosity(int element, double* matrix) const override { inner_->viscosity(element, matrix); }

 protected:
  const Dissipation& inner() const { return *inner_; }

 private:
  std::shared_ptr<Dissipation> inner_;
};

/// Power law (Brown et al. Eq. 54): R' = A^(1-q) [(R + e)^q - e^q], q = (p + 1)/2, of a model that is quadratic in rates: the force
/// grows with the p-th power of the rate. e = (smoothing)^2 A when p < 1, else 0: without it the force would jump (p = 0) or have
/// infinite slope at zero rate, where no gradient solver can stop. Below `smoothing` times the rate at which R = A it is viscous.
/// `smoothing` 0: as it is, for radial models in a term of their own, whose local step is known (Appendix B with X20).
std::shared_ptr<Dissipation> power_law(std::shared_ptr<Dissipation> inner, double p, double scale,
                                       double smoothing);

/// What the curve of a spline damping is a function of.
enum class SplineOf { strain, strain_rate };
/// The curve through the points, constant beyond its ends: a slope there would run into negative damping.
Curve damping_curve(const ControlPoints& points);
/// What splines on solids share: the curve, and its largest factor in the constant Hessian.
class SplineDecorator : public Decorator {
 public:
  SplineDecorator(std::shared_ptr<Dissipation> inner, const ControlPoints& points, SplineOf of)
      : Decorator(std::move(inner)), of_(of), curve_(damping_curve(points)) {
    for (const auto& point : points) most_ = std::max(most_, point[1]);
  }
  void viscosity(int element, double* matrix) const override {
    Decorator::viscosity(element, matrix);
    for (int i = 0; i < 9; ++i) matrix[i] *= most_;
  }

 protected:
  SplineOf of_;
  Curve curve_;

 private:
  double most_ = 0;
};
/// Spline on solids (Eq. 57): R' = max_j s(stretch_j) R, or R' = s(|E'|) R with the rate of Green strain E'.
std::shared_ptr<Dissipation> spline_damping(std::shared_ptr<Dissipation> inner, const ControlPoints& points,
                                            SplineOf of);
/// The same by principal axis (end of Section 5.2.2): R' = R(z, u D W D v^T) with W = u^T z' v, D_j = s(x_j)^(1/4), x_j the stretch or its
/// rate |W_jj|. For principal_strain this is beta/2 s'^T S^(1/2) K_s S^(1/2) s'; rigid velocities stay rigid.
std::shared_ptr<Dissipation> spline_damping_by_axis(std::shared_ptr<Dissipation> inner, const ControlPoints& points,
                                                    SplineOf of);

/// Removal of rigid velocity (Section 6): R'(z, z') = R(z, z'_nonrigid), which conserves angular momentum whatever R is.
enum class Correction { projection, velocity_gradient };  // Sections 6.2 and 6.3
std::shared_ptr<Dissipation> momentum_correction(std::shared_ptr<Dissipation> inner, Correction kind);

}  // namespace resilin
