// Scaling, rotating and moving meshes.
#include <algorithm>
#include <numbers>
#include <sstream>
#include <utility>

#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {

namespace {

std::string text(std::span<const double> values) {
  std::ostringstream out;
  out << '(';
  for (std::size_t i = 0; i < values.size(); ++i) out << (i ? ", " : "") << values[i];
  out << ')';
  return out.str();
}

}  // namespace

void scale(std::span<double> vertices, const Vec3& factors) {
  for (double f : factors)
    if (!std::isfinite(f) || f == 0) throw InputError("scale", text(factors) + " must be finite and not zero");
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] *= factors[i % 3];
}

void rotate(std::span<double> vertices, const std::array<double, 4>& quaternion) {
  double length = 0;
  for (double q : quaternion) length = std::hypot(length, q);
  if (!std::isfinite(length) || length == 0)
    throw InputError("rotate", "quaternion " + text(quaternion) + " must be finite and not zero");
  const double w = quaternion[0] / length;
  const Vec3 u{quaternion[1] / length, quaternion[2] / length, quaternion[3] / length};
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3) {
    const Vec3 p{vertices[i], vertices[i + 1], vertices[i + 2]};
    const Vec3 t = 2.0 * cross(u, p);
    const Vec3 r = p + w * t + cross(u, t);
    std::copy(r.begin(), r.end(), vertices.begin() + i);
  }
}

void rotate(std::span<double> vertices, const Vec3& axis, double degrees) {
  const double length = norm(axis);
  if (!std::isfinite(length) || length == 0 || !std::isfinite(degrees))
    throw InputError("rotate", "axis " + text(axis) + " must be finite and not zero, and the angle finite");
  const double half = degrees * std::numbers::pi / 360, s = std::sin(half) / length;
  rotate(vertices, std::array<double, 4>{std::cos(half), s * axis[0], s * axis[1], s * axis[2]});
}

void translate(std::span<double> vertices, const Vec3& offset) {
  for (double o : offset)
    if (!std::isfinite(o)) throw InputError("translate", text(offset) + " must be finite");
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] += offset[i % 3];
}

void scale(TetMesh& mesh, double factor) { scale(mesh, Vec3{factor, factor, factor}); }

void scale(TetMesh& mesh, const Vec3& factors) {
  scale(std::span<double>(mesh.vertices), factors);
  const int mirrors = std::signbit(factors[0]) + std::signbit(factors[1]) + std::signbit(factors[2]);
  if (mirrors % 2 == 0) return;
  for (std::size_t i = 0; i + 3 < mesh.tets.size(); i += 4) std::swap(mesh.tets[i + 2], mesh.tets[i + 3]);
}

void rotate(TetMesh& mesh, const Vec3& axis, double degrees) {
  rotate(std::span<double>(mesh.vertices), axis, degrees);
}

void translate(TetMesh& mesh, const Vec3& offset) { translate(std::span<double>(mesh.vertices), offset); }

}  // namespace resilin
