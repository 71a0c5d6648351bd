// Distances of which the energy of a pair is made (pair_energy.h), by the coordinates of the pair: rows
// z_i = x_i - x_0 of a vertex x_0 and the corners of a triangle, or of the first end x_0 of an edge, its second end
// and both ends of the other edge. A distance is |D|, D = sum_i w_i z_i from side B to side A, and
// d|D|/dz_i = w_i D/|D|.
#pragma once
#include "contact/narrow_phase/closest_points.h"
#include "simd/log.h"
#include "simd/pack.h"

namespace resilin::pair {

constexpr double least = 0.01;  // of the radius: below, the energy is a straight line

/// The offset energy (pair_energy.h) and its first derivative.
struct Offset {
  Pack value, slope;
};

inline Offset offset(Pack d, Pack k, Pack r) {
  const Pack half = 0.5 * r, floor = least * r, zero{};
  const Pack gap = max(r - d, zero), deep = max(d, floor), ratio = deep / half;
  const Pack slope_deep = -k * half * half / deep;
  const auto near = d < half;
  const Pack value_deep = 0.5 * k * half * half - k * half * half * log(min(ratio, constant<Pack>(1))) +
                          min(d - deep, zero) * slope_deep;
  return {select(near, value_deep, 0.5 * k * gap * gap), select(near, slope_deep, -k * gap)};
}

struct Distance {
  Pack difference[3], squared, weight[3] = {};  // D, |D|^2, w
};

/// Between the vertex, which is the origin of z, and the triangle.
inline Distance to_face(const Pack z[9]) {
  const Pack origin[3] = {};
  const auto closest = closest_vertex_triangle<Pack>(origin, z, z + 3, z + 6);
  Distance out;
  for (int i = 0; i < 3; ++i) out.difference[i] = closest.difference[i], out.weight[i] = closest.weight[i + 1];
  out.squared = closest.squared;
  return out;
}

/// Between the vertex and the edge from corner e to the next.
inline Distance to_edge(const Pack z[9], int e) {
  const int other = (e + 1) % 3;
  const Pack *a = z + 3 * e, *b = z + 3 * other, zero{};
  Pack along[3];
  Distance out;
  for (int j = 0; j < 3; ++j) along[j] = b[j] - a[j];
  const Pack square = dot3(along[0], along[1], along[2], along[0], along[1], along[2]);
  const Pack to_foot = -dot3(a[0], a[1], a[2], along[0], along[1], along[2]);
  const Pack t = min(max(to_foot / select(square > 0.0, square, constant<Pack>(1)), zero), constant<Pack>(1));
  for (int j = 0; j < 3; ++j) out.difference[j] = -(a[j] + t * along[j]);
  out.weight[e] = t - 1.0, out.weight[other] = -t;
  const Pack* d = out.difference;
  out.squared = dot3(d[0], d[1], d[2], d[0], d[1], d[2]);
  return out;
}

inline Distance to_corner(const Pack z[9], int corner) {
  Distance out;
  for (int j = 0; j < 3; ++j) out.difference[j] = -z[3 * corner + j];
  out.weight[corner] = constant<Pack>(-1);
  const Pack* d = out.difference;
  out.squared = dot3(d[0], d[1], d[2], d[0], d[1], d[2]);
  return out;
}

/// Between the ends of two edges and the other edge: the ends of side A first.
template <Real T>
struct EndDistances {
  T difference[4][3], squared[4], weight[4][3] = {};

  explicit EndDistances(const T* z) {
    const T origin[3] = {};
    const T *a[2] = {origin, z}, *b[2] = {z + 3, z + 6};
    for (int i = 0; i < 2; ++i) {
      const T t = foot(a[i], b[0], b[1]);
      weight[i][0] = constant<T>(i), weight[i][1] = t - 1.0, weight[i][2] = -t;
      for (int k = 0; k < 3; ++k) difference[i][k] = a[i][k] - (b[0][k] + t * (b[1][k] - b[0][k]));
    }
    for (int i = 0; i < 2; ++i) {
      const T t = foot(b[i], a[0], a[1]);
      weight[2 + i][0] = t, weight[2 + i][1 + i] = constant<T>(-1);
      for (int k = 0; k < 3; ++k) difference[2 + i][k] = t * a[1][k] - b[i][k];
    }
    for (int i = 0; i < 4; ++i) {
      const T* d = difference[i];
      squared[i] = dot3(d[0], d[1], d[2], d[0], d[1], d[2]);
    }
  }
  static T foot(const T* p, const T* a, const T* b) {
    T along[3], to[3];
    for (int k = 0; k < 3; ++k) along[k] = b[k] - a[k], to[k] = p[k] - a[k];
    const T square = dot3(along[0], along[1], along[2], along[0], along[1], along[2]);
    const T on = dot3(to[0], to[1], to[2], along[0], along[1], along[2]);
    return min(max(on / select(square > 0.0, square, constant<T>(1)), T{}), constant<T>(1));
  }
};

/// h = g prod_i (1 - g_i/g) of two edges, by g and the g_i of their ends. h is smooth in g and g_i, and g_i <= g.
struct EdgeProduct {
  Pack inverse;                              // 1/g; 0 where edges do not push
  Pack left[4], others[4];                   // 1 - g_i/g; the product of the others
  Pack product = constant<Pack>(1), lost{};  // of all; sum (g_i/g) others_i: dh/dg = product + lost

  EdgeProduct(const Offset& whole, const EndDistances<Pack>& ends, Pack k, Pack r) {
    const Pack zero{}, one = constant<Pack>(1);
    const Mask pushes = whole.value > 0.0;
    inverse = select(pushes, 1.0 / select(pushes, whole.value, one), zero);
    for (int i = 0; i < 4; ++i) left[i] = max(one - offset(sqrt(ends.squared[i]), k, r).value * inverse, zero);
    for (int i = 0; i < 4; ++i) {
      product *= left[i];
      others[i] = one;
      for (int j = 0; j < 4; ++j)
        if (j != i) others[i] *= left[j];
      lost += (one - left[i]) * others[i];
    }
  }
};

}  // namespace resilin::pair
