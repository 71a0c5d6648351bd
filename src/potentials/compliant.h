// The adaptor from constraint formulas to a CompliantForm. A Formula has
//   static constexpr int rows, constraints;                    R of its elements; constraints of each
//   static constexpr bool one_sided;                           optional, see CompliantForm
//   template <Real T> void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const;
// where c are the element's coefficients. Used by materials (through isotropic.h), springs, fibres and obstacles.
#pragma once
#include <algorithm>
#include <utility>

#include "model/coefficients.h"
#include "resilin/potential.h"
#include "simd/mat3.h"
#include "simd/pack.h"
#include "simd/polar3.h"

namespace resilin {

template <class F>
concept Constrains = requires {
  F::constraints;
};

/// `count`: coefficients per element.
template <Constrains F, int count>
class PackedForm final : public CompliantForm {
 public:
  PackedForm(F formula, PackedCoefficients coefficients)
      : formula_(std::move(formula)), coefficients_(std::move(coefficients)) {}

  int constraints() const override { return F::constraints; }
  bool one_sided() const override {
    if constexpr (requires { F::one_sided; }) return F::one_sided;
    else return false;
  }

  void evaluate(const Block& block, const ConstraintBlock& out) const override {
    constexpr int m = F::constraints, components = 3 * F::rows;
    for (int p = 0; p < block.packs; ++p) {
      Pack z[components], c[std::max(count, 1)], value[m], gradient[m * components], stiffness[m];
      load_pack<count>(coefficients_.pack(block.first + p), 0, c);
      load_pack<components>(block.z, p, z);
      formula_.constrain(z, c, value, gradient, stiffness);
      store_pack<m>(value, p, out.value), store_pack<m>(stiffness, p, out.stiffness);
      store_pack<m * components>(gradient, p, out.gradient);
    }
  }

 private:
  F formula_;
  PackedCoefficients coefficients_;
};

// ---- constraints that several energies share --------------------------------------------------------------------

/// |z| of n numbers and its gradient, which is zero where z is (X40: else 0/0).
template <int n, Real T>
RESILIN_INLINE T length_constraint(const T* z, T* gradient) {
  T squares = z[0] * z[0];
  for (int i = 1; i < n; ++i) squares = fma(z[i], z[i], squares);
  const T length = sqrt(squares);
  const auto some = length > 0.0;
  const T inverse = select(some, 1.0 / select(some, length, constant<T>(1)), constant<T>(0));
  for (int i = 0; i < n; ++i) gradient[i] = z[i] * inverse;
  return length;
}

/// |F - R| with R the nearest rotation, also of inverted elements (X43); `rotation` is R^T, the one of z.
template <Real T>
RESILIN_INLINE T strain_constraint(const T z[9], T rotation[9], T gradient[9]) {
  polar3(z, rotation);
  T strain[9];
  for (int i = 0; i < 9; ++i) strain[i] = z[i] - rotation[i];
  return length_constraint<9>(strain, gradient);
}

/// Invariants of Green's strain E = (F^T F - 1)/2: they keep their digits where I_C - 3 and J - 1 cancel.
template <Real T>
struct GreenInvariants {
  T first, second, third;                                                // tr E, sum of principal minors, det E
  T volume() const { return 2.0 * first + 4.0 * second + 8.0 * third; }  // J^2 - 1
};
template <Real T>
RESILIN_INLINE GreenInvariants<T> green_invariants(const T z[9]) {
  T e[9];
  multiply_nt(z, z, e);
  for (int i = 0; i < 9; ++i) e[i] = 0.5 * (i % 4 == 0 ? e[i] - 1.0 : e[i]);
  return {trace(e), e[0] * e[4] - e[1] * e[3] + e[4] * e[8] - e[5] * e[7] + e[0] * e[8] - e[2] * e[6],
          determinant(e)};
}

/// c = sqrt(squares) with the gradient half_slope/c, both zero at rest; `half_slope` in `gradient`.
template <Real T>
RESILIN_INLINE T root_constraint(T squares, T gradient[9]) {
  const auto some = squares > 0.0;
  const T c = sqrt(select(some, squares, constant<T>(0)));
  const T inverse = select(some, 1.0 / select(some, c, constant<T>(1)), constant<T>(0));
  for (int i = 0; i < 9; ++i) gradient[i] *= inverse;
  return c;
}

/// J and its gradient.
template <Real T>
RESILIN_INLINE T volume_constraint(const T z[9], T gradient[9]) {
  cofactor(z, gradient);
  return dot3(z[0], z[1], z[2], gradient[0], gradient[1], gradient[2]);
}

}  // namespace resilin
