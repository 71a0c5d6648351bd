#include "lab/reduced_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/advance.h"
#include "lab/worst.h"
#include "resilin/shapes.h"
#include "solvers/constant_hessian.h"

namespace resilin::lab {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

double creature_spacing(int vertices) { return 0.0271 * std::cbrt(20000.0 / vertices); }

TetMesh creature_mesh(int vertices) {
  MetaballsOptions options;
  options.balls = creature_balls();
  options.spacing = creature_spacing(vertices);
  return metaballs(options);
}

Model creature_model(int vertices, double stiffness) {
  return solid(creature_mesh(vertices), 1000, "arap", {{"stiffness", stiffness}});
}

ReductionSettings reduction_of(int handles, int samples) {
  ReductionSettings out;
  out.handles = handles, out.fit_handles = std::max(1, std::min(60, handles / 2));
  out.samples = samples < 0 ? std::numeric_limits<int>::max() : samples;
  return out;
}

std::unique_ptr<Simulation> reduced_simulation(Model model, const ReductionSettings& settings, double step,
                                               int iterations, const std::string& solver) {
  SimulationOptions options;
  options.step = step, options.reduction = settings;
  if (iterations > 0)
    options.stop.iterations = iterations, options.stop.tolerance = 0, options.stop.gradient = 1e-14;
  return std::make_unique<Simulation>(std::move(model), make_integrator("backward_euler"),
                                      resilin::make_solver(solver), options);
}

ReducedCost reduced_cost(int vertices, const ReductionSettings& settings, double step, int iterations, int frames) {
  ReducedCost out;
  const Model model = creature_model(vertices);
  out.vertices = model.vertex_count(), out.elements = model.element_count();
  const double begin = now();
  const auto simulation = reduced_simulation(model, settings, step, iterations);
  out.setup = now() - begin, out.unknowns = static_cast<int>(simulation->state().q.size());
  State state;
  state.q = bent(model.rest, 60), state.v.assign(state.q.size(), 0.0);
  simulation->set_state(state);
  advance(*simulation);  // factorises
  Least fastest, lift;
  for (int i = 0; i < frames; ++i) {
    fastest.see(advance(*simulation).seconds);
    const double at = now();
    (void)simulation->positions();  // with velocities
    lift.see((now() - at) / 2);
  }
  out.step = fastest, out.display = lift;
  const SymmetricMatrix matrix = simulation->objective().constant_matrix();
  out.fill = 2.0 * matrix.slots() / (static_cast<double>(matrix.size()) * matrix.size());
  const double before = now();
  ConstantHessian(InnerSolve("cholesky")).prepare(simulation->objective());
  out.factor = now() - before;
  return out;
}

std::vector<std::string> cost_columns() {
  return {"vertices",       "elements",     "unknowns",        "set-up [s]", "step [ms]",
          "iteration [us]", "display [ms]", "new factor [ms]", "fill"};
}

std::vector<std::string> cost_row(const ReducedCost& c, int iterations) {
  return {std::to_string(c.vertices),
          std::to_string(c.elements),
          std::to_string(c.unknowns),
          fmt::format("{:.2f}", c.setup),
          fmt::format("{:.2f}", 1e3 * c.step),
          fmt::format("{:.0f}", 1e6 * c.step / iterations),
          fmt::format("{:.2f}", 1e3 * c.display),
          fmt::format("{:.2f}", 1e3 * c.factor),
          fmt::format("{:.3f}", c.fill)};
}

double distance(const Model& model, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += model.mass[i / 3] * std::pow(a[i] - b[i], 2);
  return std::sqrt(sum / model.total_mass()) / model.size();
}

std::vector<double> bent(const std::vector<double>& rest, double degrees_per_metre) {
  std::vector<double> q = rest;
  for (std::size_t i = 0; i < q.size(); i += 3) {
    const double angle = degrees_per_metre * std::numbers::pi / 180 * rest[i + 1];
    const double x = rest[i], z = rest[i + 2];
    q[i] = std::cos(angle) * x - std::sin(angle) * z, q[i + 2] = std::sin(angle) * x + std::cos(angle) * z;
    q[i + 1] = 1.1 * rest[i + 1];
  }
  return q;
}

}  // namespace resilin::lab
