#include "lab/liu_scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/obstacles/obstacle_potential.h"
#include "lab/trust_scenes.h"
#include "lab/worst.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "simd/svd3.h"
#include "simulation/solve_stage.h"

namespace resilin::lab {
namespace {

constexpr double pi = std::numbers::pi;

constexpr double head_mu = 1.5e6;  // [Pa]: jiggles, and does not fold under its weight

int cells(double count, double detail) { return std::max(1, static_cast<int>(std::lround(count * detail))); }

template <class Predicate>
std::vector<int> vertices_where(const std::vector<double>& x, Predicate inside) {
  std::vector<int> out;
  for (int v = 0; v < static_cast<int>(x.size() / 3); ++v)
    if (inside(&x[3 * static_cast<std::size_t>(v)])) out.push_back(v);
  return out;
}

// To one side and back, starting at rest.
MotionStep swing(Vec3 direction, double amplitude, double frequency) {
  MotionStep step;
  step.direction = direction;
  step.amount.constant = amplitude;
  step.amount.amplitude = amplitude;
  step.amount.frequency = frequency;
  step.amount.phase = -pi / 2;
  return step;
}

// About the start, at full speed from the first frame on.
MotionStep shake(Vec3 direction, double amplitude, double frequency) {
  MotionStep step = swing(direction, amplitude, frequency);
  step.amount.constant = step.amount.phase = 0;
  return step;
}

LiuScene thin_sheet(double detail) {
  BoxOptions box_options;
  box_options.size = {1, 0.05, 1};
  box_options.cells = {cells(14, detail), 1, cells(14, detail)};
  LiuScene scene;
  scene.model = solid(box(box_options), 1000, "polynomial", {{"mu", 1e6}});
  scene.model.gravity = {0, -9.81, 0};
  pin(scene.model,
      vertices_where(scene.model.rest, [](const double* x) { return x[0] < -0.499 && std::abs(x[2]) > 0.35; }));
  return scene;
}

// Held at the poles, which are pulled apart and pushed together: large stretches of both signs.
LiuScene spline_sphere(const std::string& preset, double detail) {
  LiuScene scene;
  scene.kind = SceneKind::spline;
  scene.model = solid(sphere({.radius = 0.5, .spacing = 0.14 / detail}), 1000, "spline",
                      {{"preset", preset}, {"young", 3e4}, {"poisson", 0.35}});
  for (const double side : {-1.0, 1.0}) {
    pin(scene.model, vertices_where(scene.model.rest, [&](const double* x) { return side * x[1] > 0.4; }),
        Motion({shake({0, side, 0}, 0.2, 0.7)}));
  }
  return scene;
}

LiuScene shaking_bar(double detail) {
  BoxOptions options;
  options.size = {1.6, 0.16, 0.16};
  options.cells = {cells(30, detail), cells(3, detail), cells(3, detail)};
  LiuScene scene;
  scene.model = solid(box(options), 1000, "corotated", {{"young", 2e5}, {"poisson", 0.4}});
  const double half = 0.51 * options.size[0] / options.cells[0] * (options.cells[0] % 2 == 0 ? 2 : 1);
  pin(scene.model, vertices_where(scene.model.rest, [&](const double* x) { return std::abs(x[0]) <= half; }),
      Motion({shake({0, 1, 0}, 0.2, 2.5)}));
  return scene;
}

// On its feet it is five times stiffer than the random one, or its legs would fold under its weight.
LiuScene creature(double detail, const std::string& material, bool on_feet) {
  LiuScene scene;
  const double factor = on_feet ? 5 : 1;
  scene.model = solid(metaballs({.balls = creature_balls(), .blend = 0.03, .spacing = 0.08 / detail}), 1000,
                      material, {{"mu", factor * 2e4}, {"lambda", factor * 1e5}});
  if (!on_feet) return scene;
  scene.model.gravity = {0, 0, -9.81};
  pin(scene.model, vertices_where(scene.model.rest, [](const double* x) { return x[2] < 0.05; }),
      Motion({swing({0, 1, 0}, 0.1, 1.5), swing({1, 0, 0}, 0.06, 1)}));
  return scene;
}

LiuScene random_creature(double detail) {
  LiuScene scene = creature(detail, "corotated", false);
  Random random(1);
  for (std::size_t i = 0; i < scene.model.rest.size(); ++i) scene.start.push_back(random.uniform(-0.5, 0.5));
  return scene;
}

// 7 x 8 x 62 vertices as in the paper, which prints neither stiffness nor speed. Its errors in Table I (9.4e-5
// after ten of our iterations, 7.9e-3 after one of Newton's) do: with E = 1 kPa, that is k h^2 / (rho cell^2) = 30,
// and 16 degrees per frame both come out. At 3 degrees per frame of a stiffer bar (scene A, twisting_bar_slow)
// every step is an almost linear problem, for which one Newton iteration is nearly exact.
LiuScene twisting_bar(double detail, double young, double degrees_per_frame) {
  BoxOptions options;
  options.cells = {cells(6, detail), cells(7, detail), cells(61, detail)};
  options.size = {0.06, 0.07, 0.61};
  LiuScene scene;
  const TetMesh mesh = box(options);
  scene.model = solid(mesh, 1000, "neo_hookean", {{"young", young}, {"poisson", 0.4}});
  MotionStep turn;
  turn.kind = MotionStep::Kind::rotate;
  turn.direction = {0, 0, 1};
  turn.amount.keyframes = {{0, 0}, {1000, 1000 * 30 * degrees_per_frame * pi / 180}};  // of 1/30 s
  pin(scene.model, mesh.vertex_groups.at("z_min"));
  pin(scene.model, mesh.vertex_groups.at("z_max"), Motion({turn}));
  return scene;
}

// Held by two corners that move. As soft as the bar above, in the number k h^2 / m.
LiuScene cloth(double detail) {
  ClothOptions options;
  options.nx = options.ny = cells(30, detail) + 1;
  const EdgeMesh mesh = grid_cloth(options).springs;
  LiuScene scene;
  std::vector<double> stiffness(mesh.edge_count());
  for (const auto& [group, k] : {std::pair{"stretch", 4.0}, {"shear", 2.0}, {"bend", 0.025}})
    for (const int e : mesh.element_groups.at(group)) stiffness[e] = k;
  Builder builder;
  builder.gravity({0, 0, -9.81});
  builder.add(Springs{.mesh = mesh, .stiffness = stiffness, .mass = 0.2 / mesh.vertex_count()});
  builder.pin({.vertices = {0, options.nx - 1},
               .motion = Motion({swing({0, 1, 0}, 0.25, 1), swing({0, 0, 1}, 0.15, 1.4)})});
  scene.model = std::move(builder).model();
  return scene;
}

// A body falls on the ground: Table I's collision row, without the torus.
LiuScene drop(double detail) {
  LiuScene scene;
  scene.kind = SceneKind::contact;
  TetMesh mesh = sphere({.radius = 0.4, .spacing = 0.12 / detail});
  translate(mesh, {0, 0.5, 0});
  scene.model = solid(mesh, 1000, "corotated", {{"mu", 2e4}, {"lambda", 1e5}});
  scene.model.gravity = {0, -9.81, 0};
  std::vector<int> all(mesh.vertex_count());
  for (int v = 0; v < mesh.vertex_count(); ++v) all[v] = v;
  const ObstaclePlugin& plane = plugin<ObstaclePlugin>("obstacle", "plane", "experiment");
  // As stiff as a vertex of the body itself: modulus times spacing.
  const double stiffness = 1.4e5 * 0.12 / detail;
  scene.model.terms.push_back(
      {"ground", Elements::points(all), {make_obstacle_potential(plane.make(plane.params.defaults()), stiffness)}});
  return scene;
}

std::vector<Ball> head_balls() {
  return {{{0, 0.45, 0}, 0.33},        {{0.22, 0.38, 0}, 0.20},      {{0.36, 0.33, 0}, 0.12},
          {{0.10, 0.28, -0.17}, 0.17}, {{0.10, 0.28, 0.17}, 0.17},   {{-0.05, 0.80, -0.2}, 0.12},
          {{-0.05, 0.80, 0.2}, 0.12},  {{-0.07, 0.95, -0.22}, 0.09}, {{-0.07, 0.95, 0.22}, 0.09},
          {{-0.02, 0.08, 0}, 0.18},    {{-0.02, -0.05, 0}, 0.18},    {{0.36, 0.20, 0}, 0.07}};
}

// A slow nod and turn, and a swing.
std::array<MotionStep, 3> head_motion() {
  MotionStep move = swing({1, 0, 0}, 0.08, 0.6), nod = swing({0, 0, 1}, 0.35, 0.45),
             turn = swing({0, 1, 0}, 0.5, 0.3);
  nod.kind = turn.kind = MotionStep::Kind::rotate;
  return {nod, turn, move};
}

}  // namespace

LiuScene liu_mesh_head(const std::string& file) {
  LiuScene scene;
  scene.name = "head of " + file;
  State at_rest;
  scene.model = build_model(mesh_scene_of({.file = file, .load = "hang"}), at_rest);
  set_material(scene.model, 0, "polynomial", {{"mu", head_mu}});
  const auto [nod, turn, move] = head_motion();
  scene.model.pins[0].motion = Motion({nod, turn, move});
  return scene;
}

LiuScene liu_head(double spacing, double mu, bool impulsive, double step, double jerk) {
  LiuScene scene;
  scene.name = "head";
  const TetMesh mesh = metaballs({.balls = head_balls(), .blend = 0.03, .spacing = spacing});
  // The teeth (below the snout) are ten times stiffer, as in the paper's squirrel.
  Value::List field;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    double c[3] = {};
    for (int a = 0; a < 4; ++a)
      for (int k = 0; k < 3; ++k) c[k] += mesh.vertices[3 * mesh.tets[4 * t + a] + k] / 4;
    field.push_back(mu * (c[0] > 0.28 && c[1] < 0.26 ? 10 : 1));
  }
  const auto [nod, turn, move] = head_motion();
  Motion motion({nod, turn, move});
  if (impulsive) {
    MotionStep jerks;
    jerks.direction = {1, 0.3, 0.5};
    for (int i = 0; i < 40; ++i) {  // every ten frames to the other side, within one frame
      jerks.amount.keyframes.push_back({(10 * i + 9) * step, i % 2 == 0 ? 0 : jerk});
      jerks.amount.keyframes.push_back({(10 * i + 10) * step, i % 2 == 0 ? jerk : 0});
    }
    motion = Motion({nod, turn, jerks});
  }
  Builder builder;
  builder.add(Solid{.name = "head", .mesh = mesh, .material = {"polynomial", {{"mu", field}}}});
  builder.pin(
      {.vertices = vertices_where(mesh.vertices, [](const double* x) { return x[1] < -0.05; }), .motion = motion});
  scene.model = std::move(builder).model();
  return scene;
}

const std::vector<std::string>& liu_scene_names() {
  static const std::vector<std::string> names = {
      "thin_sheet",   "sphere_a",          "sphere_b", "shaking_bar", "creature", "random_creature",
      "twisting_bar", "twisting_bar_slow", "cloth",    "drop",        "head"};
  return names;
}

LiuScene liu_scene(const std::string& name, double detail) {
  LiuScene scene;
  if (name == "thin_sheet") scene = thin_sheet(detail);
  else if (name == "sphere_a") scene = spline_sphere("A", detail);
  else if (name == "sphere_b") scene = spline_sphere("B", detail);
  else if (name == "shaking_bar") scene = shaking_bar(detail);
  else if (name == "creature") scene = creature(detail, "neo_hookean", true);
  else if (name == "random_creature") scene = random_creature(detail);
  else if (name == "twisting_bar") scene = twisting_bar(detail, 1e3, 16);
  else if (name == "twisting_bar_slow") scene = twisting_bar(detail, 1e5, 3);
  else if (name == "cloth") scene = cloth(detail);
  else if (name == "drop") scene = drop(detail);
  else if (name == "head") scene = liu_head(0.09 / detail, head_mu, false, 1.0 / 30);
  else unknown_plugin("scene", name, liu_scene_names(), "experiment");
  scene.name = name;
  return scene;
}

std::unique_ptr<Simulation> start_scene(LiuScene scene, double step, const std::string& solver,
                                        const Values& solver_params) {
  auto simulation = lab::make_simulation(std::move(scene.model), step, solver, solver_params);
  if (!scene.start.empty()) {
    State state = simulation->state();
    state.q = scene.start;
    simulation->set_state(std::move(state));
  }
  return simulation;
}

std::array<double, 2> stretch_range(const Model& model, const std::vector<double>& q) {
  Least smallest = 1;
  Worst largest = 1;
  for (const Term& term : model.terms) {
    if (term.elements.rows() != 3) continue;
    for (int i = 0; i < term.elements.size(); ++i) {
      double z[9] = {}, u[9], sigma[3], v[9];
      const auto c = term.elements.coefficients(i);
      const auto ids = term.elements.vertices(i);
      for (int r = 0; r < 3; ++r)
        for (int a = 0; a < 4; ++a)
          for (int k = 0; k < 3; ++k) z[3 * r + k] += c[4 * r + a] * q[3 * static_cast<std::size_t>(ids[a]) + k];
      svd3(z, u, sigma, v);
      smallest.see(sigma[2]), largest.see(sigma[0]);
    }
  }
  return {smallest, largest};
}

Stage euler_stage(DynamicSystem& system, const State& state, double h) {
  Stage stage;
  stage.time = state.time + h;
  stage.tau = h;
  stage.origin = state.q;
  stage.velocity = state.v;
  std::vector<double> external(state.q.size()), ignored(state.q.size());
  system.external(stage.time, external.data());
  stage.target.resize(state.q.size());
  for (std::size_t i = 0; i < state.q.size(); ++i)
    stage.target[i] = state.q[i] + h * (state.v[i] + h * external[i]);
  system.space().coordinates().prescribe(stage.time, stage.target.data(), ignored.data());
  stage.guess = stage.target;
  system.begin(stage);
  return stage;
}

SolveReport solve_stage(Solver& solver, DynamicSystem& system, const Stage& stage, std::vector<double>& y,
                        int iterations, double tolerance) {
  y = stage.guess;
  Memory memory;
  StopRule stop;
  stop.iterations = iterations;
  stop.gradient = tolerance;
  return solve_stage(system, solver, stage, y, memory, stop);
}

}  // namespace resilin::lab
