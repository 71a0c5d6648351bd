// The energy that keeps vertices out of an obstacle, on points: psi(z) = k/2 min(0, d)^2, d the signed distance to
// where the obstacle stands (Liu et al. 4.3, with the stiffness that X5 misses). One-sided, so it never pulls, and
// once differentiable, so value and gradient always belong together. It counts in the energy and its gradient and
// stays out of the constant Hessian, so that touching never needs a new factorisation. A hard or projected one
// (Response) has no energy: it knows the nearest points outside. Second derivatives are exact, k n n^T + k d
// d2d/dz2 inside; solvers that want them filtered lose what curves away.
#pragma once
#include <memory>

#include "contact/obstacles/obstacle.h"
#include "contact/obstacles/placement.h"
#include "resilin/potential.h"

namespace resilin {

class ObstaclePotential final : public Potential {
 public:
  /// `stiffness` k [N/m]
  ObstaclePotential(std::shared_ptr<const Obstacle> obstacle, double stiffness, Motion motion,
                    Response response = Response::energy);

  const std::shared_ptr<const Obstacle>& obstacle() const { return obstacle_; }
  const Motion& motion() const { return motion_; }
  double stiffness() const { return stiffness_; }

  std::string name() const override { return obstacle_->name(); }
  ElementKind kind() const override { return ElementKind::point; }
  void stamp(Stamp& out) const override;
  std::unique_ptr<Kernel> pack(std::span<const int>) const override;
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int, double, double* matrix) const override { matrix[0] = 0; }
  bool is_obstacle() const override { return true; }
  Response response() const override { return response_; }
  bool moves() const override { return motion_.moves(); }
  void clearance(double time, std::span<const double> x, std::span<double> out) const override;
  void carry(double from, double to, double* x) const override;
  /// c = d, one-sided; hard: without compliance.
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int>) const override;

 private:
  std::shared_ptr<const Obstacle> obstacle_;
  double stiffness_;
  Motion motion_;
  Response response_;
};

std::shared_ptr<const Potential> make_obstacle_potential(std::shared_ptr<const Obstacle> obstacle, double stiffness,
                                                         Motion motion = {}, Response response = Response::energy);

}  // namespace resilin
