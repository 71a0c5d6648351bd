#include "contact/obstacles/obstacle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/friction/friction.h"
#include "contact/obstacles/distances.h"
#include "contact/restitution.h"
#include "core/stamp.h"

namespace resilin {
namespace {

constexpr int round_steps = 48;  // around the axis of a drawing

class Inverted final : public Obstacle {
 public:
  explicit Inverted(std::shared_ptr<const Obstacle> of) : of_(std::move(of)) {}
  std::string name() const override { return of_->name(); }
  void stamp(Stamp& out) const override { out.add("inside"), of_->stamp(out); }
  void measure(const double* x, int derivatives, Distances& out) const override {
    of_->measure(x, derivatives, out);
    invert(derivatives, out);
  }
  bool searches() const override { return of_->searches(); }
  void measure_near(const double* x, int derivatives, Distances& out, NearFaces& known) const override {
    of_->measure_near(x, derivatives, out, known);
    invert(derivatives, out);
  }
  TriangleMesh surface() const override {
    TriangleMesh out = of_->surface();
    for (std::size_t t = 0; t + 2 < out.triangles.size(); t += 3) std::swap(out.triangles[t], out.triangles[t + 1]);
    return out;
  }

 private:
  static void invert(int derivatives, Distances& out) {
    out.value = -out.value;
    for (int i = 0; derivatives > 0 && i < 3; ++i) out.normal[i] = -out.normal[i];
    for (int i = 0; derivatives > 1 && i < 6; ++i) out.curvature[i] = -out.curvature[i];
  }
  std::shared_ptr<const Obstacle> of_;
};

}  // namespace

double Obstacle::distance(const Vec3& x) const {
  alignas(64) double at[3 * lanes];
  for (int k = 0; k < 3; ++k) std::fill_n(at + k * lanes, lanes, x[k]);
  Distances out;
  measure(at, 0, out);
  return out.value[0];
}

void Obstacle::lower_bound(const double* x, double* out) const {
  Distances at;
  measure(x, 0, at);
  store(out, at.value);
}

Params contact_params() {
  Params out = {
      optional(
          number("stiffness", "N/m", 0, positive(),
                 "stiffness of the contact at each touching vertex; default: the stiffness of the body itself")),
      choice("response", {"energy", "hard", "projected"},
             "energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are "
             "put on the border after a step has been solved without the obstacle, for study")};
  return out.add(friction_params()).add(restitution_params());
}

Response response_of(const Settings& obstacle) {
  const std::string response = obstacle.text("response");
  if (response == "energy") return Response::energy;
  for (const char* of_energy : {"stiffness", "friction", "restitution"})
    if (obstacle.has(of_energy))
      obstacle.value(of_energy).fail("is a property of the energy of an obstacle, and response \"" + response +
                                     "\" has none: leave it out, or use response \"energy\"");
  return response == "hard" ? Response::hard : Response::projected;
}

ObstaclePlugin bounded_obstacle(std::string doc, Params params,
                                std::function<std::shared_ptr<const Obstacle>(const Settings&)> make) {
  params.add({boolean("inside", false, "true: bodies are kept inside of it, as in a container")});
  params.add(contact_params());
  return {std::move(doc), std::move(params),
          [make = std::move(make)](const Settings& s) -> std::shared_ptr<const Obstacle> {
            auto obstacle = make(s);
            if (!s.boolean("inside")) return obstacle;
            return std::make_shared<Inverted>(std::move(obstacle));
          }};
}

TriangleMesh revolved(const std::vector<std::array<double, 2>>& profile, bool closed) {
  TriangleMesh out;
  const auto count = static_cast<int>(profile.size());
  for (const auto& [r, z] : profile)
    for (int s = 0; s < round_steps; ++s) {
      const double angle = 2 * std::numbers::pi * s / round_steps;
      out.vertices.insert(out.vertices.end(), {r * std::cos(angle), r * std::sin(angle), z});
    }
  const auto id = [&](int ring, int s) { return ring % count * round_steps + s % round_steps; };
  for (int i = 0; i < (closed ? count : count - 1); ++i)
    for (int s = 0; s < round_steps; ++s) {
      if (closed || i > 0) out.triangles.insert(out.triangles.end(), {id(i, s), id(i, s + 1), id(i + 1, s)});
      if (closed || i + 2 < count)
        out.triangles.insert(out.triangles.end(), {id(i, s + 1), id(i + 1, s + 1), id(i + 1, s)});
    }
  return out;
}

}  // namespace resilin
