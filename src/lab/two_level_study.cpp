#include "lab/two_level_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/liu_scenes.h"
#include "resilin/scene.h"
#include "resilin/shapes.h"

namespace resilin::lab {
namespace {

constexpr std::array<double, 3> size = {1.6, 0.2, 0.2};  // [m]
const Values converged = {{"iterations", 400}, {"tolerance", 1e-6}, {"coarse_modes", 5}};

int cells_across(int vertices) { return std::max(1, static_cast<int>(std::cbrt(vertices / 8.0))); }

TetMesh bar_mesh(int vertices) {
  BoxOptions options;
  const int across = cells_across(vertices);
  options.size = size;
  options.cells = {std::max(1, static_cast<int>(std::lround(vertices / std::pow(across + 1, 2))) - 1), across,
                   across};
  return box(options);
}

Values material_values(const BarCase& c) {
  if (c.material == "polynomial") return {{"mu", 5 * c.young}};
  Values out = {{"young", c.young}, {"poisson", 0.4}};
  if (c.material == "spline") out.emplace_back("preset", "B");
  return out;
}

// Held in the middle and swung up and down, or twisted at a steady 90 degrees per second.
Motion shaking() {
  MotionStep step;
  step.direction = {0, 1, 0};
  step.amount.constant = 0;
  step.amount.amplitude = 0.2;
  step.amount.frequency = 2.5;
  return Motion({step});
}
Motion twisting() {
  MotionStep turn;
  turn.kind = MotionStep::Kind::rotate;
  turn.direction = {1, 0, 0};
  turn.amount.keyframes = {{0, 0}, {1000, 500 * std::numbers::pi}};
  return Motion({turn});
}

Model bar_model(const BarCase& c) {
  const TetMesh mesh = bar_mesh(c.vertices);
  Model model = solid(mesh, 1000, c.material, material_values(c));
  if (c.scene == "drop") {
    model.gravity = {0, -9.81, 0};
    pin(model, mesh.vertex_groups.at("x_min"));
  } else if (c.scene == "shake") {
    std::vector<int> middle;
    for (int v = 0; v < model.vertex_count(); ++v)
      if (std::abs(model.rest[3 * v]) < 0.05) middle.push_back(v);
    pin(model, middle, shaking());
  } else if (c.scene == "twist") {
    pin(model, mesh.vertex_groups.at("x_min"));
    pin(model, mesh.vertex_groups.at("x_max"), twisting());
  }
  return model;
}

struct Timed {
  SolveReport report;
  std::vector<double> seconds;  // by iteration
};

// One solve of the stage; the least times of all solves so far are kept.
void solve(Solver& solver, Objective& objective, const Stage& stage, int iterations, Timed& into) {
  objective.begin(stage);
  std::vector<double> y;
  SolveReport report = solve_stage(solver, objective, stage, y, iterations);
  into.seconds.resize(report.trace.size(), std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < report.trace.size(); ++k)
    into.seconds[k] = std::min(into.seconds[k], report.trace[k].seconds);
  into.report = std::move(report);
}

void add(Needed& sum, const Timed& timed, double minimum) {
  const auto errors = relative_errors(timed.report, minimum);
  for (std::size_t t = 0; t < error_targets.size(); ++t) {
    const auto at = static_cast<std::size_t>(iterations_to(errors, error_targets[t]));
    const bool reached = at < errors.size();
    sum.iterations[t] += static_cast<double>(reached ? at : errors.size() - 1);
    sum.ms[t] += 1e3 * timed.seconds[std::min(at, errors.size() - 1)];
    sum.missed[t] += reached ? 0 : 1;
  }
  sum.finite = sum.finite && timed.report.status != Status::not_finite;
}

}  // namespace

std::string BarCase::name() const {
  return fmt::format("{} {}, {} vertices, {:g} Pa, 1/{:.0f} s", scene, material, vertices, young, 1 / step);
}

const std::vector<std::string>& bar_scenes() {
  static const std::vector<std::string> names = {"drop", "shake", "spin", "twist", "random"};
  return names;
}
const std::vector<std::string>& bar_materials() {
  static const std::vector<std::string> names = {"neo_hookean", "corotated", "spline", "polynomial"};
  return names;
}

std::unique_ptr<Simulation> start_bar(const BarCase& c, const std::string& solver, const Values& params) {
  auto simulation = make_simulation(bar_model(c), c.step, solver, params);
  State state = simulation->state();
  if (c.scene == "spin")
    for (std::size_t i = 0; i < state.q.size(); i += 3) {
      state.q[i] *= 1.2;
      state.v[i] = -6 * state.q[i + 1], state.v[i + 1] = 6 * state.q[i];
    }
  Random random(1);
  const double scatter = c.scatter * size[1] / cells_across(c.vertices);
  for (std::size_t i = 0; i < state.q.size(); ++i)
    if (c.scene == "random") state.q[i] += random.uniform(-scatter, scatter);
    else if (c.scene == "scrambled") state.q[i] = random.uniform(-0.5, 0.5) * size[i % 3];
  simulation->set_state(std::move(state));
  return simulation;
}

std::vector<Needed> needed(const BarCase& c, const std::vector<Method>& methods, const NeededOptions& options) {
  return needed(*start_bar(c, "quasi_newton", converged), methods, options);
}

std::vector<Needed> needed(Simulation& past, const std::vector<Method>& methods, const NeededOptions& options) {
  Objective& objective = past.objective();
  std::vector<std::unique_ptr<Solver>> solvers;
  for (const Method& method : methods) {
    solvers.push_back(make_solver(method.solver, method.params));
    solvers.back()->tracing = true;
  }
  const auto reference = make_solver("quasi_newton", {{"coarse_modes", 5}, {"linear_solver", "cholesky"}});
  std::vector<Needed> out(methods.size());
  int compared = 0;
  for (int frame = 1; frame <= options.frames; ++frame) {
    past.step();
    if (frame % options.every != 0) continue;
    const Stage stage = euler_stage(objective, past.state(), past.options().step);
    std::vector<Timed> timed(methods.size());
    for (int i = 0; i < options.repeat + (compared == 0 ? 1 : 0); ++i)  // the first one ever makes the factors
      for (std::size_t m = 0; m < methods.size(); ++m) {
        if (!methods[m].repeated && i > (compared == 0 ? 1 : 0)) continue;
        if (compared == 0 && i == 1) timed[m].seconds.clear();
        solve(*solvers[m], objective, stage, methods[m].iterations, timed[m]);
      }
    if (timed[0].report.iterations == 0) continue;  // free flight: nothing to do
    std::vector<double> y;
    double minimum = solve_stage(*reference, objective, stage, y, options.reference, 1e-8).objective;
    for (const Timed& one : timed) minimum = std::min(minimum, one.report.objective);
    for (std::size_t m = 0; m < methods.size(); ++m) add(out[m], timed[m], minimum);
    ++compared;
  }
  for (Needed& sum : out)
    for (std::size_t t = 0; t < error_targets.size(); ++t)
      sum.iterations[t] /= std::max(1, compared), sum.ms[t] /= std::max(1, compared);
  return out;
}

std::unique_ptr<Simulation> scene_a(const std::string& solver) {
  const std::string material = R"({"type": "neo_hookean", "young": 2e6, "poisson": 0.47})";
  return build_simulation(load_scene(
      "twisting_bar", {{"solver", solver}, {"bodies[0].material", material}, {"bodies[0].density", "925"}}));
}

OwnTrajectories own_trajectories(const BarCase& c, const std::vector<Method>& methods, int frames) {
  // Newton: neither of the methods that are compared may set the mark.
  const auto reference =
      start_bar(c, "newton", {{"hessian", "exact_first"}, {"iterations", 100}, {"tolerance", 1e-8}});
  std::vector<std::unique_ptr<Simulation>> runs;
  for (const Method& method : methods) {
    Values params = method.params;
    params.emplace_back("iterations", method.iterations);
    params.emplace_back("tolerance", 0);
    runs.push_back(start_bar(c, method.solver, params));
  }
  runs.push_back(start_bar(c, "quasi_newton", converged));
  std::vector<OwnTrajectory> out(runs.size());
  std::vector<std::vector<double>> seconds(runs.size());
  for (int frame = 0; frame < frames; ++frame) {
    reference->step();
    for (std::size_t m = 0; m < runs.size(); ++m) {
      const StepReport report = runs[m]->step();
      out[m].finite = out[m].finite && report.status != Status::not_finite;
      seconds[m].push_back(report.seconds);
      const auto &q = runs[m]->state().q, &exact = reference->state().q;
      for (std::size_t i = 0; i < q.size(); ++i) out[m].error += std::pow(q[i] - exact[i], 2);
    }
  }
  for (std::size_t m = 0; m < runs.size(); ++m) {
    out[m].error = std::sqrt(out[m].error / (frames * runs[m]->model().vertex_count())) / runs[m]->model().size();
    std::sort(seconds[m].begin(), seconds[m].end());
    out[m].ms = 1e3 * seconds[m][seconds[m].size() / 2];
  }
  const double ambiguity = out.back().error;
  out.pop_back();
  return {std::move(out), ambiguity};
}

}  // namespace resilin::lab
