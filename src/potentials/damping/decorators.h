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
  explicit Decorator(std::shared_ptr<const Dissipation> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  ElementKind kind() const override { return inner_->kind(); }
  void viscosity(int element, double* matrix) const override { inner_->viscosity(element, matrix); }

 protected:
  const Dissipation& inner() const { return *inner_; }
  void stamp_model(Stamp& out) const override { inner_->stamp(out); }

 private:
  std::shared_ptr<const Dissipation> inner_;
};

class DecoratorKernel : public DissipationKernel {
 public:
  explicit DecoratorKernel(std::unique_ptr<DissipationKernel> inner) : inner_(std::move(inner)) {}

 protected:
  const DissipationKernel& inner() const { return *inner_; }

 private:
  std::unique_ptr<DissipationKernel> inner_;
};

/// Power law (Brown et al. Eq. 54): R' = A^(1-q) [(R + e)^q - e^q], q = (p + 1)/2, of a model that is quadratic in
/// rates: the force grows with the p-th power of the rate. e = (smoothing)^2 A when p < 1, else 0: without it the
/// force would jump (p = 0) or have infinite slope at zero rate, where no gradient solver can stop. Below
/// `smoothing` times the rate at which R = A it is viscous. `smoothing` 0: as it is, for radial models in a term of
/// their own, whose local step is known (Appendix B with X20).
std::shared_ptr<Dissipation> power_law(std::shared_ptr<Dissipation> inner, double p, double scale,
                                       double smoothing);

/// What the curve of a spline damping is a function of.
enum class SplineOf { strain, strain_rate };
/// The curve through the points, constant beyond its ends: a slope there would run into negative damping.
Curve damping_curve(const ControlPoints& points);
/// What splines on solids share: the curve, and its largest factor in the constant Hessian.
template <class K>
class SplineDecorator final : public Decorator {
 public:
  SplineDecorator(std::shared_ptr<const Dissipation> inner, const ControlPoints& points, SplineOf of)
      : Decorator(std::move(inner)), of_(of), curve_(damping_curve(points)) {
    for (const auto& point : points) most_ = std::max(most_, point[1]);
  }
  void viscosity(int element, double* matrix) const override {
    Decorator::viscosity(element, matrix);
    for (int i = 0; i < 9; ++i) matrix[i] *= most_;
  }

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const override {
    return std::make_unique<K>(inner().pack_damping(slot_element), curve_, of_);
  }
  void stamp_model(Stamp& out) const override {
    Decorator::stamp_model(out);
    out.add(static_cast<int>(of_));
    curve_.stamp(out);
  }

 private:
  SplineOf of_;
  Curve curve_;
  double most_ = 0;
};

class SplineKernel : public DecoratorKernel {
 public:
  SplineKernel(std::unique_ptr<DissipationKernel> inner, Curve curve, SplineOf of)
      : DecoratorKernel(std::move(inner)), of_(of), curve_(std::move(curve)) {}

 protected:
  SplineOf of_;
  Curve curve_;
};
/// Spline on solids (Eq. 57): R' = max_j s(stretch_j) R, or R' = s(|E'|) R with the rate of Green strain E'.
std::shared_ptr<Dissipation> spline_damping(std::shared_ptr<Dissipation> inner, const ControlPoints& points,
                                            SplineOf of);
/// The same by principal axis (end of Section 5.2.2): R' = R(z, u D W D v^T) with W = u^T z' v, D_j = s(x_j)^(1/4),
/// x_j the stretch or its rate |W_jj|. For principal_strain this is beta/2 s'^T S^(1/2) K_s S^(1/2) s'; rigid
/// velocities stay rigid.
std::shared_ptr<Dissipation> spline_damping_by_axis(std::shared_ptr<Dissipation> inner, const ControlPoints& points,
                                                    SplineOf of);

/// Removal of rigid velocity (Section 6): R'(z, z') = R(z, z'_nonrigid), which conserves angular momentum whatever
/// R is.
enum class Correction { projection, velocity_gradient };  // Sections 6.2 and 6.3
std::shared_ptr<Dissipation> momentum_correction(std::shared_ptr<Dissipation> inner, Correction kind);

}  // namespace resilin
