#include "lab/setup.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/worst.h"
#include "potentials/damping/damping.h"
#include "potentials/fibre.h"
#include "potentials/material.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"

namespace resilin::lab {

Values as_published(const std::string& solver, Values params) {
  const Params& known = plugin<SolverPlugin>("solver", solver, "experiment").params;
  const auto given = [&](const char* name) {
    return std::any_of(params.begin(), params.end(), [&](const auto& p) { return p.first == name; });
  };
  if (known.find("method") != nullptr && !given("method")) params.emplace_back("method", "paper");
  if (known.find("start") != nullptr && !given("start")) params.emplace_back("start", "target");
  if (!given("iterations")) params.emplace_back("iterations", 10);
  if (!given("tolerance") && !given("gradient_tolerance")) params.emplace_back("gradient_tolerance", 1e-3);
  return params;
}

std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params) {
  return resilin::make_solver(name, as_published(name, params));
}

std::unique_ptr<Simulation> make_simulation(Model model, double step, const std::string& solver,
                                            const Values& solver_params, const std::string& integrator,
                                            int threads) {
  return resilin::make_simulation(std::move(model), {.step = step,
                                                     .solver = {solver, as_published(solver, solver_params)},
                                                     .integrator = integrator,
                                                     .threads = threads});
}

Values with_double_factor(const std::string& solver, Values params) {
  if (plugin<SolverPlugin>("solver", solver, "experiment").params.find("linear_solver") != nullptr)
    params.emplace_back("linear_solver", "cholesky");
  return params;
}

bool wants_strain(const std::string& solver) { return solver == "projective_dynamics" || solver == "pbd"; }

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

MotionStep shake(const Vec3& direction, double amplitude, double frequency) {
  return {.direction = direction,
          .amount = {.constant = 0, .amplitude = amplitude, .frequency = frequency, .keyframes = {}}};
}

MotionStep turn_steadily(const Vec3& axis, double angle) {
  return {.kind = MotionStep::Kind::rotate, .direction = axis, .amount = {.keyframes = {{0, 0}, {1000, angle}}}};
}

void add_damping(Model& model, int term, const std::string& type, const Values& params) {
  damp_term(model, term, type, plugin<DampingPlugin>("damping", type, "experiment").params.read(Value(params)));
}

void set_material(Model& model, int term, const std::string& material, const Values& params) {
  const MaterialPlugin& kind = plugin<MaterialPlugin>("material", material, "experiment");
  const Settings settings = kind.params.read(Value(params));
  const std::vector<ElementSettings> elements(model.terms[term].elements.size(), ElementSettings{&settings, 0});
  model.terms[term].elastic = {kind.make(elements)};
}

void add_fibre(Model& model, int term, double stiffness, const std::array<double, 3>& direction) {
  model.terms[term].elastic.push_back(make_fibre(std::span(&stiffness, 1), std::span(&direction, 1)));
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

TetMesh beam_mesh(int cells_across) {
  return box(
      {.size = {4, 1, 1}, .cells = {4 * cells_across, cells_across, cells_across}, .pattern = BoxPattern::six});
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

std::uint64_t Random::bits() {  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
double Random::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
}
double Random::normal() {
  const double u = uniform(1e-300, 1), v = uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}
void Random::rotation(double r[9]) {
  double q[4], n = 0;
  for (double& c : q) c = normal(), n += c * c;
  for (double& c : q) c /= std::sqrt(n);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int i = 0; i < 9; ++i) r[i] = m[i];
}

}  // namespace resilin::lab
