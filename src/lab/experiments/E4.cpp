// E4: the Valanis-Landel table X45. For every material: its energy in principal stretches, written here as the
// literature has it, equals sum a + sum b + c of the library; P from the SVD equals the tensor formula of F; energy
// -> P -> dP by central differences; corotated and PD strain also for det F < 0, where the nearest rotation takes
// the smallest stretch negative (X43). GCC 12 warns about its own AVX-512 header inside Eigen.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <Eigen/Dense>

#include "lab/toolkit.h"
#include "setup/probe.h"

namespace resilin {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Literature {
  std::string material;
  lab::Values params;
  std::function<double(const Vector3d&)> energy;                         // of the principal stretches
  std::function<Matrix3d(const Matrix3d& f, const Matrix3d& r)> stress;  // P(F), r the nearest rotation
  bool any_sign = false;  // defined for det F < 0 without an extension
};

Matrix3d cofactor(const Matrix3d& f) {
  Matrix3d c;
  for (int i = 0; i < 3; ++i) c.col(i) = f.col((i + 1) % 3).cross(f.col((i + 2) % 3));
  return c;
}

struct Constants {
  double mu, lambda, c1, c2, c3, k;
};

std::vector<Literature> literature(const Constants& m) {
  const auto [mu, lambda, c1, c2, c3, k] = m;
  const lab::Values lame = {{"mu", mu}, {"lambda", lambda}};
  lab::Values extended = lame;
  extended.emplace_back("j0", 1e-3);  // below every J that is tried: the table has no extension
  const Matrix3d one = Matrix3d::Identity();
  const auto strain = [](const Vector3d& s) { return (s.array() - 1).square().sum(); };
  const double mm = lambda + mu;  // Macklin and Mueller with the corrected lambda
  return {
      {"corotated", lame, [=](const Vector3d& s) { return mu * strain(s) + lambda / 2 * std::pow(s.sum() - 3, 2); },
       [=](const Matrix3d& f, const Matrix3d& r) -> Matrix3d {
         return 2 * mu * (f - r) + lambda * ((r.transpose() * f).trace() - 3) * r;
       },
       true},
      {"st_venant_kirchhoff", lame,
       [=](const Vector3d& s) {
         const Vector3d e = (s.array().square() - 1) / 2;
         return mu * e.squaredNorm() + lambda / 2 * e.sum() * e.sum();
       },
       [=](const Matrix3d& f, const Matrix3d&) -> Matrix3d {
         const Matrix3d e = (f.transpose() * f - one) / 2;
         return f * (2 * mu * e + lambda * e.trace() * one);
       }},
      {"neo_hookean", extended,
       [=](const Vector3d& s) {
         const double l = std::log(s.prod());
         return mu / 2 * (s.squaredNorm() - 3) - mu * l + lambda / 2 * l * l;
       },
       [=](const Matrix3d& f, const Matrix3d&) -> Matrix3d {
         const Matrix3d t = cofactor(f) / f.determinant();
         return mu * (f - t) + lambda * std::log(f.determinant()) * t;
       }},
      {"mooney_rivlin",
       {{"c1", c1}, {"c2", c2}, {"c3", c3}, {"j0", 1e-3}},
       [=](const Vector3d& s) {
         const double j = s.prod(),
                      i2 = std::pow(s[0] * s[1], 2) + std::pow(s[0] * s[2], 2) + std::pow(s[1] * s[2], 2);
         return c1 * (s.squaredNorm() - 3) + c2 * (i2 - 3) + c3 * (j - 1) * (j - 1) -
                2 * (c1 + 2 * c2) * std::log(j);
       },
       [=](const Matrix3d& f, const Matrix3d&) -> Matrix3d {
         const double j = f.determinant();
         return 2 * c1 * f + 2 * c2 * (f.squaredNorm() * f - f * f.transpose() * f) +
                (2 * c3 * (j - 1) - 2 * (c1 + 2 * c2) / j) * cofactor(f);
       }},
      {"fixed_corotated", lame,
       [=](const Vector3d& s) { return mu * strain(s) + lambda / 2 * std::pow(s.prod() - 1, 2); },
       [=](const Matrix3d& f, const Matrix3d& r) -> Matrix3d {
         return 2 * mu * (f - r) + lambda * (f.determinant() - 1) * cofactor(f);
       },
       true},
      {"simplified_neo_hookean", lame,
       [=](const Vector3d& s) {
         return mu / 2 * (s.squaredNorm() - 3) + mm / 2 * std::pow(s.prod() - 1 - mu / mm, 2);
       },
       [=](const Matrix3d& f, const Matrix3d&) -> Matrix3d {
         return mu * f + mm * (f.determinant() - 1 - mu / mm) * cofactor(f);
       },
       true},
      {"arap",
       {{"stiffness", k}},
       [=](const Vector3d& s) { return k / 2 * strain(s); },
       [=](const Matrix3d& f, const Matrix3d& r) -> Matrix3d { return k * (f - r); },
       true},
      {"polynomial",
       {{"mu", mu}},
       [=](const Vector3d& s) { return mu * (s.array() - 1).pow(4).sum(); },
       [=](const Matrix3d& f, const Matrix3d& r) -> Matrix3d {
         const Matrix3d e = r.transpose() * f - one;
         return 4 * mu * r * (e * e * e);
       },
       true}};
}

Matrix3d nearest_rotation(const Matrix3d& f) {
  const Eigen::JacobiSVD<Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant();
  return svd.matrixU() * Vector3d(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
}

Matrix3d random_rotation(lab::Random& random) {
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> r;
  random.rotation(r.data());
  return r;
}

struct Worst {
  lab::Worst energy, stress, difference1, difference2;
};

// Principal form against a + b + c, up to the constant at rest that Psi = 0 fixes.
void compare_energy(const Literature& lit, const ValanisLandelFunctions& vl, const Vector3d& s, double scale,
                    Worst& worst) {
  const auto sum = [&](const Vector3d& x) {
    return vl.a(x[0]).f + vl.a(x[1]).f + vl.a(x[2]).f + vl.b(x[0] * x[1]).f + vl.b(x[0] * x[2]).f +
           vl.b(x[1] * x[2]).f + vl.c(x.prod()).f;
  };
  const Vector3d rest(1, 1, 1);
  const double want = lit.energy(s) - lit.energy(rest), have = sum(s) - sum(rest);
  worst.energy.see(std::abs(want - have) / (std::abs(want) + scale));
}

// z = F^T, so the gradient of the probe is P^T.
void compare_derivatives(const Literature& lit, lab::Probe& probe, const Matrix3d& f, double scale, double step,
                         Worst& worst) {
  double z[9];
  const auto fill = [&] {
    for (int i = 0; i < 9; ++i) z[i] = f(i % 3, i / 3);
  };
  fill();
  probe.evaluate(z, 2);
  const Matrix3d p = lit.stress(f, nearest_rotation(f));
  const double norm = p.norm() + scale;
  lab::Worst largest = scale;
  double gradient[9], hessian[9][9];
  for (int i = 0; i < 9; ++i) {
    gradient[i] = probe.gradient()[i];
    worst.stress.see(std::abs(gradient[i] - p(i % 3, i / 3)) / norm);
    for (int j = 0; j < 9; ++j) hessian[i][j] = probe.hessian(i, j), largest.see(std::abs(hessian[i][j]));
  }
  for (int i = 0; i < 9; ++i) {
    double side[2], g[2][9];
    for (int k = 0; k < 2; ++k) {
      fill();
      z[i] += k == 0 ? step : -step;
      side[k] = probe.evaluate(z, 1);
      std::copy_n(probe.gradient(), 9, g[k]);
    }
    worst.difference1.see(std::abs((side[0] - side[1]) / (2 * step) - gradient[i]) / norm);
    for (int j = 0; j < 9; ++j)
      worst.difference2.see(std::abs((g[0][j] - g[1][j]) / (2 * step) - hessian[i][j]) / largest);
  }
}

void study(const Literature& lit, const Settings& s, Findings& findings) {
  const auto& plugin = resilin::plugin<MaterialPlugin>("material", lit.material, "experiment");
  const auto vl = plugin.functions(lab::material_settings(lit.material, lit.params));
  lab::Probe probe = lab::probe(lit.material, lit.params);
  lab::Random random(s.integer("seed"));
  const double scale = probe.stiffness(), low = s.number("low"), high = s.number("high");
  Worst upright, inverted;
  for (int n = 0; n < s.integer("samples"); ++n) {
    const Vector3d x(random.uniform(low, high), random.uniform(low, high), random.uniform(low, high));
    compare_energy(lit, vl, x, scale, upright);
    if (n % 20 != 0) continue;  // differences are slower
    const Matrix3d u = random_rotation(random), v = random_rotation(random);
    compare_derivatives(lit, probe, u * x.asDiagonal() * v.transpose(), scale, 1e-5 * low, upright);
    if (!lit.any_sign) continue;
    Vector3d y = x;
    int least = 0;
    y.minCoeff(&least);
    y[least] *= -0.9;  // stay off the set where two stretches add up to zero
    compare_derivatives(lit, probe, u * y.asDiagonal() * v.transpose(), scale, 1e-5 * low * low, inverted);
  }
  findings.at_most(lit.material + ": |Psi(principal) - Psi(a, b, c)| / Psi", 1e-12, upright.energy);
  findings.at_most(lit.material + ": |P(SVD) - P(tensor formula)| / P", 1e-8, upright.stress);
  findings.at_most(lit.material + ": energy -> P by differences", 1e-6, upright.difference1);
  findings.at_most(lit.material + ": P -> dP by differences", 1e-6, upright.difference2);
  if (!lit.any_sign) return;
  findings.at_most(lit.material + ", det F < 0: |P(SVD) - P(tensor formula)| / P", 1e-8, inverted.stress);
  findings.at_most(lit.material + ", det F < 0: energy -> P by differences", 1e-6, inverted.difference1);
}

void run(const Settings& s, Findings& findings) {
  const Constants constants{s.number("mu"), s.number("lambda"), s.number("c1"),
                            s.number("c2"), s.number("c3"),     s.number("stiffness")};
  for (const Literature& lit : literature(constants)) study(lit, s, findings);
}

}  // namespace

ExperimentPlugin experiment_E4() {
  return {.title = "Valanis-Landel forms of all materials",
          .source = "liu2017",
          .doc = "Forms of correction X45: energy, tensor stress and finite differences agree.",
          .params = {number("mu", "Pa", 3.85e5, positive(), "shear modulus; also of the polynomial"),
                     number("lambda", "Pa", 5.77e5, any_number(), "first Lame constant"),
                     number("c1", "Pa", 1.6e5, positive(), "Mooney-Rivlin"),
                     number("c2", "Pa", 2e4, at_least(0), "Mooney-Rivlin"),
                     number("c3", "Pa", 6.7e5, at_least(0), "Mooney-Rivlin"),
                     number("stiffness", "Pa", 1e6, positive(), "k of PD strain"),
                     number("low", "", 0.2, between(0.11, 1), "smallest stretch"),
                     number("high", "", 3, between(1, 10), "largest stretch"),
                     integer("samples", 20000, between(20, 10000000),
                             "random triples of stretches; a twentieth of them by differences"),
                     integer("seed", 1, at_least(0), "seed of the samples")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
