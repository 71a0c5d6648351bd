// E76: simple shear F = 1 + gamma e1 e2^T on a distorted mesh. Cauchy stress of the mesh (its mean first Piola
// stress, exact for an affine field) against closed forms; J = 1 and V = (B + 1)/sqrt(4 + gamma^2) with B = F F^T:
//   neo-Hookean  sigma12 = mu gamma,                                            N2 = 0
//   StVK         sigma12 = mu gamma + (mu + lambda/2) gamma^3,                  N2 = mu gamma^2
//   corotated    sigma12 = 2 mu (gamma - gamma/s) + lambda (s - 2) gamma/s,     s = sqrt(4 + gamma^2),
//                N2 = 2 mu (B - V)22 + lambda (s - 2) (V22 - 1)
// and N1 = sigma11 - sigma22 = gamma sigma12 for every isotropic solid (Rivlin): positive, the Poynting effect.
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Shear {
  std::string material;
  double s12, n2;
};

std::vector<Shear> formulas(double mu, double lambda, double g) {
  const double s = std::sqrt(4 + g * g), v22 = 2 / s;
  return {{"corotated", 2 * mu * (g - g / s) + lambda * (s - 2) * g / s,
           2 * mu * (1 - v22) + lambda * (s - 2) * (v22 - 1)},
          {"st_venant_kirchhoff", mu * g + (mu + lambda / 2) * g * g * g, mu * g * g},
          {"neo_hookean", mu * g, 0}};
}

void run(const Settings& s, Findings& findings) {
  const double young = s.number("young"), nu = s.number("poisson"), gamma = s.number("shear");
  const auto [mu, lambda] = lab::lame_of(young, nu);
  const int cells = s.integer("cells");
  const TetMesh mesh = lab::distorted_box({.cells = {cells, cells, cells}}, s.number("distortion"), 4);
  for (const Shear& shear : formulas(mu, lambda, gamma)) {
    lab::Statics statics(lab::solid(mesh, 1000, shear.material, {{"young", young}, {"poisson", nu}}));
    const double f[9] = {1, gamma, 0, 0, 1, 0, 0, 0, 1};
    const auto p = statics.mean_stress(lab::affine(mesh.vertices, f));
    double sigma[9];  // P F^T, J = 1
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        sigma[3 * i + j] = p[3 * i] * f[3 * j] + p[3 * i + 1] * f[3 * j + 1] + p[3 * i + 2] * f[3 * j + 2];
    const double rounding = 1e-12 * young, n1 = sigma[0] - sigma[4], n2 = sigma[4] - sigma[8];
    const std::string what = shear.material + ": ";
    // 1e-4 at gamma = 1e-3, and what O(gamma^3) makes of it elsewhere; says nothing for large shears.
    if (gamma <= 0.01)
      findings.relative(what + "sigma12 = mu gamma + O(gamma^3) [Pa]", mu * gamma, sigma[1], 100 * gamma * gamma,
                        "1e-4 at gamma = 1e-3");
    findings.near(what + "sigma12 by the closed form [Pa]", shear.s12, sigma[1],
                  1e-9 * std::abs(shear.s12) + rounding);
    findings.near(what + "sigma21 = sigma12 [Pa]", sigma[1], sigma[3], rounding);
    findings.near(what + "first normal-stress difference = gamma sigma12 [Pa]", gamma * shear.s12, n1,
                  1e-9 * std::abs(gamma * shear.s12) + rounding);
    findings.holds(what + "first normal-stress difference is positive", n1 > 0);
    findings.near(what + "second normal-stress difference [Pa]", shear.n2, n2,
                  1e-9 * std::abs(shear.n2) + rounding);
  }
}

}  // namespace

ExperimentPlugin experiment_E76() {
  return {.title = "Simple shear",
          .source = "oracle",
          .doc = "Cauchy shear stress and normal-stress differences of a sheared mesh against closed forms.",
          .params = {number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     number("poisson", "", 0.3, {-0.5, 0.49, false, false}, "Poisson ratio"),
                     number("shear", "", 1e-3, {1e-5, 1, false, false}, "gamma"),
                     integer("cells", 3, between(1, 12), "cells along each side"),
                     number("distortion", "cells", 0.2, between(0, 0.25), "random shift of the mesh's vertices")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
