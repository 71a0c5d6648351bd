// E99: every registered solver ends at Newton's minimiser on random scenes that are convex enough to have one:
// small twists and noise, inertia that matters. A solver that refuses a scene (projective dynamics and general
// materials) is not counted there.
#include "lab/toolkit.h"
#include "potentials/material.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

lab::OneStage random_scene(lab::Random& random, const std::string& material, const Settings& s) {
  Model model = lab::solid(lab::beam_mesh(s.integer("cells")), random.uniform(500, 2000), material, {});
  model.gravity = {0, -9.81, 0};
  if (random.uniform() < 0.5) lab::pin(model, {0, 1, 2, 3});
  auto q = lab::twisted(model.rest, random.uniform(-s.number("twist"), s.number("twist")));
  const double noise = s.number("noise") / s.integer("cells");
  for (double& x : q) x += noise * random.normal();
  for (const Pin& pin : model.pins)
    for (const int v : pin.vertices) std::copy_n(&model.rest[3 * v], 3, &q[3 * v]);
  std::vector<double> v(q.size());
  for (double& x : v) x = 0.1 * random.normal();
  return lab::OneStage(std::move(model), q, v, std::pow(10, random.uniform(-2.5, -1.5)), 1);
}

bool takes(const Solver& solver, const DynamicSystem& system) {
  try {
    solver.check(system.problem());
  } catch (const InputError&) {
    return false;
  }
  return true;
}

void run(const Settings& s, Findings& findings) {
  struct Tally {
    std::string solver;
    int scenes = 0, unfinished = 0;
    lab::Worst worst{};
  };
  std::vector<Tally> tallies;
  for (const auto& entry : registry<SolverPlugin>())
    if (entry.plugin.minimises) tallies.push_back({entry.name});
  const auto& materials = registry<MaterialPlugin>();
  lab::Random random(s.integer("seed"));
  const StopRule stop{.iterations = s.integer("iterations"), .gradient = 1e-10};
  for (int i = 0; i < s.integer("scenes"); ++i) {
    // Every other scene is one that projective dynamics takes too.
    std::string material = i % 2 == 0 ? "arap" : materials[random.bits() % materials.size()].name;
    if (material == "spline") material = "neo_hookean";  // it has no default curves
    lab::OneStage one = random_scene(random, material, s);
    std::vector<double> reference, y;
    one.minimum(reference, 1e-12);
    for (Tally& tally : tallies) {
      const auto solver = lab::make_solver(tally.solver, lab::with_double_factor(tally.solver, {}));
      if (!takes(*solver, one.system())) continue;
      ++tally.scenes;
      tally.unfinished += one.solve(*solver, stop, y).status != Status::converged;
      tally.worst.see(lab::largest_difference(y, reference) / one.system().model().size());
    }
  }
  for (const Tally& tally : tallies) {
    findings.at_most(tally.solver + ": largest distance from Newton's minimiser / size", 1e-6, tally.worst,
                     std::to_string(tally.scenes) + " scenes");
    findings.near(tally.solver + ": solves that did not converge", 0, tally.unfinished, 0);
  }
}

}  // namespace

ExperimentPlugin experiment_E99() {
  return {
      .title = "All solvers find the same minimiser",
      .source = "oracle",
      .doc = "Random convex-ish scenes: distance of every registered solver that minimises from Newton's result.",
      .params = {integer("scenes", 50, between(1, 10000), "random scenes"),
                 integer("cells", 2, between(1, 8), "cells across the beam"),
                 number("twist", "degrees", 30, at_least(0), "largest twist of the start"),
                 number("noise", "m", 0.01, at_least(0), "amplitude of the random start, for one cell across"),
                 integer("iterations", 5000, between(1, 1000000), "iterations of each solve, at most"),
                 integer("seed", 1, at_least(0), "seed of the scenes")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
