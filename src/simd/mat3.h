// 3x3 matrices across lanes: T[9], row-major, a(i, j) = a[3 i + j], T = double | Pack. Plain functions on
// arrays, outputs last; an output may not overlap an input unless said. Called by the SVD, the polar and
// eigen decompositions and by element kernels.
#pragma once

#include "simd/pack.h"

namespace resilin {

// a b, fused, in the order k = 0, 1, 2.
template <Real T>
RESILIN_INLINE T dot3(T a0, T a1, T a2, T b0, T b1, T b2) {
  return fma(a2, b2, fma(a1, b1, a0 * b0));
}

// c = a b
template <Real T>
RESILIN_INLINE void multiply(const T a[9], const T b[9], T c[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = dot3(a[3 * i], a[3 * i + 1], a[3 * i + 2], b[j], b[3 + j], b[6 + j]);
}
// c = a^T b
template <Real T>
RESILIN_INLINE void multiply_tn(const T a[9], const T b[9], T c[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = dot3(a[i], a[3 + i], a[6 + i], b[j], b[3 + j], b[6 + j]);
}
// c = a b^T
template <Real T>
RESILIN_INLINE void multiply_nt(const T a[9], const T b[9], T c[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c[3 * i + j] = dot3(a[3 * i], a[3 * i + 1], a[3 * i + 2], b[3 * j], b[3 * j + 1], b[3 * j + 2]);
}
// c = a diag(d) b^T: what an isotropic stress or a rebuilt F is.
template <Real T>
RESILIN_INLINE void multiply_diagonal_nt(const T a[9], const T d[3], const T b[9], T c[9]) {
  for (int i = 0; i < 3; ++i) {
    const T r0 = a[3 * i] * d[0], r1 = a[3 * i + 1] * d[1], r2 = a[3 * i + 2] * d[2];
    for (int j = 0; j < 3; ++j) c[3 * i + j] = dot3(r0, r1, r2, b[3 * j], b[3 * j + 1], b[3 * j + 2]);
  }
}
template <Real T>
RESILIN_INLINE void transpose(const T a[9], T c[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = a[3 * j + i];
}
// y = a x
template <Real T>
RESILIN_INLINE void apply(const T a[9], const T x[3], T y[3]) {
  for (int i = 0; i < 3; ++i) y[i] = dot3(a[3 * i], a[3 * i + 1], a[3 * i + 2], x[0], x[1], x[2]);
}

template <Real T>
RESILIN_INLINE void cross(const T a[3], const T b[3], T c[3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = fma(a[j], b[k], -(a[k] * b[j]));
  }
}

// c = d det(a) / d a = det(a) a^-T; defined for singular a as well.
template <Real T>
RESILIN_INLINE void cofactor(const T a[9], T c[9]) {
  for (int i = 0; i < 3; ++i) cross(a + 3 * ((i + 1) % 3), a + 3 * ((i + 2) % 3), c + 3 * i);
}
template <Real T>
RESILIN_INLINE T determinant(const T a[9]) {
  T c[3];
  cross(a + 3, a + 6, c);
  return dot3(a[0], a[1], a[2], c[0], c[1], c[2]);
}

template <Real T>
RESILIN_INLINE T trace(const T a[9]) {
  return a[0] + a[4] + a[8];
}
// a : b = tr(a^T b)
template <Real T>
RESILIN_INLINE T inner(const T a[9], const T b[9]) {
  T sum = a[0] * b[0];
  for (int i = 1; i < 9; ++i) sum = fma(a[i], b[i], sum);
  return sum;
}
template <Real T>
RESILIN_INLINE T squared_norm(const T a[9]) {
  return inner(a, a);
}
template <Real T>
RESILIN_INLINE T frobenius_norm(const T a[9]) {
  return sqrt(squared_norm(a));
}
template <Real T>
RESILIN_INLINE T max_abs(const T a[9]) {
  T largest = abs(a[0]);
  for (int i = 1; i < 9; ++i) largest = max(abs(a[i]), largest);
  return largest;
}

}  // namespace resilin
