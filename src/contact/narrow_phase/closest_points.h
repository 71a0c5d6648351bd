// The closest points of a vertex and a triangle, and of two edges, for T = double | Pack.
//
// Every result is a pair of points of both parts, whatever round-off does, so flat triangles, parallel edges and
// edges of no length need no cases: at worst the points are the closest ones but for round-off.
#pragma once
#include <array>
#include <limits>

#include "simd/mat3.h"

namespace resilin {

template <Real T>
struct ClosestPoints {
  T weight[4];      // p_A - p_B = sum weight_i x_i
  T difference[3];  // p_A - p_B
  T squared;        // |p_A - p_B|^2
};

namespace detail {

template <Real T>
RESILIN_INLINE void minus(const T a[3], const T b[3], T c[3]) {
  for (int k = 0; k < 3; ++k) c[k] = a[k] - b[k];
}
template <Real T>
RESILIN_INLINE T dot(const T a[3], const T b[3]) {
  return dot3(a[0], a[1], a[2], b[0], b[1], b[2]);
}
template <Real T>
RESILIN_INLINE T clamped(T s) {
  return min(max(s, constant<T>(0)), constant<T>(1));
}
/// 1 / x; 0 for x = 0 (an edge of no length, a flat triangle: any place on it will do).
template <Real T>
RESILIN_INLINE T inverse_or_zero(T x) {
  return select(x > 0.0, 1.0 / x, constant<T>(0));
}

/// Takes base + s u - t v, with u and v given, if it is shorter. (s, t) are the coordinates of the place.
template <Real T>
struct Shortest {
  T s = constant<T>(0), t = constant<T>(0), difference[3] = {s, s, s};
  T squared = constant<T>(std::numeric_limits<double>::infinity());

  RESILIN_INLINE void offer(const T base[3], const T u[3], const T v[3], T s_new, T t_new) {
    T d[3];
    for (int k = 0; k < 3; ++k) d[k] = fma(s_new, u[k], fma(-t_new, v[k], base[k]));
    const T size = dot(d, d);
    const auto better = size < squared;
    s = select(better, s_new, s), t = select(better, t_new, t), squared = select(better, size, squared);
    for (int k = 0; k < 3; ++k) difference[k] = select(better, d[k], difference[k]);
  }
};

}  // namespace detail

/// `p` and the triangle a, b, c. The point is the projection on the plane, where that falls inside, or lies on one
/// of the edges. All four are tried; the closest is taken, the earlier one of equals.
template <Real T>
RESILIN_INLINE ClosestPoints<T> closest_vertex_triangle(const T p[3], const T a[3], const T b[3], const T c[3]) {
  using namespace detail;
  // The place is a + s' ab + t' ac; as base - s' ab - t' ac with base = ap.
  T ab[3], ac[3], bc[3], ap[3], bp[3], n[3], around[3], minus_ab[3];
  minus(b, a, ab), minus(c, a, ac), minus(c, b, bc), minus(p, a, ap), minus(p, b, bp);
  for (int k = 0; k < 3; ++k) minus_ab[k] = -ab[k];
  const T one = constant<T>(1), zero = constant<T>(0);
  Shortest<T> best;

  const T on_ab = clamped(dot(ap, ab) * inverse_or_zero(dot(ab, ab)));
  best.offer(ap, minus_ab, ac, on_ab, zero);
  const T on_ac = clamped(dot(ap, ac) * inverse_or_zero(dot(ac, ac)));
  best.offer(ap, minus_ab, ac, zero, on_ac);
  const T from_c = one - clamped(dot(bp, bc) * inverse_or_zero(dot(bc, bc)));
  best.offer(ap, minus_ab, ac, from_c, one - from_c);  // 1 - s is exact here, so the weight of a is exactly 0

  cross(ab, ac, n);
  const T scale = inverse_or_zero(dot(n, n));
  cross(ap, ac, around);
  const T s = clamped(dot(around, n) * scale);
  cross(ab, ap, around);
  const T t = min(max(dot(around, n) * scale, zero), one - s);
  best.offer(ap, minus_ab, ac, s, t);

  ClosestPoints<T> out;
  out.weight[0] = one, out.weight[2] = -best.s, out.weight[3] = -best.t;
  out.weight[1] = best.t - (one - best.s);
  for (int k = 0; k < 3; ++k) out.difference[k] = best.difference[k];
  out.squared = best.squared;
  return out;
}

/// The edges a0 a1 and b0 b1. The place on the first that is closest to the line of the second, or the end next to
/// it; what is closest to that on the second; what is closest to that on the first. Parallel edges start from a0.
template <Real T>
RESILIN_INLINE ClosestPoints<T> closest_edge_edge(const T a0[3], const T a1[3], const T b0[3], const T b1[3]) {
  using namespace detail;
  T u[3], v[3], w[3], n[3], around[3];
  minus(a1, a0, u), minus(b1, b0, v), minus(a0, b0, w);
  // The cross product keeps its digits where uu vv - uv^2 loses them: nearly parallel edges.
  cross(u, v, n);
  cross(v, w, around);
  T s = clamped(dot(around, n) * inverse_or_zero(dot(n, n)));
  const T uv = dot(u, v);
  const T t = clamped(fma(s, uv, dot(w, v)) * inverse_or_zero(dot(v, v)));
  s = clamped(fma(t, uv, -dot(w, u)) * inverse_or_zero(dot(u, u)));

  ClosestPoints<T> out;
  const T one = constant<T>(1);
  out.weight[0] = one - s, out.weight[1] = s, out.weight[2] = t - one, out.weight[3] = -t;
  for (int k = 0; k < 3; ++k) out.difference[k] = fma(s, u[k], fma(-t, v[k], w[k]));
  out.squared = dot(out.difference, out.difference);
  return out;
}

/// The corners of a pair at x, xyz of all vertices.
RESILIN_INLINE std::array<const double*, 4> corners_at(const double* x, const std::array<int, 4>& vertices) {
  std::array<const double*, 4> out;
  for (std::size_t i = 0; i < 4; ++i) out[i] = x + 3 * static_cast<std::ptrdiff_t>(vertices[i]);
  return out;
}
RESILIN_INLINE ClosestPoints<double> closest_points(bool edges, const std::array<const double*, 4>& at) {
  return edges ? closest_edge_edge(at[0], at[1], at[2], at[3])
               : closest_vertex_triangle(at[0], at[1], at[2], at[3]);
}

}  // namespace resilin
