// A handle pulls a vertex: it follows, the momentum of a free body changes by the handle's impulse alone, and
// nothing is factorised.
#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

std::array<double, 3> position(const Simulation& simulation, int v) {
  const double* x = &simulation.positions()[3 * static_cast<std::size_t>(v)];
  return {x[0], x[1], x[2]};
}

double gap(const Simulation& simulation, int v, const std::array<double, 3>& target) {
  const auto x = position(simulation, v);
  return std::hypot(x[0] - target[0], x[1] - target[1], x[2] - target[2]) / simulation.model().size();
}

// A free vertex in the middle of the list: in the middle of the bar, or of the cloth.
int grabbed(const Simulation& simulation) { return simulation.model().vertex_count() / 2; }

void follows(const Settings& s, const std::string& scene, Findings& findings) {
  const auto simulation = build_simulation(load_scene(scene), 1);
  for (int i = 0; i < 3; ++i) lab::advance(*simulation);
  const int v = grabbed(*simulation);
  const double size = simulation->model().size();
  auto target = position(*simulation, v);
  const auto start = target;
  int factorisations = 0;
  const int frames = s.integer("frames");
  for (int i = 1; i <= frames; ++i) {
    // Half of the frames to come, half to settle.
    target[1] = start[1] + s.number("way") * size * std::min(1.0, 2.0 * i / frames);
    simulation->post(Drag{"hand", {v}, target, s.number("stiffness")});
    factorisations += simulation->step().solve.factorisations;
  }
  findings.at_most(fmt::format("{}: distance of the vertex from the handle / size after {} frames", scene, frames),
                   0.01, gap(*simulation, v, target));
  findings.near(fmt::format("{}: factorisations", scene), 0, factorisations, 0);
}

// Backward Euler: the impulse of a step is h times the force at its end.
void impulse(const Settings& s, const std::string& solver, Findings& findings) {
  const auto simulation = build_simulation(
      parse_scene(
          fmt::format(
              R"({{"step": 0.01, "gravity": 0, "solver": {{"type": "{}", "tolerance": 1e-7, "iterations": 2000}},
        "bodies": [{{"shape": {{"type": "box", "size": [0.4, 0.2, 0.2], "cells": [6, 3, 3]}},
                     "material": {{"type": "arap", "stiffness": 1e5}}}}]}})",
              solver),
          "free.json"),
      1);
  const int v = grabbed(*simulation);
  auto target = position(*simulation, v);
  target[0] += 0.1, target[1] += 0.05;
  const double k = 500;
  simulation->post(Drag{"hand", {v}, target, k});
  std::array<double, 3> sum{0, 0, 0};
  double size = 0;
  for (int i = 0; i < s.integer("free_frames"); ++i) {
    lab::advance(*simulation);
    const auto x = position(*simulation, v);
    for (int c = 0; c < 3; ++c)
      sum[c] += 0.01 * k * (target[c] - x[c]), size += 0.01 * k * std::abs(target[c] - x[c]);
  }
  const auto p = simulation->momentum();
  findings.at_most(fmt::format("free body, {}: |momentum - impulse of the handle| / impulse", solver), 1e-6,
                   std::hypot(p[0] - sum[0], p[1] - sum[1], p[2] - sum[2]) / size);
}

void run(const Settings& s, Findings& findings) {
  for (const std::string scene : {"twisting_bar", "hanging_cloth"}) follows(s, scene, findings);
  for (const std::string solver : {"quasi_newton", "newton", "projective_dynamics", "admm"})
    impulse(s, solver, findings);
}

}  // namespace

ExperimentPlugin experiment_living_drag() {
  return {.title = "Living model: drag",
          .source = "living",
          .doc = "A stiff handle on a vertex: it follows, nothing is factorised, a free body gets its impulse.",
          .params = {integer("frames", 10, between(2, 1000), "frames of the pull"),
                     number("way", "", 0.1, positive(), "how far it is pulled, over the size of the body"),
                     number("stiffness", "N/m", 1e5, positive(), "stiffness of the handle"),
                     integer("free_frames", 40, between(1, 10000), "frames of the free body")},
          .quick = Quick{.set = {{"frames", 4}, {"free_frames", 10}}, .slow = true},
          .run = run};
}

}  // namespace resilin
