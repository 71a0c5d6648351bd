// Elements of the plain reference and their energies, one element at a time.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "plain_simulation.h"
#include "potentials/materials/curve.h"

namespace resilin::reference {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix9d = Eigen::Matrix<double, 9, 9>;

struct Tet {
  int vertex[4];
  Matrix3d inverse_rest;  // F = [x1-x0 x2-x0 x3-x0] inverse_rest
  double volume;
  double stiffness;  // k of Eq. 11
};

struct Spring {
  int a, b;
  double stiffness, rest_length;
};

/// psi(F) through the singular values, as Liu et al. and their code take every material; its derivative P, and for
/// Newton its second derivative, projected to positive semidefinite.
class Solid {
 public:
  explicit Solid(const Constants& constants);
  /// psi, and its derivative into p.
  double psi_and_stress(const Matrix3d& f, Matrix3d& p) const;
  Matrix9d projected_hessian(const Matrix3d& f) const;

 private:
  double of_stretches(const Vector3d& s, Vector3d* derivative) const;
  double volume(double j, double& d, double& dd) const;

  Material material_;
  double mu_ = 0, lambda_ = 0, young_ = 0, stiffness_ = 0;
  bool closed_form_ = false;
  Curve curve_;
};

}  // namespace resilin::reference
