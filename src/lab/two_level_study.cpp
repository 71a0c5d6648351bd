#include "lab/two_level_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "lab/advance.h"
#include "lab/liu_scenes.h"
#include "lab/worst.h"
#include "resilin/scene.h"
#include "resilin/shapes.h"
#include "simd/mat3.h"
#include "simd/polar3.h"
#include "simulation/solve_stage.h"

namespace resilin::lab {
namespace {

constexpr std::array<double, 3> size = {1.6, 0.2, 0.2};  // [m]

Values converged(double tolerance, int iterations) {
  return {{"iterations", iterations}, {"gradient_tolerance", tolerance}, {"coarse_modes", 5}};
}

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
  Values out = {{"young", c.young}, {"poisson", 0.4}};
  if (c.material == "polynomial") out = {{"mu", 5 * c.young}};
  if (c.material == "spline") out.emplace_back("preset", "B");
  if (c.fit_stiffness > 0) out.emplace_back("fit_stiffness", c.fit_stiffness);
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

// What a method did from one state.
struct Timed {
  SolveReport report;           // of the longest solve
  std::vector<double> seconds;  // by iteration; the least of all solves so far
};

// One of the methods and all it did.
struct Contestant {
  const Method& method;
  std::unique_ptr<Solver> solver;
  std::vector<Timed> frames = {};
  std::vector<std::vector<double>> errors = {};  // by frame, then by iteration
};

// One solve from the stage's guess: to the end, or where the minimum is known until the error is small enough.
void solve(Contestant& c, DynamicSystem& system, const Stage& stage, std::optional<double> minimum) {
  Timed& into = c.frames.back();
  system.begin(stage);
  std::atomic<bool> enough = false;
  const double small = c.method.dear ? error_targets.back() : least_error;
  double first = std::numeric_limits<double>::quiet_NaN();
  c.solver->observe = [&](const std::vector<double>&,
                          const IterationRecord& record) {  // the clock stands meanwhile
    if (std::isnan(first)) first = record.objective;
    enough = minimum && record.objective - *minimum <= small * (first - *minimum);
  };
  StopRule stop;
  stop.iterations = c.method.iterations, stop.gradient = minimum ? 0 : 1e-6, stop.cancel = &enough;
  std::vector<double> y = stage.guess;
  Memory memory;
  SolveReport report = solve_stage(system, *c.solver, stage, y, memory, stop);
  c.solver->observe = nullptr;
  const std::size_t both = std::min(report.trace.size(), into.seconds.size());
  for (std::size_t k = 0; k < both; ++k) into.seconds[k] = std::min(into.seconds[k], report.trace[k].seconds);
  for (std::size_t k = both; k < report.trace.size(); ++k) into.seconds.push_back(report.trace[k].seconds);
  if (report.trace.size() >= into.report.trace.size()) into.report = std::move(report);
}

// Makes factors and all else that a steady run pays for once.
void warm_up(Contestant& c, DynamicSystem& system, const Stage& stage) {
  system.begin(stage);
  std::vector<double> y;
  solve_stage(*c.solver, system, stage, y, 1);
}

// All methods from one state. The minimum is the lowest point that the reference or a repeated method finds; these
// go all the way once, and whatever else is timed ends when it is close. Free flight, with nothing to do, is not
// counted.
void compare_frame(std::vector<Contestant>& all, DynamicSystem& system, const Stage& stage, bool last,
                   const NeededOptions& options, Solver& reference) {
  system.begin(stage);
  std::vector<double> y;
  double minimum = std::numeric_limits<double>::infinity();
  if (options.reference > 0) minimum = solve_stage(reference, system, stage, y, options.reference, 1e-8).objective;
  for (Contestant& c : all) {
    if (!c.method.repeated) continue;
    c.frames.emplace_back();
    solve(c, system, stage, std::nullopt);
    minimum = Least::of({minimum, c.frames.back().report.objective});
  }
  if (all[0].frames.back().report.iterations == 0) {
    for (Contestant& c : all)
      if (c.method.repeated) c.frames.pop_back();
    return;
  }
  for (int i = 1; i < options.repeat; ++i)
    for (Contestant& c : all)
      if (c.method.repeated) solve(c, system, stage, minimum);
  for (Contestant& c : all) {
    if (!c.method.repeated && (last || !c.method.dear)) c.frames.emplace_back(), solve(c, system, stage, minimum);
    if (c.errors.size() < c.frames.size()) c.errors.push_back(relative_errors(c.frames.back().report, minimum));
  }
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A solve that ended stays where it was.
void add_curve(const Contestant& c, Needed& into) {
  std::size_t longest = 0;
  for (const auto& errors : c.errors) longest = std::max(longest, errors.size());
  for (std::size_t k = 0; k < longest; ++k) {
    std::vector<double> errors, ms;
    for (std::size_t f = 0; f < c.frames.size(); ++f) {
      errors.push_back(c.errors[f][std::min(k, c.errors[f].size() - 1)]);
      ms.push_back(1e3 * c.frames[f].seconds[std::min(k, c.frames[f].seconds.size() - 1)]);
    }
    into.curve_error.push_back(median(std::move(errors)));
    into.curve_ms.push_back(median(std::move(ms)));
    if (into.curve_error.back() <= least_error) return;
  }
}

Needed summary(const Contestant& c) {
  Needed out;
  out.compared = static_cast<int>(c.frames.size());
  for (std::size_t f = 0; f < c.frames.size(); ++f) {
    const auto& errors = c.errors[f];
    for (std::size_t t = 0; t < error_targets.size(); ++t) {
      const auto at = static_cast<std::size_t>(iterations_to(errors, error_targets[t]));
      const bool reached = at < errors.size();
      out.iterations[t] += static_cast<double>(reached ? at : errors.size() - 1) / out.compared;
      out.ms[t] += 1e3 * c.frames[f].seconds[std::min(at, errors.size() - 1)] / out.compared;
      out.missed[t] += reached ? 0 : 1;
    }
    out.finite = out.finite && c.frames[f].report.status != Status::not_finite;
  }
  add_curve(c, out);
  return out;
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
  auto simulation = lab::make_simulation(bar_model(c), c.step, solver, params);
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
  return needed(*start_bar(c, "quasi_newton", converged(options.past, options.past_iterations)), methods, options);
}

std::vector<Needed> needed(Simulation& past, const std::vector<Method>& methods, const NeededOptions& options) {
  DynamicSystem& system = past.system();
  std::vector<Contestant> all;
  for (const Method& method : methods) {
    all.push_back({method, lab::make_solver(method.solver, method.params)});
    all.back().solver->tracing = true;
  }
  const auto reference = lab::make_solver("quasi_newton", {{"coarse_modes", 5}, {"linear_solver", "cholesky"}});
  bool warm = false;
  for (int frame = 1; frame <= options.frames; ++frame) {
    advance(past);
    if (frame % options.every != 0) continue;
    const Stage stage = euler_stage(system, past.state(), past.options().step);
    if (!warm)
      for (Contestant& c : all)
        if (!c.method.dear) warm_up(c, system, stage);
    warm = true;
    compare_frame(all, system, stage, frame + options.every > options.frames, options, *reference);
  }
  std::vector<Needed> out;
  for (const Contestant& c : all) out.push_back(summary(c));
  return out;
}

std::unique_ptr<Simulation> scene_a(const std::string& solver) {
  const std::string material = R"({"type": "neo_hookean", "young": 2e6, "poisson": 0.47})";
  return build_simulation(load_scene(
      "twisting_bar",
      {{"solver", solver}, {"bodies[0].material", material}, {"bodies[0].density", "925"}, {"contact", "false"}}));
}

namespace {

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
  return sum;
}

std::vector<double> centred(std::vector<double> q) {
  double mean[3] = {};
  for (std::size_t i = 0; i < q.size(); ++i) mean[i % 3] += 3 * q[i] / static_cast<double>(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] -= mean[i % 3];
  return q;
}

// Of a to b, moved as a rigid body to where they are nearest: the rotation is the polar factor of sum a b^T.
double squared_distance_of_shapes(const std::vector<double>& a, const std::vector<double>& b) {
  const auto from = centred(b), to = centred(a);
  double covariance[9] = {}, rotation[9];
  for (std::size_t v = 0; v < to.size(); v += 3)
    for (int k = 0; k < 9; ++k) covariance[k] += to[v + k / 3] * from[v + k % 3];
  polar3(covariance, rotation);
  std::vector<double> turned(from.size());
  for (std::size_t v = 0; v < to.size(); v += 3) apply(rotation, &from[v], &turned[v]);
  return squared_distance(to, turned);
}

}  // namespace

OwnTrajectories own_trajectories(const BarCase& c, const std::vector<Method>& methods, int frames) {
  // Newton: neither of the methods that are compared may set the mark.
  const auto reference =
      start_bar(c, "newton", {{"hessian", "exact_first"}, {"iterations", 100}, {"gradient_tolerance", 1e-8}});
  std::vector<std::unique_ptr<Simulation>> runs;
  for (const Method& method : methods) {
    Values params = method.params;
    params.emplace_back("iterations", method.iterations);
    params.emplace_back("tolerance", 0);
    runs.push_back(start_bar(c, method.solver, params));
  }
  runs.push_back(start_bar(c, "quasi_newton", converged(1e-6, 400)));
  std::vector<OwnTrajectory> out(runs.size());
  std::vector<std::vector<double>> seconds(runs.size());
  for (int frame = 0; frame < frames; ++frame) {
    advance(*reference);
    for (std::size_t m = 0; m < runs.size(); ++m) {
      const StepReport report = runs[m]->step();
      out[m].finite = out[m].finite && report.status != Status::not_finite;
      seconds[m].push_back(report.seconds);
      const auto &q = runs[m]->positions(), &exact = reference->positions();
      out[m].error += squared_distance(q, exact);
      out[m].shape += squared_distance_of_shapes(q, exact);
    }
  }
  for (std::size_t m = 0; m < runs.size(); ++m) {
    for (double* sum : {&out[m].error, &out[m].shape})
      *sum = std::sqrt(*sum / (frames * runs[m]->model().vertex_count())) / runs[m]->model().size();
    std::sort(seconds[m].begin(), seconds[m].end());
    out[m].ms = 1e3 * seconds[m][seconds[m].size() / 2];
  }
  const double ambiguity = out.back().error;
  out.pop_back();
  return {std::move(out), ambiguity};
}

}  // namespace resilin::lab
