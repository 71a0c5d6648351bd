#include "lab/slope.h"

#include "lab/toolkit.h"

namespace resilin::lab {
namespace {

double dot(const std::array<double, 3>& a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

// The block stands on the plane as deep as it rests there, turned with it.
Slope::Slope(const SlopeOptions& o) : options_(o) {
  const double c = std::cos(o.angle), s = std::sin(o.angle);
  normal_ = o.inclined_plane ? std::array{s, c, 0.0} : std::array{0.0, 1.0, 0.0};
  downhill_ = o.inclined_plane ? std::array{c, -s, 0.0} : std::array{1.0, 0.0, 0.0};
  BoxOptions shape{.size = o.size, .cells = o.cells};
  TetMesh mesh = box(shape);
  contact_ = o.stiffness * o.young * o.size[0] / o.cells[0];
  const double mass = o.density * o.size[0] * o.size[1] * o.size[2],
               touching = (o.cells[0] + 1.0) * (o.cells[2] + 1.0);
  const double height = 0.5 * o.size[1] - mass * gravity() * c / (touching * contact_) + o.drop;
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    const double x = mesh.vertices[i], y = mesh.vertices[i + 1] + height;
    mesh.vertices[i] = downhill_[0] * x + normal_[0] * y, mesh.vertices[i + 1] = downhill_[1] * x + normal_[1] * y;
  }
  Builder builder;
  const int body = builder.add(
      Solid{.mesh = mesh, .material = {"corotated", {{"young", o.young}, {"poisson", 0.3}}}, .density = o.density});
  if (o.inclined_plane) builder.gravity({0, -gravity(), 0});
  else builder.gravity({gravity() * s, -gravity() * c, 0});
  Values plane{{"normal", Value::List{normal_[0], normal_[1], normal_[2]}}, {"stiffness", contact_}};
  if (o.friction > 0) plane.emplace_back("friction", o.friction);
  if (o.restitution >= 0) plane.emplace_back("restitution", o.restitution);
  builder.obstacle({"plane", plane});
  if (o.settle + o.ramp > 0) {
    Load held{.body = body, .kind = Load::Kind::acceleration};
    for (std::size_t k = 0; k < 3; ++k) held.vector[k] = -gravity() * s * downhill_[k];
    held.signal.keyframes = {{o.settle, 1}, {o.settle + o.ramp, 0}};
    builder.force(held);
  }
  builder.launch(body, {o.speed * downhill_[0], o.speed * downhill_[1], 0});
  simulation_ =
      builder.simulation({.step = o.step, .solver = o.solver, .integrator = o.integrator, .threads = o.threads});
  if (o.settled) {
    SlopeOptions at_rest = o;
    at_rest.settled = false, at_rest.friction = at_rest.speed = 0, at_rest.settle = 10;
    at_rest.step = 1.0 / 60, at_rest.integrator = "backward_euler", at_rest.solver = "quasi_newton";
    Slope rest(at_rest);
    for (int i = 0; i < 120; ++i) rest.advance();
    State state = simulation_->state();
    state.q = rest.simulation().positions();
    simulation_->set_state(std::move(state));
  }
  start_ = along(simulation_->positions());
  watch_ = std::make_unique<ConeWatch>(*simulation_, o.friction);
}

StepReport Slope::advance() {
  StepReport report = lab::advance(*simulation_);
  watch_->observe();
  return report;
}

double Slope::force(const double* x) const { return contact_ * std::max(0.0, -dot(normal_, x)); }

double Slope::carried() const {
  const auto& q = simulation_->positions();
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); i += 3) sum += force(&q[i]);
  return sum / (simulation_->model().total_mass() * gravity() * std::cos(options_.angle));
}

double Slope::along(const std::vector<double>& x, const std::array<double, 3>& direction) const {
  const Model& model = simulation_->model();
  double sum = 0;
  for (std::size_t v = 0; v < model.mass.size(); ++v) sum += model.mass[v] * dot(direction, &x[3 * v]);
  return sum / model.total_mass();
}

}  // namespace resilin::lab
