// Damping proportional to the rate of the Green strain, E' = (F'^T F + F^T F')/2 (Brown et al. Eqs. 41 to 44):
//
//   R = psi |E'|^2 + phi/2 tr(E')^2,   dR/dF' = F T,  dR/dF = F' T,  T = 2 psi E' + phi tr(E') 1
//
// with psi the shear and phi the bulk viscosity. Invariant under rigid motion: it conserves momentum without a
// correction. Of shells it is the strain in the sheet. With z = F^T: E' = (z' z^T + z z'^T)/2, dR/dz' = T z, dR/dz
// = T z'.
#include "potentials/damping/damping.h"
#include "simd/mat3.h"

namespace resilin {
namespace {

// Of the strain in the sheet: E is 2 x 2.
struct MembraneStrainRate {
  static constexpr int rows = 2, coefficients = 2;

  static void prepare(const Settings& s, int element, double* c) {
    c[0] = s.number("shear", element), c[1] = s.number("bulk", element);
  }
  static double viscosity(const double* c) { return 2 * c[0] + c[1]; }

  template <Real T>
  static T rate(const T* z, const T* zdot, const T* c, T* by_z, T* by_rate) {
    const auto product = [](const T* a, const T* b) { return dot3(a[0], a[1], a[2], b[0], b[1], b[2]); };
    const T first = product(zdot, z), second = product(zdot + 3, z + 3);
    const T mixed = 0.5 * (product(zdot, z + 3) + product(zdot + 3, z)), area = first + second;
    const T stress[3] = {2.0 * c[0] * first + c[1] * area, 2.0 * c[0] * second + c[1] * area, 2.0 * c[0] * mixed};
    for (int k = 0; k < 3; ++k) {
      by_z[k] = stress[0] * zdot[k] + stress[2] * zdot[3 + k],
      by_z[3 + k] = stress[2] * zdot[k] + stress[1] * zdot[3 + k];
      by_rate[k] = stress[0] * z[k] + stress[2] * z[3 + k],
      by_rate[3 + k] = stress[2] * z[k] + stress[1] * z[3 + k];
    }
    return c[0] * (first * first + second * second + 2.0 * mixed * mixed) + 0.5 * c[1] * area * area;
  }
};

struct StrainRate {
  static constexpr int rows = 3, coefficients = 2;
  using Membrane = MembraneStrainRate;

  static Params params() {
    return {field("shear", "Pa s", 100, at_least(0), "shear viscosity psi: resists changes of shape"),
            field("bulk", "Pa s", 0, at_least(0), "bulk viscosity phi: resists changes of volume")};
  }
  static void prepare(const Settings& s, int element, double* c) {
    c[0] = s.number("shear", element), c[1] = s.number("bulk", element);
  }
  static double viscosity(const double* c) { return 2 * c[0] + c[1]; }

  template <Real T>
  static T rate(const T* z, const T* zdot, const T* c, T* by_z, T* by_rate) {
    T half[9], strain[9], stress[9];
    multiply_nt(zdot, z, half);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) strain[3 * i + j] = 0.5 * (half[3 * i + j] + half[3 * j + i]);
    const T volume = trace(strain);
    for (int i = 0; i < 9; ++i) stress[i] = 2.0 * c[0] * strain[i];
    for (int i = 0; i < 9; i += 4) stress[i] += c[1] * volume;
    multiply(stress, zdot, by_z);
    multiply(stress, z, by_rate);
    return c[0] * squared_norm(strain) + 0.5 * c[1] * volume * volume;
  }

  // psi (1_ab (z^T z)_kl + z_bk z_al) + phi z_ak z_bl in rows a, b and columns k, l.
  template <Real T>
  static void curvature(const T* z, const T* c, T* h) {
    T gram[9];
    multiply_tn(z, z, gram);
    for (int i = 0, at = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j, ++at) {
        const int a = i / 3, k = i % 3, b = j / 3, l = j % 3;
        const T shear = z[3 * b + k] * z[3 * a + l];
        h[at] = c[0] * (a == b ? gram[3 * k + l] + shear : shear) + c[1] * z[i] * z[j];
      }
  }
};

}  // namespace

DampingPlugin damping_strain_rate() {
  return formula_damping<StrainRate>(
      "Viscous stress proportional to the rate of Green's strain, with a shear and a bulk viscosity. It conserves "
      "momentum.",
      Damps::continua);
}

}  // namespace resilin
