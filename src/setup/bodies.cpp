#include "setup/bodies.h"

#include <cmath>
#include <numbers>

#include "potentials/damping/damping.h"
#include "potentials/fibre.h"
#include "potentials/material.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "setup/worst.h"

namespace resilin::setup {

Model solid(const TetMesh& mesh, double density, const std::string& material, const Values& params) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Solid{.name = material, .mesh = mesh, .material = {material, params}, .density = density});
  return std::move(builder).model();
}

void pin(Model& model, std::vector<int> vertices, Motion motion) {
  Pin pin;
  for (const int v : vertices)
    for (int k = 0; k < 3; ++k) pin.start.push_back(model.rest.at(3 * static_cast<std::size_t>(v) + k));
  pin.vertices = std::move(vertices);
  pin.motion = std::move(motion);
  model.pins.push_back(std::move(pin));
}

void add_damping(Model& model, int term, const std::string& type, const Values& params) {
  damp_term(model, term, type, plugin<DampingPlugin>("damping", type, "setup").params.read(Value(params)));
}

void set_material(Model& model, int term, const std::string& material, const Values& params) {
  const MaterialPlugin& kind = plugin<MaterialPlugin>("material", material, "setup");
  const Settings settings = kind.params.read(Value(params));
  const std::vector<ElementSettings> elements(model.terms[term].elements.size(), ElementSettings{&settings, 0});
  model.terms[term].elastic = {kind.make(elements)};
}

void add_fibre(Model& model, int term, double stiffness, const std::array<double, 3>& direction) {
  model.terms[term].elastic.push_back(make_fibre(std::span(&stiffness, 1), std::span(&direction, 1)));
}

TetMesh beam_mesh(int cells_across) {
  BoxOptions options;
  options.size = {4, 1, 1};
  options.cells = {4 * cells_across, cells_across, cells_across};
  options.pattern = BoxPattern::six;
  return box(options);
}

std::vector<double> twisted(const std::vector<double>& rest, double degrees) {
  const Bounds b = bounds(rest);
  const double cy = (b.lower[1] + b.upper[1]) / 2, cz = (b.lower[2] + b.upper[2]) / 2;
  std::vector<double> out = rest;
  for (std::size_t i = 0; i < rest.size(); i += 3) {
    const double angle = degrees * std::numbers::pi / 180 * (rest[i] - b.lower[0]) / (b.upper[0] - b.lower[0]);
    const double y = rest[i + 1] - cy, z = rest[i + 2] - cz, c = std::cos(angle), s = std::sin(angle);
    out[i + 1] = cy + c * y - s * z;
    out[i + 2] = cz + s * y + c * z;
  }
  return out;
}

MotionStep shake(const Vec3& direction, double amplitude, double frequency) {
  return {.direction = direction,
          .amount = {.constant = 0, .amplitude = amplitude, .frequency = frequency, .keyframes = {}}};
}

MotionStep turn_steadily(const Vec3& axis, double angle) {
  return {.kind = MotionStep::Kind::rotate, .direction = axis, .amount = {.keyframes = {{0, 0}, {1000, angle}}}};
}

double largest_coordinate(const std::vector<double>& q) {
  Worst most;
  for (const double x : q) most.see(std::abs(x));
  return most;
}

int inverted_tets(const Model& model, const std::vector<double>& q) {
  TetMesh mesh;
  mesh.vertices = q, mesh.tets = model.bodies[0].tets;
  int count = 0;
  for (int t = 0; t < mesh.tet_count(); ++t) count += !(tet_volume(mesh, t) > 0);
  return count;
}

}  // namespace resilin::setup
