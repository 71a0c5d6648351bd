// A ball around the origin: d = |x| - r.
#include <cmath>
#include <numbers>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle.h"
#include "core/stamp.h"

namespace resilin {
namespace {

constexpr double middle = 1e-9;  // of the radius: no way out is shorter than others

class Sphere final : public Obstacle {
 public:
  explicit Sphere(double radius) : radius_(radius) {}
  std::string name() const override { return "sphere"; }
  void stamp(Stamp& out) const override { out.add(name()), out.add(radius_); }
  double thickness() const override { return 2 * radius_; }
  void measure(const double* at, int derivatives, Distances& out) const override {
    const Pack x[3] = {load(at), load(at + lanes), load(at + 2 * lanes)};
    const Pack length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    out.value = length - radius_;
    if (derivatives == 0) return;
    const Mask some = length > middle * radius_;
    const Pack inverse = select(some, 1.0 / select(some, length, 1.0), 0.0);
    for (int i = 0; i < 3; ++i) out.normal[i] = select(some, x[i] * inverse, broadcast(i == 2 ? 1 : 0));
    const Pack unit[3] = {broadcast(1), broadcast(1), broadcast(1)};
    if (derivatives > 1) round_curvature(inverse, unit, out);
  }
  TriangleMesh surface() const override {
    std::vector<std::array<double, 2>> profile;
    for (int i = 0; i <= 24; ++i) {
      const double angle = std::numbers::pi * i / 24;
      profile.push_back({radius_ * std::sin(angle), -radius_ * std::cos(angle)});
    }
    return revolved(profile, false);
  }

 private:
  double radius_;
};

}  // namespace

ObstaclePlugin obstacle_sphere() {
  return bounded_obstacle("A ball around its origin.", {number("radius", "m", 0.5, positive(), "radius")},
                          [](const Settings& s) { return std::make_shared<Sphere>(s.number("radius")); });
}

}  // namespace resilin
