// Three numbers with the arithmetic that geometry needs, on the public Vec3 (a std::array). Used inside
// src/geometry; it must stay free of SIMD and Eigen, since geometry is set-up work and compiles everywhere.
#pragma once
#include <algorithm>
#include <cmath>

#include "resilin/mesh.h"

namespace resilin {

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

/// Six times the signed volume of the tet (a, b, c, d).
inline double det(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a));
}

inline Vec3 vertex_at(const double* vertices, int i) {
  const double* p = vertices + 3 * static_cast<std::size_t>(i);
  return {p[0], p[1], p[2]};
}
inline Vec3 vertex_at(std::span<const double> vertices, int i) { return vertex_at(vertices.data(), i); }

inline std::array<Vec3, 4> corners(const TetMesh& mesh, int tet) {
  const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(tet);
  return {vertex_at(mesh.vertices, v[0]), vertex_at(mesh.vertices, v[1]), vertex_at(mesh.vertices, v[2]),
          vertex_at(mesh.vertices, v[3])};
}

inline std::array<Vec3, 3> corners(const TriangleMesh& mesh, int triangle) {
  const int* v = mesh.triangles.data() + 3 * static_cast<std::size_t>(triangle);
  return {vertex_at(mesh.vertices, v[0]), vertex_at(mesh.vertices, v[1]), vertex_at(mesh.vertices, v[2])};
}

inline void extend(Bounds& box, const Bounds& other) {
  for (int k = 0; k < 3; ++k) {
    box.lower[k] = std::min(box.lower[k], other.lower[k]);
    box.upper[k] = std::max(box.upper[k], other.upper[k]);
  }
}

inline void extend(Bounds& box, const Vec3& p) { extend(box, {p, p}); }

inline double diagonal(const Bounds& box) {
  return std::hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]);
}

inline bool touch(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k)
    if (a.lower[k] > b.upper[k] || b.lower[k] > a.upper[k]) return false;
  return true;
}

template <std::size_t N>
Bounds box_of(const std::array<Vec3, N>& points) {
  Bounds box{points[0], points[0]};
  for (std::size_t i = 1; i < N; ++i) extend(box, points[i]);
  return box;
}

}  // namespace resilin
