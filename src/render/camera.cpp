#include "render/camera.h"

#include <algorithm>
#include <limits>

#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

Vec3 sum(double s, const Vec3& a, double t, const Vec3& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}
Vec3 unit(const Vec3& a, const char* what) {
  const double l = norm(a);
  if (!(l > 0) || !std::isfinite(l)) throw InputError("view", std::string(what) + " is not a direction");
  return {a[0] / l, a[1] / l, a[2] / l};
}

struct Directions {
  Vec3 right, up, forward;
};
Directions directions(const View& view) {
  const Vec3 forward = unit(sum(1, view.target, -1, view.eye), "from the eye to the target");
  const Vec3 right = unit(cross(forward, view.up), "up seen from the eye");
  return {right, cross(right, forward), forward};
}

}  // namespace

// A point (x, y, z) in the camera's axes is seen when |x - eye_x| <= (z - eye_z) t: of all eyes that see every
// point, the nearest.
View fit_view(std::span<const double> points, const Vec3& up, double aspect) {
  constexpr double pi = 3.14159265358979, margin = 0.8, elevation = 17 * pi / 180;
  const Vec3 top = unit(up, "up");
  const bool z_up = std::abs(top[2]) > 0.7;
  Vec3 front = z_up ? Vec3{0, -1, 0} : Vec3{0, 0, 1};
  front = unit(sum(1, front, -dot(front, top), top), "up");
  const Vec3 side = cross(top, front);
  const auto extent = [&](const Vec3& axis) {
    double low = std::numeric_limits<double>::max(), high = -low;
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
      const double s = dot(axis, {points[i], points[i + 1], points[i + 2]});
      low = std::min(low, s), high = std::max(high, s);
    }
    return high - low;
  };
  // The long side of the bodies towards the viewer.
  const double azimuth = (extent(front) > 1.3 * extent(side) ? 60 : 28) * pi / 180;
  View view;
  view.up = top;
  const Vec3 towards =
      sum(std::cos(elevation), sum(std::cos(azimuth), front, std::sin(azimuth), side), std::sin(elevation), top);
  view.eye = towards, view.target = {0, 0, 0};
  const Directions d = directions(view);
  const double tv = std::tan(view.field_of_view * pi / 360) * margin, th = tv * aspect;
  const double most = std::numeric_limits<double>::max();
  double a = most, b = most, c = most, e = most, nearest = most, farthest = -most;
  for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
    const Vec3 p = {points[i], points[i + 1], points[i + 2]};
    const double x = dot(d.right, p), y = dot(d.up, p), z = dot(d.forward, p);
    a = std::min(a, z * th - x), b = std::min(b, z * th + x);
    c = std::min(c, z * tv - y), e = std::min(e, z * tv + y);
    nearest = std::min(nearest, z), farthest = std::max(farthest, z);
  }
  if (points.size() < 3) a = b = c = e = -1, nearest = farthest = 0;
  const double room = 1e-3 * std::max({1e-9, farthest - nearest, std::abs(nearest) * 1e-6});
  const double z = std::min({(a + b) / (2 * th), (c + e) / (2 * tv), nearest - room});
  const double x = (b - a) / 2, y = (e - c) / 2;
  view.eye = sum(1, sum(x, d.right, y, d.up), z, d.forward);
  view.target = sum(1, view.eye, (nearest + farthest) / 2 - z, d.forward);
  return view;
}

namespace draw {

Camera::Camera(const View& view, const Space& space, int width, int height)
    : focal_(static_cast<float>(height / (2 * std::tan(view.field_of_view * 3.14159265358979 / 360)))),
      centre_x_(static_cast<float>(width) / 2),
      centre_y_(static_cast<float>(height) / 2) {
  if (!(view.field_of_view > 0 && view.field_of_view < 170))
    throw InputError("view", "the field of view must lie in (0, 170) degrees");
  const Directions d = directions(view);
  const auto cast = [](const Vec3& v) {
    return F3{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  };
  eye_ = space.point(view.eye.data());
  right_ = cast(d.right), up_ = cast(d.up), forward_ = cast(d.forward);
}

ScreenPoint Camera::project(F3 point) const {
  const F3 p = point - eye_;
  const float z = dot(forward_, p);
  if (!(z > 1e-4f)) return {0, 0, 0};
  return {centre_x_ + focal_ * dot(right_, p) / z, centre_y_ - focal_ * dot(up_, p) / z, 1 / z};
}

}  // namespace draw
}  // namespace resilin
