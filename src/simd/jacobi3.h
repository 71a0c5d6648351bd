// Two-sided Jacobi rotations of a symmetric 3x3 matrix across lanes, accumulated in a quaternion.
//
//   g[6] = g00 g11 g22 g12 g20 g01 (so that the entry off the pair {p, q} sits at 3 + the remaining index),
//   tan(2 theta) = 2 g_pq / (g_pp - g_qq),  |theta| <= pi/4.
//
// As in McAdams et al. 2011 (Computing the SVD of 3x3 matrices with minimal branching) the angle may be
// approximate while the rotation is exact. With X = |tan(2 theta)| we take
//   tan(theta/2) ~ X (1 + a X) / (4 + 4 a X + 5/4 X^2),  a = 5/4 tan(pi/8),
// right to third order at 0 and right at infinity, at most 11 % off between (X = 3.5): one division and no
// square root per rotation, and the last sweeps, where X is small, converge as with the exact angle.
// Called by svd3.cpp, eigen3.cpp.
#pragma once

#include "simd/mat3.h"

namespace resilin::jacobi3 {

// Rotates the pair p = k + 1, q = k + 2 (mod 3): g <- J^T g J, quaternion r = (w, x, y, z) <- r * J (any
// length). g must be scaled to around 1: entries below 1e-70 count as zero.
template <int k, Real T>
RESILIN_INLINE void rotate(T g[6], T r[4]) {
  constexpr int p = (k + 1) % 3, q = (k + 2) % 3;
  constexpr double a = 1.25 * 0.41421356237309503;
  const T difference = g[p] - g[q];
  const T twice = 2.0 * g[3 + k];
  // tan(2 theta) = y / x; the floor makes 0/0 a rotation by zero and keeps x^4 above underflow.
  const T x = abs(difference) + 1e-70;
  const T y = from_bits<T>(as_bits(twice) ^ (as_bits(difference) & sign_bit));
  const T partial = fma(constant<T>(a), abs(y), x);
  const T m = fma(4.0 * x, partial, 1.25 * y * y);  // tan(theta/2) = n / m
  const T n = y * partial;

  const T n2 = n * n;
  const T shrink = 1.0 / fma(m, m, n2);
  const T c = fma(m, m, -n2) * shrink, s = (2.0 * m * n) * shrink;
  const T cs = c * s, s2 = s * s;
  const T move = fma(s2, difference, -(cs * twice));
  g[p] = g[p] - move;
  g[q] = g[q] + move;
  g[3 + k] = fma(fma(constant<T>(-2.0), s2, constant<T>(1.0)), g[3 + k], -(cs * difference));
  const T gpk = g[3 + q], gqk = g[3 + p];
  g[3 + q] = fma(c, gpk, s * gqk);
  g[3 + p] = fma(c, gqk, -(s * gpk));

  const T half = c + 1.0;  // (cos, sin)(theta/2) ~ (1 + c, s)
  const T w = r[0], rk = r[1 + k], rp = r[1 + p], rq = r[1 + q];
  r[0] = fma(half, w, -(s * rk));
  r[1 + k] = fma(half, rk, s * w);
  r[1 + p] = fma(half, rp, s * rq);
  r[1 + q] = fma(half, rq, -(s * rp));
}

template <Real T>
RESILIN_INLINE void sweep(T g[6], T r[4]) {
  rotate<2>(g, r);
  rotate<0>(g, r);
  rotate<1>(g, r);
}

// Rotation matrix of a quaternion of any length: the columns are orthonormal to rounding.
template <Real T>
RESILIN_INLINE void rotation_of(const T r[4], T m[9]) {
  const T norm = fma(r[3], r[3], fma(r[2], r[2], fma(r[1], r[1], r[0] * r[0])));
  const T two = 2.0 / norm;
  const T x = r[1] * two, y = r[2] * two, z = r[3] * two;
  const T yy = y * r[2], zz = z * r[3];
  const T wx = x * r[0], wy = y * r[0], wz = z * r[0];
  m[0] = 1.0 - fma(y, r[2], zz);
  m[4] = 1.0 - fma(x, r[1], zz);
  m[8] = 1.0 - fma(x, r[1], yy);
  m[1] = fma(x, r[2], -wz);
  m[3] = fma(x, r[2], wz);
  m[2] = fma(x, r[3], wy);
  m[6] = fma(x, r[3], -wy);
  m[5] = fma(y, r[3], -wx);
  m[7] = fma(y, r[3], wx);
}

}  // namespace resilin::jacobi3
