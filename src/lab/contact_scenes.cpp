#include "lab/contact_scenes.h"

#include <filesystem>

#include "lab/toolkit.h"
#include "lab/trust_scenes.h"
#include "resilin/io.h"

namespace resilin::lab {
namespace {

int add_solid(Builder& builder, TetMesh mesh, double young, const Vec3& at) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) mesh.vertices[i] += at[i % 3];
  return builder.add(
      Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", young}, {"poisson", 0.3}}}});
}

Builder balls() {
  Builder builder;
  builder.gravity({0, 0, 0});
  const TetMesh ball = sphere({.radius = 0.1, .spacing = 0.04});
  builder.launch(add_solid(builder, ball, 1e5, {-0.12, 0, 0}), {3, 0, 0});
  builder.launch(add_solid(builder, ball, 1e5, {0.12, 0.03, 0.01}), {-3, 0, 0});
  return builder;
}

Skin cloth() {
  return {.thickness = 1e-3,
          .material = {"neo_hookean", {{"young", 2e5}, {"poisson", 0.3}}},
          .density = 300,
          .bending = {"quadratic", {{"stiffness", 1e-6}}}};
}

// Folded over a half circle, above the ground; the upper half comes down at 12 m/s: by five times the gap in the
// first frame.
Builder fold(int cells) {
  constexpr double radius = 0.02, arc = std::numbers::pi * radius;
  Builder builder;
  TriangleMesh mesh = grid_sheet({.size = {0.6, 0.4}, .cells = {cells, cells * 2 / 3}});
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
    mesh.vertices[i + 2] = -mesh.vertices[i + 1], mesh.vertices[i + 1] = 0.3;
  const int body = builder.add(Shell{.mesh = mesh, .skin = cloth()});
  builder.obstacle({"plane", {{"friction", 0.4}}});
  std::vector<double> folded = mesh.vertices, velocity(folded.size(), 0.0);
  for (std::size_t i = 0; i < folded.size(); i += 3) {
    const double along = std::max(0.0, mesh.vertices[i]), angle = std::min(along, arc) / radius;
    if (along > 0) folded[i] = radius * std::sin(angle) - std::max(0.0, along - arc);
    folded[i + 1] += radius * (1 - std::cos(angle));
    velocity[i + 1] = -6 * (1 - std::cos(angle));
  }
  builder.place(body, folded);
  builder.launch(body, velocity);
  return builder;
}

Builder edge(int cells) {
  Builder builder;
  const TriangleMesh mesh = grid_sheet({.size = {0.5, 0.5}, .cells = {cells, cells}, .center = {0, 0.3, 0}});
  const int body = builder.add(Shell{.mesh = mesh, .skin = cloth()});
  std::vector<double> wavy = mesh.vertices;
  for (std::size_t i = 0; i < wavy.size(); i += 3) wavy[i + 2] = 0.01 * std::sin(7 * wavy[i] + 9 * wavy[i + 1]);
  builder.place(body, wavy);
  builder.obstacle({"plane", {{"friction", 0.3}}});
  builder.launch(body, {0, -1, 0});
  return builder;
}

// In layers of four, each turned against the one below.
Builder pile(int count) {
  Builder builder;
  for (int i = 0; i < count; ++i) {
    const int layer = i / 4, corner = i % 4;
    const double turn = 0.4 * layer + corner * std::numbers::pi / 2;
    const Vec3 at{0.11 * std::cos(turn), 0.08 + 0.14 * layer, 0.11 * std::sin(turn)};
    const TetMesh shape = i % 3 == 0   ? sphere({.radius = 0.05, .spacing = 0.035})
                          : i % 3 == 1 ? box({.size = {0.09, 0.09, 0.09}, .cells = {2, 2, 2}})
                                       : cylinder({.radius = 0.045, .height = 0.1, .spacing = 0.035});
    add_solid(builder, shape, 5e4, at);
  }
  MotionStep up;
  up.direction = {0, 1, 0};
  up.amount.constant = 2;  // it stands on y = 0
  builder.obstacle({"box", {{"size", Value::List{0.5, 4, 0.5}}, {"inside", true}, {"friction", 0.4}}},
                   Motion({up}));
  return builder;
}

// 0.3 m large, standing on y = 0 in the middle. A creature where there is no such file.
TetMesh stranger(const char* file) {
  TetMesh mesh;
  if (has_mesh(file)) {
    const std::string path = (std::filesystem::path(mesh_folder()) / file).string();
    mesh = to_tet_mesh(read_mesh(path), path);
  } else {
    mesh = metaballs({.balls = creature_balls(), .spacing = 0.08});
  }
  const Bounds first = bounds(mesh.vertices);
  scale(mesh, 0.3 / std::max({first.upper[0] - first.lower[0], first.upper[1] - first.lower[1],
                              first.upper[2] - first.lower[2]}));
  const Bounds box = bounds(mesh.vertices);
  translate(mesh, {-0.5 * (box.lower[0] + box.upper[0]), -box.lower[1], -0.5 * (box.lower[2] + box.upper[2])});
  return mesh;
}

// One is thrown on the other at 4 m/s; a plate follows, presses both by a third of their height and goes back.
Builder meshes() {
  constexpr double gap = 0.01;
  Builder builder;
  const TetMesh lower = stranger("bunny_2k_slivers.mesh"), upper = stranger("armadillo_1k.vtu");
  const double middle = gap + bounds(lower.vertices).upper[1] + gap,
               top = middle + bounds(upper.vertices).upper[1] + gap;
  add_solid(builder, lower, 1e5, {0, gap, 0});
  builder.launch(add_solid(builder, upper, 1e5, {0, middle, 0}), {0, -4, 0});
  MotionStep press{MotionStep::Kind::translate, {0, -top / 3, 0}, {0, 0, 0}, {}};
  press.amount.keyframes = {{0, 0}, {2, 1}, {3, 1}, {4, 0}};
  builder.obstacle({"plane", {{"friction", 0.4}}});
  builder.obstacle({"plane", {{"normal", Value::List{0, -1, 0}}, {"height", -top}, {"friction", 0.4}}},
                   Motion({press}));
  return builder;
}

}  // namespace

std::vector<ContactScene> contact_scenes(int cells, int count) {
  return {{"balls", balls},
          {"fold", [=] { return fold(cells); }},
          {"edge", [=] { return edge(cells); }},
          {"pile", [=] { return pile(count); }},
          {"meshes", meshes}};
}

Builder box_stack(int boxes, int cells, double young, double gap, double friction) {
  Builder builder;
  builder.obstacle({"plane", {{"friction", friction}}});
  for (int i = 0; i < boxes; ++i)
    add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {cells, cells, cells}}), young,
              {0, 0.05 + (0.1 + gap) * i, 0});
  return builder;
}

Builder drape(const Drape& o) {
  Builder builder;
  TriangleMesh mesh = grid_sheet({.size = {o.size, o.size}, .cells = {o.cells, o.cells}});
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    mesh.vertices[i + 2] = 0.5 * o.off - mesh.vertices[i + 1], mesh.vertices[i + 1] = o.radius + 0.02;
    mesh.vertices[i] += o.off;
  }
  const Values limit{{"low", 0.9}, {"high", 1.05}};
  builder.add(Shell{.mesh = mesh,
                    .skin = {.thickness = 1e-3,
                             .material = {"corotated", {{"young", o.young}, {"poisson", 0.3}}},
                             .density = 200,
                             .bending = {"quadratic", {{"stiffness", o.bending}}},
                             .potentials = {{"strain_limit", limit}}}});
  MotionStep turn{MotionStep::Kind::rotate, {0, 1, 0}, {0, 0, 0}, {}};
  turn.amount.keyframes = {{1, 0}, {1001, 1000 * o.spin}};
  Values ball{{"radius", o.radius}};
  if (o.friction > 0) ball.emplace_back("friction", o.friction);
  builder.obstacle({"sphere", ball}, o.spin != 0 ? Motion({turn}) : Motion());
  if (o.self) builder.contact({.friction = o.friction});
  return builder;
}

}  // namespace resilin::lab
