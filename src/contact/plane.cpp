// A half space that vertices may not enter: psi(z) = k/2 min(0, n.z - d)^2 (Liu et al. 4.3, with the stiffness that X5 misses).
// One-sided, so it never pulls, and once differentiable, so value and gradient always belong together. Friction is apart
// from it (contact/friction.h).
#include <algorithm>
#include <array>
#include <cmath>

#include "contact/friction.h"
#include "contact/obstacle.h"
#include "core/stamp.h"
#include "potentials/compliant.h"
#include "resilin/errors.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// c = n.z - d, one-sided.
struct PlaneConstraint {
  static constexpr int rows = 1, constraints = 1;
  static constexpr bool one_sided = true;
  std::array<double, 3> normal;
  double offset, k;
  template <Real T>
  void constrain(const T* z, const T*, T* value, T* gradient, T* stiffness) const {
    value[0] = normal[0] * z[0] + normal[1] * z[1] + normal[2] * z[2] - offset;
    for (int i = 0; i < 3; ++i) gradient[i] = constant<T>(normal[i]);
    stiffness[0] = constant<T>(k);
  }
};

class PlaneKernel final : public Kernel {
 public:
  explicit PlaneKernel(const PlaneConstraint& plane) : plane_(plane) {}

  void evaluate(Block& block) const override {
    const auto& [normal, offset, stiffness] = plane_;
    for (int p = 0; p < block.packs; ++p) {
      const double* z = block.z + p * 3 * lanes;
      const Pack height =
          normal[0] * load(z) + normal[1] * load(z + lanes) + normal[2] * load(z + 2 * lanes) - offset;
      const Pack depth = min(height, 0.0);
      add(block.psi + p * lanes, 0.5 * stiffness * depth * depth);
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 3; ++i) add(block.dpsi_z + (p * 3 + i) * lanes, stiffness * normal[i] * depth);
      if (block.d2psi_z == nullptr) continue;
      const Pack k = select(height < 0.0, stiffness, Pack{});
      for (int i = 0, at = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j, ++at) add(block.d2psi_z + (p * 6 + at) * lanes, k * (normal[i] * normal[j]));
    }
  }

 private:
  static void add(double* to, Pack value) { store(to, load(to) + value); }
  PlaneConstraint plane_;
};

class Plane final : public Potential {
 public:
  explicit Plane(const PlaneConstraint& plane) : plane_(plane) {}

  std::string name() const override { return "plane"; }
  ElementKind kind() const override { return ElementKind::point; }
  void stamp(Stamp& out) const override {
    out.add(name());
    for (const double n : plane_.normal) out.add(n);
    out.add(plane_.offset), out.add(plane_.k);
  }
  std::unique_ptr<Kernel> pack(std::span<const int>) const override {
    return std::make_unique<PlaneKernel>(plane_);
  }
  Reads reads(int) const override { return Reads::coordinates; }
  double clearance(const double* x) const override {
    const auto& n = plane_.normal;
    return std::max(0.0, n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - plane_.offset);
  }
  void quadratic(int, double, double* matrix) const override { matrix[0] = 0; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int>) const override {
    return std::make_unique<PackedForm<PlaneConstraint, 0>>(plane_, PackedCoefficients{});
  }

 private:
  PlaneConstraint plane_;
};

}  // namespace

ObstaclePlugin obstacle_plane() {
  ObstaclePlugin plugin;
  plugin.doc = "The ground: a half space.";
  plugin.params = {
      vector3("normal", "", {0, 1, 0}, "normal of the plane; it points to where bodies are"),
      number("height", "m", 0, any_number(), "distance of the plane from the origin along the normal"),
      optional(
          number("stiffness", "N/m", 0, positive(),
                 "stiffness of the contact at each touching vertex; default: the stiffness of the body itself"))};
  plugin.params.add(friction_params());
  plugin.make = [](const Settings& s, double stiffness) -> std::shared_ptr<const Potential> {
    auto n = s.vector3("normal");
    const double length = std::hypot(n[0], n[1], n[2]);
    if (!(length > 0)) s.value("normal").fail("the normal of a plane must not be zero");
    for (double& v : n) v /= length;
    return std::make_shared<Plane>(
        PlaneConstraint{n, s.number("height"), s.has("stiffness") ? s.number("stiffness") : stiffness});
  };
  return plugin;
}

}  // namespace resilin
