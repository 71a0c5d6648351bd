// A box around the origin. With q = |x| - size/2 for each axis: d = |max(q, 0)| outside and max(q) inside.
#include <algorithm>

#include "contact/obstacles/distances.h"
#include "contact/obstacles/obstacle.h"
#include "core/stamp.h"

namespace resilin {
namespace {

class Box final : public Obstacle {
 public:
  explicit Box(const Vec3& size) : half_{size[0] / 2, size[1] / 2, size[2] / 2} {}
  std::string name() const override { return "box"; }
  void stamp(Stamp& out) const override {
    out.add(name());
    for (const double h : half_) out.add(h);
  }

  double thickness() const override { return 2 * std::min({half_[0], half_[1], half_[2]}); }
  void measure(const double* at, int derivatives, Distances& out) const override {
    const Pack x[3] = {load(at), load(at + lanes), load(at + 2 * lanes)};
    Pack q[3], beyond[3], squares = {};
    for (int i = 0; i < 3; ++i) {
      q[i] = abs(x[i]) - half_[i];
      beyond[i] = max(q[i], 0.0);
      squares += beyond[i] * beyond[i];
    }
    const Pack inner = max(max(q[0], q[1]), q[2]), outer = sqrt(squares);
    const Mask outside = outer > 0.0;
    out.value = select(outside, outer, inner);
    if (derivatives == 0) return;
    const Pack inverse = select(outside, 1.0 / select(outside, outer, 1.0), 0.0);
    Mask left = first_lanes(lanes);  // one face, where several are as near
    for (int i = 0; i < 3; ++i) {
      const Mask face = left & (q[i] >= inner);
      left = left & !face;
      const Pack size = select(outside, beyond[i] * inverse, select(face, 1.0, Pack{}));
      out.normal[i] = copysign(size, x[i]);
    }
    const Pack beside[3] = {select(q[0] > 0.0, 1.0, Pack{}), select(q[1] > 0.0, 1.0, Pack{}),
                            select(q[2] > 0.0, 1.0, Pack{})};
    if (derivatives > 1) round_curvature(inverse, beside, out);
  }

  TriangleMesh surface() const override {
    TriangleMesh out;
    for (int corner = 0; corner < 8; ++corner)
      for (int k = 0; k < 3; ++k) out.vertices.push_back((corner >> k & 1) != 0 ? half_[k] : -half_[k]);
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) {
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, at = side << axis;
        const int a = at, b = at | (side == 1 ? u : v), c = at | u | v, d = at | (side == 1 ? v : u);
        out.triangles.insert(out.triangles.end(), {a, b, c, a, c, d});
      }
    return out;
  }

 private:
  Vec3 half_;
};

}  // namespace

ObstaclePlugin obstacle_box() {
  return bounded_obstacle("A box around its origin.", {vector3("size", "m", {1, 1, 1}, "lengths of the edges")},
                          [](const Settings& s) {
                            const Vec3 size = s.vector3("size");
                            for (const double edge : size)
                              if (!(edge > 0)) s.value("size").fail("edges of a box must be > 0");
                            return std::make_shared<Box>(size);
                          });
}

}  // namespace resilin
