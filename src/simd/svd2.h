// Singular value decomposition of 2x3 matrices across lanes, for the transposed deformation gradient of a triangle:
//
//   z = u diag(s) v^T,  u a 2x2 rotation,  v 3x2 with orthonormal columns,  s0 >= s1 >= 0.
//
// One Jacobi rotation makes two rows orthogonal (Hestenes 1958); Gram-Schmidt then removes what rounding left.
// Errors as in svd3.h, for all finite z of any rank and scale: a singular value of zero gets a direction across the
// others. A lane with NaN or infinity gives NaN. Called by terms whose potentials read stretches.
#pragma once

#include "simd/mat3.h"
#include "simd/pack.h"

namespace resilin {

/// A unit vector across the unit vector n.
template <Real T>
RESILIN_INLINE void across(const T n[3], T out[3]) {
  const auto flat = abs(n[0]) < 0.6;  // an axis that is not near n
  const T one = constant<T>(1), zero = constant<T>(0);
  const T axis[3] = {select(flat, one, zero), select(flat, zero, one), zero};
  const T along = dot3(axis[0], axis[1], axis[2], n[0], n[1], n[2]);
  for (int k = 0; k < 3; ++k) out[k] = axis[k] - along * n[k];
  const T inverse = 1.0 / sqrt(dot3(out[0], out[1], out[2], out[0], out[1], out[2]));
  for (int k = 0; k < 3; ++k) out[k] = out[k] * inverse;
}

/// z = u diag(d) v^T
template <Real T>
RESILIN_INLINE void compose2(const T u[4], const T d[2], const T v[6], T z[6]) {
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c) z[3 * r + c] = u[2 * r] * d[0] * v[2 * c] + u[2 * r + 1] * d[1] * v[2 * c + 1];
}

template <Real T>
RESILIN_INLINE void svd2(const T z[6], T u[4], T s[2], T v[6]) {
  const T one = constant<T>(1), zero = constant<T>(0);
  T size = abs(z[0]);
  for (int i = 1; i < 6; ++i) size = max(size, abs(z[i]));
  const auto some = size > 1e-290;
  const T scale = select(some, 1.0 / select(some, size, one), one);
  T a[3], b[3];
  for (int k = 0; k < 3; ++k) a[k] = z[k] * scale, b[k] = z[3 + k] * scale;

  // tan of the angle that makes a and b orthogonal, the smaller of the two.
  const T aa = dot3(a[0], a[1], a[2], a[0], a[1], a[2]), bb = dot3(b[0], b[1], b[2], b[0], b[1], b[2]);
  const T ab = dot3(a[0], a[1], a[2], b[0], b[1], b[2]);
  const auto oblique = abs(ab) > 1e-290;
  const T zeta = (bb - aa) / select(oblique, 2.0 * ab, one);
  const T tangent = select(oblique, copysign(one, zeta) / (abs(zeta) + sqrt(1.0 + zeta * zeta)), zero);
  const T cosine = 1.0 / sqrt(1.0 + tangent * tangent), sine = cosine * tangent;
  T first[3], second[3];
  for (int k = 0; k < 3; ++k) first[k] = cosine * a[k] - sine * b[k], second[k] = sine * a[k] + cosine * b[k];

  // The longer one is the first; turning both keeps u a rotation.
  const auto turn = dot3(first[0], first[1], first[2], first[0], first[1], first[2]) <
                    dot3(second[0], second[1], second[2], second[0], second[1], second[2]);
  for (int k = 0; k < 3; ++k) {
    const T kept = first[k];
    first[k] = select(turn, second[k], kept), second[k] = select(turn, -kept, second[k]);
  }
  u[0] = select(turn, sine, cosine), u[2] = select(turn, cosine, -sine);
  u[1] = -u[2], u[3] = u[0];

  const T length = sqrt(dot3(first[0], first[1], first[2], first[0], first[1], first[2]));
  const auto long_enough = length > 0.0;
  T n[3], m[3];
  for (int k = 0; k < 3; ++k)
    n[k] = select(long_enough, first[k] / select(long_enough, length, one), constant<T>(k == 0 ? 1 : 0));
  for (int pass = 0; pass < 2; ++pass) {
    const T along = dot3(second[0], second[1], second[2], n[0], n[1], n[2]);
    for (int k = 0; k < 3; ++k) second[k] = second[k] - along * n[k];
  }
  const T width = sqrt(dot3(second[0], second[1], second[2], second[0], second[1], second[2]));
  const auto wide_enough = width > 1e-15 * length;
  across(n, m);
  for (int k = 0; k < 3; ++k) {
    v[2 * k] = n[k];
    v[2 * k + 1] = select(wide_enough, second[k] / select(wide_enough, width, one), m[k]);
  }
  const T back = select(some, size, one);
  s[0] = length * back, s[1] = width * back;
}

}  // namespace resilin
