#include "energy.h"

#include <Eigen/Dense>
#include <cmath>

namespace resilin::reference {
namespace {

constexpr double j0 = 0.1;  // below, ln J is continued quadratically

// F = U diag(s) V^T with rotations U and V: the smallest singular value takes the sign of det F.
struct SignedSvd {
  Matrix3d u, v;
  Vector3d s;
  explicit SignedSvd(const Matrix3d& f) {
    const Eigen::JacobiSVD<Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    u = svd.matrixU(), v = svd.matrixV(), s = svd.singularValues();
    if (u.determinant() < 0) u.col(2) *= -1, s(2) *= -1;
    if (v.determinant() < 0) v.col(2) *= -1, s(2) *= -1;
  }
};

Matrix3d cofactor(const Matrix3d& f) {
  Matrix3d c;
  c << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return c;
}

// Xu et al.'s compression curve as the library's preset A draws it.
Curve preset_a() {
  ControlPoints points;
  for (int i = 0; i <= 32; ++i) {
    const double x = i / 16.0;
    points.push_back({x, x < 1 ? -10 * (1 - x) * (1 - x) : 0});
  }
  return {points, 0};
}

}  // namespace

Solid::Solid(const Constants& c)
    : material_(c.material), young_(c.young), stiffness_(c.stiffness), closed_form_(c.closed_form) {
  mu_ = c.young / (2 * (1 + c.poisson));
  lambda_ = c.young * c.poisson / ((1 + c.poisson) * (1 - 2 * c.poisson));
  if (material_ == Material::spline) curve_ = preset_a();
}

// -mu L + lambda/2 L^2 with L = ln J, and two derivatives.
double Solid::volume(double j, double& d, double& dd) const {
  double l, l1, l2;
  if (j >= j0) {
    l = std::log(j), l1 = 1 / j, l2 = -1 / (j * j);
  } else {
    const double t = (j - j0) / j0;
    l = std::log(j0) + t - 0.5 * t * t, l1 = (1 - t) / j0, l2 = -1 / (j0 * j0);
  }
  d = (lambda_ * l - mu_) * l1;
  dd = (lambda_ * l - mu_) * l2 + lambda_ * l1 * l1;
  return (0.5 * lambda_ * l - mu_) * l;
}

double Solid::of_stretches(const Vector3d& s, Vector3d* derivative) const {
  double psi = 0;
  if (material_ == Material::spline || material_ == Material::neo_hookean) {
    const double j = s.prod();
    double d, dd;
    psi = 0.5 * mu_ * (s.squaredNorm() - 3) + volume(j, d, dd);
    if (derivative) *derivative = mu_ * s + d * Vector3d(s(1) * s(2), s(2) * s(0), s(0) * s(1));
    for (int i = 0; i < 3 && material_ == Material::spline; ++i) {
      const Jet<double> a = curve_.at(s(i));
      psi += young_ * a.f;
      if (derivative) (*derivative)(i) += young_ * a.d;
    }
    return psi;
  }
  const Vector3d e = s - Vector3d::Ones();
  const double mu = material_ == Material::arap ? 0.5 * stiffness_ : mu_;
  const double lambda = material_ == Material::arap ? 0 : lambda_;
  if (derivative) *derivative = 2 * mu * e + Vector3d::Constant(lambda * e.sum());
  return mu * e.squaredNorm() + 0.5 * lambda * e.sum() * e.sum();
}

double Solid::psi_and_stress(const Matrix3d& f, Matrix3d& p) const {
  if (material_ == Material::neo_hookean && closed_form_) {
    double d, dd;
    const double psi = 0.5 * mu_ * (f.squaredNorm() - 3) + volume(f.determinant(), d, dd);
    p = mu_ * f + d * cofactor(f);  // d cof F = d J F^-T
    return psi;
  }
  const SignedSvd svd(f);
  Vector3d derivative;
  const double psi = of_stretches(svd.s, &derivative);
  p = svd.u * derivative.asDiagonal() * svd.v.transpose();
  return psi;
}

// Of vec F by columns. The second derivative of det F is made of the cross-product matrices of the columns.
Matrix9d Solid::projected_hessian(const Matrix3d& f) const {
  const auto cross_matrix = [](const Vector3d& a) {
    Matrix3d m;
    m << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
    return m;
  };
  double d, dd;
  volume(f.determinant(), d, dd);
  const Matrix3d c = cofactor(f);
  const Eigen::Map<const Eigen::Matrix<double, 9, 1>> g(c.data());
  Matrix9d h = mu_ * Matrix9d::Identity() + dd * g * g.transpose();
  for (int k = 0; k < 3; ++k) {  // det F = f_k . (f_k+1 x f_k+2)
    const int p = (k + 1) % 3, q = (k + 2) % 3;
    const Matrix3d m = d * cross_matrix(f.col(k));
    h.block<3, 3>(3 * p, 3 * q) -= m;
    h.block<3, 3>(3 * q, 3 * p) += m;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix9d> eigen(h);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace resilin::reference
