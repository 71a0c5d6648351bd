// psi(I1, I2, J) as an isotropic energy (isotropic.h), I1 = sum s_i^2, I2 = sum (s_i s_j)^2, J = s_0 s_1 s_2. In
// place of `stretches` a Formula has
//   template <Real T> InvariantJet<T> energy(T i1, T i2, T j, const T* c) const;   finite for every J, also for J
//   <= 0
// Energy and stress then need no SVD: the invariants are polynomials of F.
#pragma once
#include "potentials/isotropic.h"

namespace resilin {

/// psi(I1, I2, J) with two derivatives.
template <class T>
struct InvariantJet {
  T psi, d[3], h[6];  // h: 00 11 22 12 02 01, as in StretchJet
};

template <class F>
struct Invariants : F {
  template <Real T>
  RESILIN_INLINE StretchJet<T> stretches(const T s[3], const T* c) const {
    const T q[3] = {s[0] * s[0], s[1] * s[1], s[2] * s[2]}, pair[3] = {q[1] + q[2], q[0] + q[2], q[0] + q[1]};
    const T area[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
    const InvariantJet<T> jet = this->energy(q[0] + pair[0], q[0] * pair[0] + area[0] * area[0], s[0] * area[0], c);
    const auto& [d1, d2, d3] = jet.d;
    static constexpr int h[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};  // where jet.h has them
    T g[3][3], m[3][3];  // g[i]: derivatives of the invariants in s_i; m[i]: second derivative of psi times g[i]
    StretchJet<T> out;
    out.psi = jet.psi;
    for (int i = 0; i < 3; ++i) {
      g[i][0] = 2.0 * s[i], g[i][1] = 2.0 * s[i] * pair[i], g[i][2] = area[i];
      for (int a = 0; a < 3; ++a)
        m[i][a] = dot3(jet.h[h[a][0]], jet.h[h[a][1]], jet.h[h[a][2]], g[i][0], g[i][1], g[i][2]);
      out.d[i] = dot3(d1, d2, d3, g[i][0], g[i][1], g[i][2]);
      out.h[i] = dot3(g[i][0], g[i][1], g[i][2], m[i][0], m[i][1], m[i][2]) + 2.0 * (d1 + d2 * pair[i]);
    }
    for (int k = 0; k < 3; ++k) {  // the pair without stretch k
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      out.h[3 + k] = dot3(g[i][0], g[i][1], g[i][2], m[j][0], m[j][1], m[j][2]) + 4.0 * d2 * area[k] + d3 * s[k];
    }
    return out;
  }

  // dI1/dz = 2 z, dI2/dz = 2 (I1 z - z z^T z) from I2 = (tr^2 C - tr C^2)/2, dJ/dz = cof z.
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    T cof[9], gram[9], cubic[9];
    cofactor(z, cof);
    multiply_nt(z, z, gram);
    multiply(gram, z, cubic);
    const T i1 = trace(gram), j = dot3(z[0], z[1], z[2], cof[0], cof[1], cof[2]);
    const InvariantJet<T> jet = this->energy(i1, squared_norm(cof), j, c);
    const T linear = 2.0 * (jet.d[0] + jet.d[1] * i1);
    for (int i = 0; i < 9; ++i) p[i] = linear * z[i] - 2.0 * jet.d[1] * cubic[i] + jet.d[2] * cof[i];
    return jet.psi;
  }
};

/// The plugin of a formula.
template <class F>
MaterialPlugin invariants(std::string name, std::string doc) {
  return isotropic<Invariants<F>>(std::move(name), std::move(doc));
}

}  // namespace resilin
