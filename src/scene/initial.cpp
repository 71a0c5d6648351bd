#include "scene/initial.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "geometry/vec3.h"
#include "resilin/mesh.h"
#include "scene/format.h"

namespace resilin {
namespace {

// splitmix64: the same numbers on every machine, which std:: distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

Vec3 center_of_mass(std::span<const double> mass, std::span<const double> q) {
  Vec3 sum{0, 0, 0};
  double total = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    total += mass[i];
    for (int k = 0; k < 3; ++k) sum[k] += mass[i] * q[3 * i + k];
  }
  return (1 / total) * sum;
}

template <class Change>
void each_vertex(std::span<double> q, Change&& change) {
  for (std::size_t i = 0; i + 2 < q.size(); i += 3) {
    const Vec3 x = change(Vec3{q[i], q[i + 1], q[i + 2]});
    for (int k = 0; k < 3; ++k) q[i + k] = x[k];
  }
}

Vec3 turned(const Vec3& axis, double angle, const Vec3& r) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * r + s * cross(axis, r) + ((1 - c) * dot(axis, r)) * axis;
}

// x -> center + r + (factor - 1) (n.r) n
void squeeze(std::span<double> q, const Vec3& center, const Vec3& axis, double factor) {
  each_vertex(q, [&](const Vec3& x) { return x + ((factor - 1) * dot(axis, x - center)) * axis; });
}

void randomise(const Value& value, std::span<double> q) {
  const Settings s = read_object("randomise", value);
  Random random(static_cast<std::uint64_t>(s.integer("seed")));
  const Bounds b = bounds(q);
  const bool anywhere = s.has("box");
  const double amplitude = anywhere ? 0 : s.number("amplitude"), factor = anywhere ? s.number("box") : 0;
  each_vertex(q, [&](Vec3 x) {
    for (int k = 0; k < 3; ++k) {
      const double r = 2 * random.uniform() - 1;
      x[k] = anywhere ? 0.5 * (b.lower[k] + b.upper[k] + factor * r * (b.upper[k] - b.lower[k]))
                      : x[k] + amplitude * r;
    }
    return x;
  });
}

void twist(const Value& value, const Vec3& center, std::span<double> q) {
  const Settings s = read_object("rotation", value);
  const Vec3 axis = read_axis(s.value("axis"));
  double low = std::numeric_limits<double>::infinity(), high = -low;
  each_vertex(q, [&](const Vec3& x) {
    low = std::min(low, dot(axis, x)), high = std::max(high, dot(axis, x));
    return x;
  });
  if (!(high > low)) value.fail("the body has no length along this axis");
  const double rate = s.number("degrees") * std::numbers::pi / 180 / (high - low);
  each_vertex(q, [&](const Vec3& x) { return center + turned(axis, rate * (dot(axis, x) - low), x - center); });
}

void spin(const Value& value, const Vec3& center, std::span<const double> q, std::span<double> v) {
  const Settings s = read_object("spin", value);
  const double rate = s.has("rate") ? s.number("rate") : 2 * std::numbers::pi * s.number("revolutions");
  const Vec3 axis = read_axis(s.value("axis")), at = s.has("center") ? s.vector3("center") : center;
  for (std::size_t i = 0; i < q.size(); i += 3) {
    const Vec3 velocity = rate * cross(axis, Vec3{q[i], q[i + 1], q[i + 2]} - at);
    for (int k = 0; k < 3; ++k) v[i + k] += velocity[k];
  }
}

void apply_one(const Value& value, std::span<const double> mass, std::span<double> q, std::span<double> v) {
  const Settings s = read_object("initial", value);
  const auto center = [&] { return s.has("center") ? s.vector3("center") : center_of_mass(mass, q); };
  if (s.has("collapse")) {
    const Value& to = s.value("collapse");
    const Vec3 point = to.is_list() ? to.vector3() : center();
    if (to.is_list() || to.boolean()) each_vertex(q, [&](const Vec3&) { return point; });
  }
  if (s.has("randomise")) randomise(s.value("randomise"), q);
  if (s.has("flatten")) {
    const Settings flat = read_object("flatten", s.value("flatten"));
    squeeze(q, center(), read_axis(flat.value("axis")), flat.number("factor"));
  }
  if (s.has("mirror")) squeeze(q, center(), read_axis(read_object("mirror", s.value("mirror")).value("axis")), -1);
  if (s.has("stretch")) {
    const Vec3 factors = s.vector3("stretch"), c = center();
    each_vertex(q, [&](Vec3 x) {
      for (int k = 0; k < 3; ++k) x[k] = c[k] + factors[k] * (x[k] - c[k]);
      return x;
    });
  }
  if (s.has("twist")) twist(s.value("twist"), center(), q);
  if (s.has("rotate"))
    for (const Value* item : items(s.value("rotate"))) {
      const Settings r = read_object("rotation", *item);
      const Vec3 axis = read_axis(r.value("axis")), c = center();
      const double angle = r.number("degrees") * std::numbers::pi / 180;
      each_vertex(q, [&](const Vec3& x) { return c + turned(axis, angle, x - c); });
    }
  translate(q, s.vector3("translate"));
  const Vec3 velocity = s.vector3("velocity");
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += velocity[i % 3];
  if (s.has("spin")) spin(s.value("spin"), center(), q, v);
}

}  // namespace

void apply_initial(const Value& value, std::span<const double> mass, std::span<double> q, std::span<double> v) {
  for (const Value* item : items(value)) apply_one(*item, mass, q, v);
}

}  // namespace resilin
