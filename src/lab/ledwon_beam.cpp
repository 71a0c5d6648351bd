#include "lab/ledwon_beam.h"

#include <numeric>

#include "geometry/rigid_step.h"
#include "lab/toolkit.h"
#include "potentials/pin.h"
#include "resilin/simulation.h"

namespace resilin::lab {
namespace {

constexpr double radians = std::numbers::pi / 180;
// One thread: regions of beams of this size last microseconds.
constexpr int threads = 1;

// Soft pins that turn about x, from `angle0` at time 0 to `angle1` at time `end` and on. As stiff as the material
// around them.
void add_turning_pin(Model& model, const BeamOptions& o, const std::string& group, double angle0, double angle1,
                     double end) {
  const TetMesh mesh = beam_mesh(o.cells);
  const std::vector<int>& ids = mesh.vertex_groups.at(group);
  std::vector<double> start;
  for (const int v : ids) start.insert(start.end(), &model.rest[3 * v], &model.rest[3 * v] + 3);
  const MotionStep turn{.kind = MotionStep::Kind::rotate,
                        .direction = {1, 0, 0},
                        .amount = {.keyframes = {{0, angle0 * radians}, {end, angle1 * radians}}}};
  model.terms.push_back(
      {"pin " + group, Elements::points(ids), {make_pin(o.stiffness / o.cells, start, Motion({turn}))}});
}

Model pinned_beam(const BeamOptions& o, double from, double to, double end) {
  Model model = ledwon_model(o);
  add_turning_pin(model, o, "x_min", -from / 2, -to / 2, end);
  add_turning_pin(model, o, "x_max", from / 2, to / 2, end);
  return model;
}

}  // namespace

Model ledwon_model(const BeamOptions& o) {
  const Values strain = {{"stiffness", o.stiffness}}, general = {{"young", o.stiffness}, {"poisson", 0.45}};
  return solid(beam_mesh(o.cells), o.density, o.material, o.material == "arap" ? strain : general);
}

Study released_beam(const BeamOptions& o) {
  const Model model = ledwon_model(o);
  return stage_from_rest(model, twisted(model.rest, o.twist), o.step, threads);
}

PreparedBeam prepare_beam(const BeamOptions& o, int turns) {
  const auto simulation =
      lab::make_simulation(pinned_beam(o, 0, o.twist, 1), 1.0 / turns, "quasi_newton",
                           with_double_factor("quasi_newton", {{"iterations", 2000}, {"gradient_tolerance", 1e-7}}),
                           "backward_euler", threads);
  PreparedBeam out{o, {}, 0};
  for (int i = 0; i < turns; ++i) {
    const Status status = simulation->step().status;
    out.unfinished += status != Status::converged && status != Status::stalled;
  }
  out.q = simulation->positions();
  return out;
}

Study release(const PreparedBeam& beam) {
  return stage_from_rest(ledwon_model(beam.options), beam.q, beam.options.step, threads);
}

Study twist_further(const PreparedBeam& beam, double degrees) {
  const BeamOptions& o = beam.options;
  return stage_from_rest(pinned_beam(o, o.twist, o.twist + degrees, o.step), beam.q, o.step, threads);
}

Run traced(Study& stage, const std::string& name, const std::string& solver, const Values& params, int iterations) {
  const auto made = lab::make_solver(solver, with_double_factor(solver, params));
  made->tracing = true;
  Run out{{name, {}, 0}, {}};
  out.curve.report = stage.solve(*made, {.iterations = iterations, .tolerance = 0}, out.y);
  return out;
}

std::vector<Run> thesis_runs(Study& stage, int iterations, double weight) {
  Values admm = {{"acceleration", 0}};
  if (weight > 0) admm.emplace_back("weight", weight);
  std::vector<Run> out = {traced(stage, "QN", "quasi_newton", {}, iterations),
                          traced(stage, "ADMM", "admm", admm, iterations)};
  const auto& terms = stage.system().model().terms;
  if (std::all_of(terms.begin(), terms.end(), [](const Term& t) { return t.elastic[0]->projects(); }))
    out.push_back(traced(stage, "PD", "projective_dynamics", {}, iterations));
  out.push_back(traced(stage, "XPBD", "xpbd", {}, iterations));
  return out;
}

namespace {

// Iterations after which the error stays below 1 %: with small weights ADMM dips below it and leaves again.
int settled(const std::vector<double>& errors) {
  std::size_t n = errors.size();
  while (n > 0 && std::abs(errors[n - 1]) <= 0.01) --n;
  return static_cast<int>(n);
}

}  // namespace

double best_weight(Study& stage, double minimum, int iterations) {
  double best = 1;
  int fewest = iterations + 1;
  for (int i = 1; i <= 10; ++i) {
    const double c = 0.1 * i;
    const Run run = traced(stage, "", "admm", {{"weight", c}, {"acceleration", 0}}, iterations);
    const int needed = settled(relative_errors(run.curve.report, minimum));
    if (needed < fewest) fewest = needed, best = c;
  }
  return best;
}

double ThesisCase::error(std::size_t run, int iteration) const {
  return error_at(runs[run].curve.report, iteration, minimum);
}

ThesisCase thesis_case(OneStage stage, int iterations) {
  ThesisCase out{std::move(stage), {}, 0, 0, {}};
  out.minimum = out.stage.minimum(out.minimiser, 1e-10);
  out.weight = best_weight(out.stage, out.minimum);
  out.runs = thesis_runs(out.stage, iterations, out.weight);
  return out;
}

std::vector<Curve> curves(const std::vector<Run>& runs) {
  std::vector<Curve> out;
  for (const Run& run : runs) out.push_back(run.curve);
  return out;
}

const IterationRecord& record_at(const SolveReport& report, int iteration) {
  return report.trace[std::min<std::size_t>(iteration, report.trace.size() - 1)];
}

double error_at(const SolveReport& report, int iteration, double minimum) {
  return (record_at(report, iteration).objective - minimum) / (report.trace.front().objective - minimum);
}

namespace {

void plot_record(Findings& findings, const std::string& title, const std::string& unit,
                 const std::vector<Run>& runs, int iterations, double IterationRecord::*value) {
  Plot plot = semilogy(title, "iteration", unit);
  for (const Run& run : runs) {
    std::vector<double> y;
    for (int i = 0; i <= iterations; ++i) y.push_back(record_at(run.curve.report, i).*value);
    plot.series.push_back(counted(run.curve.name, std::move(y)));
  }
  findings.plot(std::move(plot));
}

}  // namespace

void plot_parts(Findings& findings, const std::string& title, const std::vector<Run>& runs, int iterations) {
  plot_record(findings, title + ": constraint energy", "elastic energy [J]", runs, iterations,
              &IterationRecord::potential);
  plot_record(findings, title + ": inertial term", "inertial term [J]", runs, iterations,
              &IterationRecord::inertia);
}

void plot_objective(Findings& findings, const std::string& title, const std::vector<Run>& runs, int iterations) {
  plot_record(findings, title, "objective [J]", runs, iterations, &IterationRecord::objective);
}

double untwisted(const TetMesh& beam, const std::vector<double>& from, const std::vector<double>& to) {
  const auto turned = [&](const std::string& group) {
    const std::vector<int>& ids = beam.vertex_groups.at(group);
    double a[3] = {}, b[3] = {}, along = 0, across = 0;
    for (const int v : ids)
      for (int k = 1; k < 3; ++k) {
        a[k] += from[3 * v + k] / static_cast<double>(ids.size());
        b[k] += to[3 * v + k] / static_cast<double>(ids.size());
      }
    for (const int v : ids) {
      const double y0 = from[3 * v + 1] - a[1], z0 = from[3 * v + 2] - a[2], y1 = to[3 * v + 1] - b[1],
                   z1 = to[3 * v + 2] - b[2];
      along += y0 * y1 + z0 * z1, across += y0 * z1 - z0 * y1;
    }
    return std::atan2(across, along) / radians;
  };
  return turned("x_min") - turned("x_max");
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  Worst worst;
  for (std::size_t i = 0; i < a.size(); i += 3)
    worst.see(std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
  return worst;
}

double rigid_share(const std::vector<double>& mass, const std::vector<double>& x, const std::vector<double>& y) {
  const auto distance = [&](const std::vector<double>& a) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += mass[i / 3] * (a[i] - x[i]) * (a[i] - x[i]);
    return sum;
  };
  std::vector<int> all(mass.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> moved = y;
  rigid_step(mass, all, x, moved);
  return 1 - distance(moved) / distance(y);
}

Params beam_params(double stiffness, double step, int iterations, int cells) {
  return {integer("cells", cells, between(1, 24), "cells across the beam; four times as many along it"),
          number("stiffness", "Pa", stiffness, positive(), "k of the strain energy"),
          number("step", "s", step, positive(), "time step"),
          integer("iterations", iterations, between(10, 1000000), "iterations of every run")};
}

Params beam_params(double stiffness, double step, int iterations, int cells, const Params& more) {
  return beam_params(stiffness, step, iterations, cells).add(more);
}

BeamOptions beam_options(const Settings& s) {
  BeamOptions out;
  out.cells = s.integer("cells"), out.stiffness = s.number("stiffness"), out.step = s.number("step");
  return out;
}

}  // namespace resilin::lab
