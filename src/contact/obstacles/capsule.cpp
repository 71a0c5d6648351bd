// A rod along z with round ends: d = |x - c| - r, c the point of the axis that is nearest to x.
#include <cmath>
#include <numbers>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle.h"
#include "core/stamp.h"

namespace resilin {
namespace {

constexpr double middle = 1e-9;  // of the radius: as near to the axis no way out is shorter than others

class Capsule final : public Obstacle {
 public:
  Capsule(double radius, double length) : radius_(radius), half_(length / 2) {}
  std::string name() const override { return "capsule"; }
  void stamp(Stamp& out) const override { out.add(name()), out.add(radius_), out.add(half_); }

  double thickness() const override { return 2 * radius_; }
  void measure(const double* at, int derivatives, Distances& out) const override {
    const Pack x[3] = {load(at), load(at + lanes), load(at + 2 * lanes)};
    const Pack gap[3] = {x[0], x[1], x[2] - min(max(x[2], -half_), half_)};
    const Pack length = sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
    out.value = length - radius_;
    if (derivatives == 0) return;
    const Mask some = length > middle * radius_;
    const Pack inverse = select(some, 1.0 / select(some, length, 1.0), 0.0);
    for (int i = 0; i < 3; ++i) out.normal[i] = select(some, gap[i] * inverse, broadcast(i == 0 ? 1 : 0));
    const Pack along = select(abs(x[2]) > half_, 1.0, Pack{});  // the round ends curve along z too
    const Pack unit[3] = {broadcast(1), broadcast(1), along};
    if (derivatives > 1) round_curvature(inverse, unit, out);
  }

  TriangleMesh surface() const override {
    std::vector<std::array<double, 2>> profile;
    for (int i = 0; i <= 25; ++i) {  // the middle twice: the two ends of the cylinder
      const double angle = std::numbers::pi * (i < 13 ? i : i - 1) / 24;
      profile.push_back({radius_ * std::sin(angle), -radius_ * std::cos(angle) + (i < 13 ? -half_ : half_)});
    }
    return revolved(profile, false);
  }

 private:
  double radius_, half_;
};

}  // namespace

ObstaclePlugin obstacle_capsule() {
  return bounded_obstacle(
      "A rod with round ends along its z axis.",
      {number("radius", "m", 0.25, positive(), "radius of the rod and of its ends"),
       number("length", "m", 1, positive(), "length of the axis, without the round ends")},
      [](const Settings& s) { return std::make_shared<Capsule>(s.number("radius"), s.number("length")); });
}

}  // namespace resilin
