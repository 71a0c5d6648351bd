// A half space: d = n.x - height (Liu et al. 4.3).
#include <cmath>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle.h"
#include "core/stamp.h"

namespace resilin {
namespace {

class Plane final : public Obstacle {
 public:
  Plane(const Vec3& normal, double height) : normal_(normal), height_(height) {}
  std::string name() const override { return "plane"; }
  void stamp(Stamp& out) const override {
    out.add(name());
    for (const double n : normal_) out.add(n);
    out.add(height_);
  }
  void measure(const double* at, int derivatives, Distances& out) const override {
    const Pack x[3] = {load(at), load(at + lanes), load(at + 2 * lanes)};
    out.value = normal_[0] * x[0] + normal_[1] * x[1] + normal_[2] * x[2] - height_;
    for (int i = 0; derivatives > 0 && i < 3; ++i) out.normal[i] = broadcast(normal_[i]);
    for (int i = 0; derivatives > 1 && i < 6; ++i) out.curvature[i] = Pack{};
  }

 private:
  Vec3 normal_;
  double height_;
};

}  // namespace

ObstaclePlugin obstacle_plane() {
  ObstaclePlugin plugin;
  plugin.doc = "The ground: a half space.";
  plugin.params = {
      vector3("normal", "", {0, 1, 0}, "normal of the plane; it points to where bodies are"),
      number("height", "m", 0, any_number(), "distance of the plane from the origin along the normal")};
  plugin.params.add(contact_params());
  plugin.make = [](const Settings& s) {
    auto n = s.vector3("normal");
    const double length = std::hypot(n[0], n[1], n[2]);
    if (!(length > 0) || !std::isfinite(length)) s.value("normal").fail("the normal of a plane must not be zero");
    for (double& v : n) v /= length;
    return std::make_shared<Plane>(n, s.number("height"));
  };
  return plugin;
}

}  // namespace resilin
