#include "lab/setup.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "potentials/damping/damping.h"
#include "potentials/fibre.h"
#include "potentials/material.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"
#include "simulation/solve_stage.h"

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

OneStage::OneStage(Model model, const std::vector<double>& q, const std::vector<double>& v, double h, int threads)
    : model_(std::make_unique<Model>(std::move(model))),
      pool_(std::make_unique<ThreadPool>(threads > 0 ? threads : available_cores())),
      system_(std::make_unique<DynamicSystem>(*model_, *pool_)) {
  stage_.time = h;
  stage_.tau = h;
  stage_.origin = q;
  stage_.velocity = v;
  std::vector<double> external(q.size()), ignored(q.size());
  system_->external(h, external.data());
  stage_.target.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) stage_.target[i] = q[i] + h * (v[i] + h * external[i]);
  system_->space().coordinates().prescribe(h, stage_.target.data(), ignored.data());
  stage_.guess = stage_.target;
  system_->begin(stage_);
}

SolveReport OneStage::solve(Solver& solver, const StopRule& stop, std::vector<double>& y) {
  y = stage_.guess;
  Memory memory;
  system_->begin(stage_);  // as if nothing had been solved before
  return solve_stage(*system_, solver, stage_, y, memory, stop);
}

double OneStage::minimum(std::vector<double>& y, double tolerance) {
  const auto newton = lab::make_solver("newton", {{"hessian", "exact_first"}});
  StopRule stop;
  stop.iterations = 500;
  stop.gradient = tolerance;
  return solve(*newton, stop, y).objective;
}

std::vector<double> relative_errors(const SolveReport& report, double minimum) {
  std::vector<double> out;
  const double scale = report.trace.empty() ? 1 : report.trace.front().objective - minimum;
  for (const auto& record : report.trace) out.push_back((record.objective - minimum) / scale);
  return out;
}

int iterations_to(const std::vector<double>& errors, double target) {
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i] <= target) return static_cast<int>(i);
  return static_cast<int>(errors.size());
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
