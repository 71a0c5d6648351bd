// Cloth with a grain: an orthotropic St. Venant-Kirchhoff sheet. With Green's strain E in the axes of warp (1) and
// weft (2), which are the rows of z,
//
//   psi = 1/2 (c11 E11^2 + c22 E22^2 + 2 c12 E11 E22) + 2 g E12^2
//   c11 = warp / (1 - nu12 nu21),  c22 = weft / (1 - nu12 nu21),  c12 = nu12 c22,  nu21 = nu12 weft / warp
//
// A strip of it that is pulled along an axis has that axis' modulus. It stands in place of a material ("none") or
// stiffens one. Inverted elements do not occur in sheets; those that are pressed flat have no resistance left, as
// St. Venant-Kirchhoff solids.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "potentials/added/added.h"
#include "potentials/coordinate_potential.h"
#include "potentials/stretch_modes.h"
#include "simd/pack.h"

namespace resilin {
namespace {

template <Real T>
struct GreenStrain {
  T first, second, shear;  // E11, E22, 2 E12
  explicit GreenStrain(const T z[6])
      : first(0.5 * (dot3(z[0], z[1], z[2], z[0], z[1], z[2]) - 1.0)),
        second(0.5 * (dot3(z[3], z[4], z[5], z[3], z[4], z[5]) - 1.0)),
        shear(dot3(z[0], z[1], z[2], z[3], z[4], z[5])) {}
};

// psi = 1/2 E^T C E with C diagonal in the axes of its eigenvectors, and the shear apart from them.
struct OrthotropicConstraint {
  static constexpr int rows = 2, constraints = 3;
  // c11, c22, c12, g; the eigenvalues of [c11 c12; c12 c22]; cos and sin of the angle of the first.
  static constexpr int coefficients = 8;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    const GreenStrain<T> e(z);
    const T cosine = c[6], sine = c[7];
    value[0] = cosine * e.first + sine * e.second, stiffness[0] = c[4];
    value[1] = cosine * e.second - sine * e.first, stiffness[1] = c[5];
    value[2] = e.shear, stiffness[2] = c[3];
    for (int k = 0; k < 3; ++k) {
      gradient[k] = cosine * z[k], gradient[3 + k] = sine * z[3 + k];
      gradient[6 + k] = -sine * z[k], gradient[9 + k] = cosine * z[3 + k];
      gradient[12 + k] = z[3 + k], gradient[15 + k] = z[k];
    }
  }
};

class OrthotropicKernel final : public Kernel {
 public:
  explicit OrthotropicKernel(PackedCoefficients numbers) : numbers_(std::move(numbers)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack c[4], z[6];
      load_pack<4>(numbers_.pack(block.first + p), 0, c);
      load_pack<6>(block.z, p, z);
      const GreenStrain<Pack> e(z);
      Pack stress[3] = {c[0] * e.first + c[2] * e.second, c[1] * e.second + c[2] * e.first, c[3] * e.shear};
      add(block.psi, p, 0.5 * (e.first * stress[0] + e.second * stress[1] + e.shear * stress[2]));
      for (int k = 0; k < 3 && block.dpsi_z != nullptr; ++k) {
        add(block.dpsi_z, p * 6 + k, stress[0] * z[k] + stress[2] * z[3 + k]);
        add(block.dpsi_z, p * 6 + 3 + k, stress[2] * z[k] + stress[1] * z[3 + k]);
      }
      if (block.d2psi_z == nullptr) continue;
      if (block.filter) project_psd2(stress);
      add_hessian(block, p, c, z, stress);
    }
  }

 private:
  // B^T C B with B = dE/dz, which is never indefinite, and the stress on each pair of rows.
  static void add_hessian(Block& block, int p, const Pack c[4], const Pack z[6], const Pack stress[3]) {
    const Pack none = {};
    const Pack along[3][6] = {{z[0], z[1], z[2], none, none, none},
                              {none, none, none, z[3], z[4], z[5]},
                              {z[3], z[4], z[5], z[0], z[1], z[2]}};
    const Pack pairs[3] = {stress[0], stress[2], stress[1]};  // 00 01 11
    for (int i = 0, at = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j, ++at) {
        Pack h = along[0][i] * (c[0] * along[0][j] + c[2] * along[1][j]) +
                 along[1][i] * (c[1] * along[1][j] + c[2] * along[0][j]) + c[3] * along[2][i] * along[2][j];
        if (i % 3 == j % 3) h += pairs[i / 3 + j / 3];
        add(block.d2psi_z, p * 21 + at, h);
      }
  }

  PackedCoefficients numbers_;
};

class Orthotropic final : public CoordinatePotential<OrthotropicKernel, OrthotropicConstraint> {
 public:
  using CoordinatePotential::CoordinatePotential;
  // The stiffness of each axis; shear turns both rows and counts twice.
  void quadratic(int element, double, double* matrix) const override {
    const double* c = numbers(element);
    matrix[0] = std::max(c[0], 2 * c[3]), matrix[3] = std::max(c[1], 2 * c[3]);
    matrix[1] = matrix[2] = 0;
  }
};

std::array<double, OrthotropicConstraint::coefficients> numbers_of(const Settings& s, int at) {
  const double warp = s.number("warp", at), weft = s.number("weft", at), g = s.number("shear", at),
               nu = s.number("poisson", at), rest = 1 - nu * nu * weft / warp;
  if (!(rest > 0))
    s.value("poisson").fail(
        fmt::format("{} is too large for these moduli: its square must be below warp/weft = {}", nu, warp / weft));
  const double c11 = warp / rest, c22 = weft / rest, c12 = nu * c22;
  const double mean = (c11 + c22) / 2, radius = std::hypot((c11 - c22) / 2, c12),
               angle = std::atan2(c12, (c11 - c22) / 2) / 2;
  return {c11, c22, c12, g, mean + radius, mean - radius, std::cos(angle), std::sin(angle)};
}

}  // namespace

PotentialPlugin potential_orthotropic() {
  PotentialPlugin plugin;
  plugin.doc =
      "Cloth with a grain: moduli along warp and weft, and a shear modulus (orthotropic St. Venant-Kirchhoff). "
      "Used with material \"none\".";
  plugin.params = {field("warp", "Pa", 1e6, positive(), "Young's modulus along the warp"),
                   field("weft", "Pa", 1e6, positive(), "Young's modulus along the weft"),
                   field("shear", "Pa", 1e5, positive(), "shear modulus in the sheet"),
                   field("poisson", "", 0.2, between(-1, 1), "how much weft shrinks when warp is stretched")};
  plugin.on = {ElementKind::triangle};
  plugin.make = [](const PotentialSource& source) -> std::shared_ptr<const Potential> {
    Coefficients numbers(OrthotropicConstraint::coefficients);
    for (int i = 0; i < source.elements.size(); ++i) numbers.add(numbers_of(source.settings, source.index(i)));
    return std::make_shared<Orthotropic>("orthotropic", ElementKind::triangle, std::move(numbers));
  };
  return plugin;
}

}  // namespace resilin
