// ADMM with automatic weights on the grid of E67, h = 1e-1 .. 1e-4 and k = 1e5 .. 1e12: the released twist of
// S-BEAM with every registered material. Phi depends on h and k only through k h^2 (up to a factor), so one cell
// stands for each value of it. Where kappa = k h^2/(rho l^2) <= 1e5 the rule must reach Newton's minimum, in at
// most 1.3 times the iterations of the best c of plain ADMM in hindsight; elsewhere it must stay finite. Besides:
// nu = 0.49, damping, two stiffnesses in one body, every material with every damping model, and finer meshes (3.7k
// vertices; 36k behind the parameter `fine_cells`) on one cell of the grid each.
#include "lab/toolkit.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "setup/probe.h"
#include "solvers/local/admm_weights.h"

namespace resilin {
namespace {

constexpr double reached = 1e-6;  // relative error of the objective

// The spline is one with a curve: without, it is neo-Hookean.
lab::Values as_stiff_as(const std::string& material, const Value& value, double poisson) {
  lab::Values out = lab::as_stiff_as(material, value, poisson);
  if (material == "spline") out.emplace_back("preset", "B");
  return out;
}

struct Cell {
  std::string label;
  double kappa = 0;
  // Iterations of the rule and of the best c, without and with acceleration.
  int rule = 0, plain = 0, accelerated = 0;
  bool finite = true;
};

int needed(lab::OneStage& stage, const lab::Values& params, double minimum, int iterations,
           bool* finite = nullptr) {
  const auto solver = lab::make_solver("admm", params);
  solver->tracing = true;
  std::vector<double> y;
  const SolveReport report = stage.solve(*solver, {.iterations = iterations, .gradient = 1e-9}, y);
  if (finite != nullptr) *finite = report.status != Status::not_finite && lab::all_finite(y);
  const auto errors = lab::relative_errors(report, minimum);
  const int found = lab::iterations_to(errors, reached);
  return found == static_cast<int>(errors.size()) ? iterations + 1 : found;
}

Cell study(const Settings& s, const std::string& label, Model model, double step,
           const std::string& chosen = "tried") {
  const auto q = lab::twisted(model.rest, 180);
  lab::OneStage stage = lab::stage_from_rest(std::move(model), q, step);
  std::vector<double> y;
  const double minimum = stage.minimum(y, 1e-10);
  Cell cell{.label = label};
  cell.kappa = admm_contrasts(stage.system().problem(), admm_stiffness(stage.system().problem()))[0];
  const int iterations = s.integer("iterations");
  cell.rule = needed(stage, {}, minimum, iterations, &cell.finite);
  cell.plain = cell.accelerated = iterations + 1;
  for (const double c : s.numbers(chosen)) {  // a run that is not better by then is of no interest
    cell.plain = std::min(cell.plain, needed(stage, {{"weight", c}, {"acceleration", 0}}, minimum, cell.plain - 1));
    cell.accelerated = std::min(cell.accelerated, needed(stage, {{"weight", c}}, minimum, cell.accelerated - 1));
  }
  return cell;
}

void judge(Findings& findings, const std::string& name, const std::vector<Cell>& cells, int iterations) {
  int inside = 0, missed = 0, infinite = 0;
  double ratio = 0, hindsight = 0;
  std::string worst;
  for (const Cell& cell : cells) {
    infinite += cell.finite ? 0 : 1;
    if (cell.kappa > 1e5) continue;
    ++inside;
    missed += cell.rule > iterations ? 1 : 0;
    hindsight = std::max(hindsight, static_cast<double>(cell.rule) / cell.accelerated);
    if (static_cast<double>(cell.rule) / cell.plain <= ratio) continue;
    ratio = static_cast<double>(cell.rule) / cell.plain;
    worst = fmt::format("{}: {} against {}", cell.label, cell.rule, cell.plain);
  }
  findings.near(name + ": cells with kappa <= 1e5 that miss Newton's minimum", 0, missed, 0,
                fmt::format("of {}", inside));
  findings.at_most(name + ": iterations of the rule over those of the best c, worst cell", 1.3, ratio, worst);
  findings.report(name + ": the same against the best c with acceleration, worst cell", hindsight);
  findings.near(name + ": cells that did not stay finite", 0, infinite, 0, fmt::format("of {}", cells.size()));
}

// The half of the beam beyond its middle is `factor` times as stiff.
Model two_stiffnesses(const Settings& s, double k, double factor) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  const Bounds box = bounds(mesh.vertices);
  Value::List young;
  for (std::size_t t = 0; t < mesh.tets.size(); t += 4) {
    double x = 0;
    for (int a = 0; a < 4; ++a) x += mesh.vertices[3 * static_cast<std::size_t>(mesh.tets[t + a])] / 4;
    young.emplace_back(2 * x > box.lower[0] + box.upper[0] ? factor * k : k);
  }
  const Settings settings = lab::material_settings("neo_hookean", as_stiff_as("neo_hookean", Value(young), 0.4));
  std::vector<ElementSettings> elements;
  for (int i = 0; i < mesh.tet_count(); ++i) elements.push_back({&settings, i});
  Model model = lab::solid(mesh, 1000, "neo_hookean", {});
  model.terms[0].elastic = {plugin<MaterialPlugin>("material", "neo_hookean", "experiment").make(elements)};
  return model;
}

constexpr double usual_step = 1e-2, usual_stiffness = 1e7;  // k h^2 = 1e3, in the middle of the grid

// About a fifth of the elastic stiffness over the step.
lab::Values damping_of(const std::string& type, double vertices) {
  if (type == "strain_rate") return {{"shear", 0.2 * usual_step * usual_stiffness}};
  if (type == "stretch_rate") return {{"viscosity", 0.4 * usual_step * usual_stiffness}};
  if (type == "drag") return {{"coefficient", 0.2 * 4000 / (usual_step * vertices)}};  // mass of S-BEAM: 4000 kg
  return {{"beta", 0.2 * usual_step}};
}

// Every material with every damping model of solids, on one cell of the grid.
void judge_damping(const Settings& s, Findings& findings) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  for (const auto& damping : registry<DampingPlugin>()) {
    if (damping.plugin.damps == Damps::springs) continue;
    std::vector<Cell> cells;
    for (const auto& entry : registry<MaterialPlugin>()) {
      Model model = lab::solid(mesh, 1000, entry.name, as_stiff_as(entry.name, usual_stiffness, 0.4));
      lab::add_damping(model, 0, damping.name, damping_of(damping.name, model.vertex_count()));
      cells.push_back(study(s, entry.name, std::move(model), usual_step, "tried_damped"));
    }
    judge(findings, damping.name + " on all materials", cells, s.integer("iterations"));
  }
}

void judge_meshes(const Settings& s, Findings& findings) {
  for (const double cells : s.numbers("fine_cells")) {
    Model model = lab::solid(lab::beam_mesh(static_cast<int>(cells)), 1000, "neo_hookean",
                             as_stiff_as("neo_hookean", usual_stiffness, 0.4));
    const std::string name = fmt::format("neo_hookean, {} vertices", model.vertex_count());
    judge(findings, name, {study(s, "k h^2 = 1e+03", std::move(model), usual_step, "tried_damped")},
          s.integer("iterations"));
  }
}

// One local step for elasticity and damping, or two (Brown et al. 4.4): iterations to the minimum and the time of
// one.
void compare_local_steps(const Settings& s, Findings& findings) {
  const double step = usual_step, k = usual_stiffness;
  const std::pair<const char*, const char*> models[] = {{"strain_rate", "shear"}, {"stretch_rate", "viscosity"}};
  for (const auto& [type, viscosity] : models)
    for (const bool separate : {false, true}) {
      Model model =
          lab::solid(lab::beam_mesh(s.integer("cells")), 1000, "neo_hookean", as_stiff_as("neo_hookean", k, 0.4));
      lab::add_damping(model, 0, type, {{viscosity, 0.2 * step * k}, {"separate", separate}});
      const auto q = lab::twisted(model.rest, 180);
      lab::OneStage stage = lab::stage_from_rest(std::move(model), q, step);
      std::vector<double> y;
      const double minimum = stage.minimum(y, 1e-10);
      const auto solver = lab::make_solver("admm", {});
      solver->tracing = true;
      const SolveReport report = stage.solve(*solver, {.iterations = s.integer("iterations"), .gradient = 1e-9}, y);
      const std::string name = std::string(type) + (separate ? ", separate" : ", merged");
      findings.at_most(name + ": iterations to the minimum", s.integer("iterations"),
                       lab::iterations_to(lab::relative_errors(report, minimum), reached));
      findings.report(name + ": time of an iteration [ms]", 1e3 * report.trace.back().seconds / report.iterations);
    }
}

void run(const Settings& s, Findings& findings) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  const double step = 1e-2;
  const int iterations = s.integer("iterations");
  const auto stiffness = s.numbers("stiffness");
  const auto label = [&](double k) { return fmt::format("k h^2 = {:.0e}", k * step * step); };
  for (const auto& entry : registry<MaterialPlugin>()) {
    std::vector<Cell> cells;
    for (const double k : stiffness)
      cells.push_back(
          study(s, label(k), lab::solid(mesh, 1000, entry.name, as_stiff_as(entry.name, k, 0.4)), step));
    judge(findings, entry.name, cells, iterations);
  }
  std::vector<Cell> incompressible, mixed, damped;
  for (const double k : stiffness) {
    incompressible.push_back(
        study(s, label(k), lab::solid(mesh, 1000, "neo_hookean", as_stiff_as("neo_hookean", k, 0.49)), step));
    mixed.push_back(study(s, label(k), two_stiffnesses(s, k, 100), step));
    Model model = lab::solid(mesh, 1000, "neo_hookean", as_stiff_as("neo_hookean", k, 0.4));
    lab::add_damping(model, 0, "strain_rate", {{"shear", 0.2 * step * k}});
    damped.push_back(study(s, label(k), std::move(model), step));
  }
  judge(findings, "neo_hookean, nu = 0.49", incompressible, iterations);
  judge(findings, "neo_hookean, one half 100 times as stiff", mixed, iterations);
  judge(findings, "neo_hookean, damped", damped, iterations);
  judge_damping(s, findings);
  judge_meshes(s, findings);
  compare_local_steps(s, findings);
}

}  // namespace

ExperimentPlugin experiment_dissipation_admm_weights() {
  return {
      .title = "Automatic weights of ADMM",
      .source = "dissipation",
      .doc = "The rule against the best c in hindsight, all materials, k h^2 over thirteen orders of magnitude.",
      .params = {integer("cells", 3, between(1, 32), "cells across the beam"),
                 integer("iterations", 300, between(10, 100000), "iterations of every run at most"),
                 numbers("stiffness", "Pa", {1e1, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e12, 1e14}, positive(),
                         "k at h = 1e-2 s"),
                 numbers("fine_cells", "", {9}, between(1, 64),
                         "cells across finer beams: 9 has 3.7k vertices, 20 has 36k"),
                 numbers("tried_damped", "", {0.5, 0.8, 1, 2}, positive(),
                         "c tried by hand with damping and on finer beams"),
                 numbers("tried", "", {0.5, 0.6, 0.8, 1, 0.4, 0.3, 0.2, 1.5, 2, 3}, positive(), "c tried by hand")},
      .quick =
          Quick{.set = lab::given(R"({"cells": 1, "stiffness": [1e5, 1e8], "fine_cells": [2], "tried": [0.5, 1],
                                           "tried_damped": [1]})"),
                .slow = true},
      .run = run};
}

}  // namespace resilin
