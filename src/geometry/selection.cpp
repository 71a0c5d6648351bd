#include "geometry/selection.h"

#include <algorithm>

#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {

namespace {

template <class Test>
std::vector<int> select_if(std::span<const double> vertices, Test&& test) {
  std::vector<int> ids;
  for (int i = 0; i < static_cast<int>(vertices.size() / 3); ++i)
    if (test(vertex_at(vertices, i))) ids.push_back(i);
  return ids;
}

}  // namespace

std::vector<int> select_box(std::span<const double> vertices, const Vec3& lower, const Vec3& upper) {
  return select_if(vertices, [&](const Vec3& p) {
    for (int a = 0; a < 3; ++a)
      if (!(p[a] >= lower[a] && p[a] <= upper[a])) return false;
    return true;
  });
}

std::vector<int> select_sphere(std::span<const double> vertices, const Vec3& center, double radius) {
  return select_if(vertices, [&](const Vec3& p) { return norm(p - center) <= radius; });
}

std::vector<int> select_half_space(std::span<const double> vertices, const Vec3& origin, const Vec3& normal) {
  const double length = norm(normal);
  if (!(length > 0) || !std::isfinite(length)) throw InputError("normal", "must be finite and not zero");
  return select_if(vertices, [&](const Vec3& p) { return dot(p - origin, normal) >= 0; });
}

std::vector<int> select_nearest(std::span<const double> vertices, const Vec3& p) {
  int nearest = -1;
  double least = 0;
  for (int i = 0; i < static_cast<int>(vertices.size() / 3); ++i) {
    const Vec3 d = vertex_at(vertices, i) - p;
    if (nearest >= 0 && !(dot(d, d) < least)) continue;
    nearest = i;
    least = dot(d, d);
  }
  return nearest < 0 ? std::vector<int>{} : std::vector<int>{nearest};
}

std::vector<int> select_indices(int vertex_count, std::span<const int> ids, const std::string& where) {
  for (int id : ids)
    if (id < 0 || id >= vertex_count)
      throw InputError(where, "vertex " + std::to_string(id) + " does not exist; ids must be in 0.." +
                                  std::to_string(vertex_count - 1));
  std::vector<int> out(ids.begin(), ids.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace resilin
