// A ring around z: d = |(rho - R, z)| - r with rho = |(x, y)|.
#include <cmath>
#include <numbers>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle.h"
#include "core/stamp.h"

namespace resilin {
namespace {

constexpr double middle = 1e-9;  // of a radius: as near to an axis no direction is nearer than others

class Torus final : public Obstacle {
 public:
  Torus(double radius, double tube) : radius_(radius), tube_(tube) {}
  std::string name() const override { return "torus"; }
  void stamp(Stamp& out) const override { out.add(name()), out.add(radius_), out.add(tube_); }

  double thickness() const override { return 2 * tube_; }
  void measure(const double* at, int derivatives, Distances& out) const override {
    const Pack x[3] = {load(at), load(at + lanes), load(at + 2 * lanes)};
    const Pack rho = sqrt(x[0] * x[0] + x[1] * x[1]), across = rho - radius_;
    const Pack length = sqrt(across * across + x[2] * x[2]);
    out.value = length - tube_;
    if (derivatives == 0) return;
    const Mask apart = rho > middle * radius_, some = length > middle * tube_;
    const Pack outward = select(apart, 1.0 / select(apart, rho, 1.0), 0.0),
               inverse = select(some, 1.0 / select(some, length, 1.0), 0.0);
    const Pack ray[3] = {select(apart, x[0] * outward, 1.0), select(apart, x[1] * outward, 0.0), Pack{}};
    const Pack in_plane = select(some, across * inverse, 1.0), up = select(some, x[2] * inverse, 0.0);
    for (int i = 0; i < 3; ++i) out.normal[i] = in_plane * ray[i] + (i == 2 ? up : Pack{});
    if (derivatives == 1) return;
    // Around the tube 1/length, in the half plane of x and z; along the ring in_plane/rho.
    const Pack around[3] = {-up * ray[0], -up * ray[1], in_plane}, along[3] = {-ray[1], ray[0], Pack{}};
    const Pack ring = in_plane * outward;
    for (int i = 0, entry = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j, ++entry)
        out.curvature[entry] = inverse * (around[i] * around[j]) + ring * (along[i] * along[j]);
  }

  TriangleMesh surface() const override {
    std::vector<std::array<double, 2>> profile;
    for (int i = 0; i < 24; ++i) {
      const double angle = 2 * std::numbers::pi * i / 24;
      profile.push_back({radius_ + tube_ * std::cos(angle), tube_ * std::sin(angle)});
    }
    return revolved(profile, true);
  }

 private:
  double radius_, tube_;
};

}  // namespace

ObstaclePlugin obstacle_torus() {
  return bounded_obstacle(
      "A ring around its z axis.",
      {number("radius", "m", 0.5, positive(), "distance from the centre to the axis of the tube"),
       number("tube_radius", "m", 0.2, positive(), "radius of the tube, less than radius")},
      [](const Settings& s) {
        const double radius = s.number("radius"), tube = s.number("tube_radius");
        if (!(tube < radius))
          s.value(s.has("tube_radius") ? "tube_radius" : "radius")
              .fail("the tube of a torus must be thinner than its radius");
        return std::make_shared<Torus>(radius, tube);
      });
}

}  // namespace resilin
