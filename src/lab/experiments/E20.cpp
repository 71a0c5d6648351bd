// E20 (Liu et al. 2017, Fig. 4): a soft body is squeezed through a torus. Contact counts in the energy and its
// gradient and stays out of the matrix, so one factorisation serves the whole run. Held in the narrowest place the
// body rests against the torus and hardly enters it. Nothing sticks: a vertex that has left carries no force, and
// it leaves when a mass on a spring would, after pi sqrt(m/k).
#include "contact/obstacles/obstacle_potential.h"
#include "geometry/vec3.h"
#include "lab/toolkit.h"
#include "setup/probe.h"

namespace resilin {
namespace {

constexpr double tube = 0.2, density = 1;  // [m], [kg/m^3]: the paper's moduli are of this unit of mass

Motion placed_at(const Vec3& at) {  // the axis of the ring along x
  MotionStep turn{MotionStep::Kind::rotate, {0, 1, 0}, {0, 0, 0}, {}};
  turn.amount.constant = std::numbers::pi / 2;
  return Motion({turn, {MotionStep::Kind::translate, at, {0, 0, 0}, {}}});
}

const ObstaclePotential& contact_of(const Model& model) {
  return dynamic_cast<const ObstaclePotential&>(*model.terms.back().elastic[0]);
}

// ---- squeezed ---------------------------------------------------------------------------------------------------

struct Squeeze {
  int factorisations = 0;
  double held = 0, deepest = 0;  // penetration over size: while it is held in the ring; at any time
  double glue = 0;               // largest force on a vertex that is outside [N]
  double through = 0;            // smallest x beyond the ring in the end [m]
  int touching = 0;              // vertices: at a time; the most while it is held
  std::string pictures[2];
};

// Penetration [m].
double measure(Simulation& simulation, Squeeze& out) {
  const Model& model = simulation.model();
  const ObstaclePotential& contact = contact_of(model);
  const Pose pose = pose_at(contact.motion(), simulation.state().time);
  lab::Probe probe(model.terms.back().elastic[0]);
  lab::Worst deepest, glue = 0.0;
  out.touching = 0;
  const Elements& points = model.terms.back().elements;
  for (int i = 0; i < points.size(); ++i) {
    const double* x = &simulation.positions()[3 * static_cast<std::size_t>(points.vertices(i)[0])];
    const double d = contact.obstacle()->distance(pose.own(x));
    deepest.see(-d);
    out.touching += d < 0 ? 1 : 0;
    if (d < 0) continue;
    probe.evaluate(x, 1);
    glue.see(std::hypot(probe.gradient()[0], probe.gradient()[1], probe.gradient()[2]));
  }
  out.glue = lab::Worst::of({out.glue, glue});
  return deepest;
}

Squeeze squeeze(const Settings& s, double speed, double radius) {
  const double step = s.number("step");
  const TetMesh mesh = metaballs({.balls = creature_balls(), .spacing = s.number("spacing")});
  const Bounds box = bounds(mesh.vertices);
  std::vector<int> nose;
  Vec3 sum{0, 0, 0};
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (const Vec3 x = vertex_at(mesh.vertices, v); x[0] > box.upper[0] - 0.06) nose.push_back(v), sum = sum + x;
  const Vec3 middle = (1.0 / static_cast<double>(nose.size())) * sum;  // it is held: the ring is around it
  const double length = box.upper[0] - box.lower[0], ring = box.upper[0] + tube, half = 0.5 * length + tube,
               wait = s.number("rest");
  MotionStep pull{MotionStep::Kind::translate, {1, 0, 0}, {}, {}};
  pull.amount.keyframes = {
      {0, 0}, {half / speed, half}, {half / speed + wait, half}, {3 * half / speed + wait, 3 * half}};
  Builder builder;
  builder.add(Solid{.name = "creature",
                    .mesh = mesh,
                    .material = {"corotated", {{"mu", s.number("mu")}, {"lambda", s.number("lambda")}}},
                    .density = density});
  builder.pin({.vertices = nose, .motion = Motion({pull})});
  builder.gravity({0, 0, 0});
  builder.damp(0, {"rayleigh", {{"beta", 0.02}}});
  builder.obstacle({"torus", {{"radius", radius}, {"tube_radius", tube}, {"stiffness", s.number("stiffness")}}},
                   placed_at({ring, middle[1], middle[2]}));
  const auto simulation = builder.simulation({.step = step});
  const double size = simulation->model().size();
  Squeeze out;
  int held = 0;
  const int pulled = static_cast<int>(half / speed / step), stop = static_cast<int>((half / speed + wait) / step),
            end = static_cast<int>((3 * half / speed + 2 * wait) / step);
  for (int frame = 1; frame <= end; ++frame) {
    out.factorisations += lab::advance(*simulation).solve.factorisations;
    const double depth = measure(*simulation, out);
    out.deepest = lab::Worst::of({out.deepest, depth / size});
    if (frame >= pulled && frame <= stop) {
      out.held = lab::Worst::of({out.held, depth / size});
      held = std::max(held, out.touching);
    }
    if (frame == stop || frame == end)
      out.pictures[frame == end] = lab::snapshot(simulation->model(), simulation->positions(), {0, 0, 1});
  }
  out.touching = held;
  out.through = bounds(simulation->positions()).lower[0] - ring;
  return out;
}

// ---- thrown -----------------------------------------------------------------------------------------------------

// Single vertices flung at the ring from all around, along its normals: frames between touching and leaving.
void study_leaving(const Settings& s, Findings& findings) {
  constexpr int count = 12;
  const double step = s.number("step"), radius = 0.5, speed = 1, start = 0.1, mass = 1;
  lab::Worst error, pull = 0.0;
  for (const double frames : s.numbers("contact_frames")) {
    const double stiffness = mass * std::pow(std::numbers::pi / (frames * step), 2);
    Springs lone;
    std::vector<double> velocity;
    for (int i = 0; i < count; ++i) {
      const double a = 2.1 * i, b = 1.3 * i;  // around the ring, around the tube
      const Vec3 normal{std::cos(b) * std::cos(a), std::cos(b) * std::sin(a), std::sin(b)};
      for (std::size_t k = 0; k < 3; ++k) {
        const double centre = k == 0 ? radius * std::cos(a) : k == 1 ? radius * std::sin(a) : 0;
        lone.mesh.vertices.push_back(centre + (tube + start) * normal[k]);
        velocity.push_back(-speed * normal[k]);
      }
    }
    lone.mass = mass;
    Builder builder;
    builder.add(lone);
    builder.launch(0, velocity);
    builder.gravity({0, 0, 0});
    builder.obstacle({"torus", {{"radius", radius}, {"tube_radius", tube}, {"stiffness", stiffness}}});
    const auto simulation = builder.simulation({.step = step, .solver = {"quasi_newton", {{"tolerance", 1e-6}}}});
    const auto& torus = *contact_of(simulation->model()).obstacle();
    std::vector<int> touched(count, 0);
    std::vector<double> before = simulation->velocities();
    for (int frame = 0; frame < 60 + 3 * frames; ++frame) {
      lab::advance(*simulation);
      for (int i = 0; i < count; ++i) {
        const bool inside = torus.distance(vertex_at(simulation->positions(), i)) < 0;
        touched[static_cast<std::size_t>(i)] += inside ? 1 : 0;
        if (!inside) pull.see(norm(vertex_at(simulation->velocities(), i) - vertex_at(before, i)));
      }
      before = simulation->velocities();
    }
    for (const int n : touched) error.see(std::abs(n - frames));
  }
  findings.at_most("thrown vertices: frames in contact against pi sqrt(m/k) / h, largest error", 1, error);
  findings.at_most("thrown vertices: change of velocity in a frame that ends outside [m/s]", 1e-9, pull);
}

void run(const Settings& s, Findings& findings) {
  for (const double radius : s.numbers("radii"))
    for (const double speed : s.numbers("speeds")) {
      const Squeeze found = squeeze(s, speed, radius);
      const std::string at = fmt::format("hole of {:.3g} m, {:g} m/s: ", radius - tube, speed);
      findings.near(at + "numeric factorisations", 1, found.factorisations, 0);
      findings.at_least(at + "vertices in contact while it is held in the ring", 20, found.touching);
      findings.at_most(at + "penetration while it is held in the ring, over size", 1e-3, found.held);
      findings.at_most(at + "force on vertices outside [N]", 0, found.glue);
      findings.at_least(at + "the whole body is through: least distance beyond the middle of the ring [m]", 0,
                        found.through);
      findings.at_most(at + "penetration at any time, over size", 1e-3, found.deepest);
      findings.picture(at + "held", found.pictures[0]);
      findings.picture(at + "through", found.pictures[1]);
    }
  study_leaving(s, findings);
  findings.differs_because(
      "The paper's Big Bunny is not public: the creature of metaballs takes its place, pulled by its nose. The "
      "paper prints no stiffness of its contact; the least penetration that is asked for decides it here.");
}

}  // namespace

ExperimentPlugin experiment_E20() {
  return {
      .title = "A body is squeezed through a torus",
      .source = "liu2017",
      .shows = "Fig. 4",
      .doc =
          "Contact without refactorisation: penetration, factorisations, and vertices that leave when they should.",
      .params = {number("mu", "Pa", 5, positive(), "shear modulus"),
                 number("lambda", "Pa", 200, positive(), "first Lame parameter"),
                 numbers("radii", "m", {0.34, 0.36}, between(0.21, 2), "radii of the ring, tube and all"),
                 numbers("speeds", "m/s", {1, 2}, positive(), "speeds at which it is pulled"),
                 number("stiffness", "N/m", 1000, positive(), "stiffness of the contact at a vertex"),
                 number("spacing", "m", 0.08, positive(), "size of the tets"),
                 number("rest", "s", 1, positive(), "time that it is held in the ring"),
                 numbers("contact_frames", "", {6, 10, 20}, between(3, 1000),
                         "frames that a thrown vertex is in contact"),
                 number("step", "s", 1.0 / 60, positive(), "h")},
      .quick =
          Quick{.set = {{"radii", Value::List{0.36}}, {"speeds", Value::List{2}}, {"spacing", 0.11}}, .slow = true},
      .run = run};
}

}  // namespace resilin
