// What contact with an obstacle adds to a frame of scene A, neo-Hookean: the bar lies with a side, about 500 vertices, on an obstacle, and beside it the same
// bar without one, in turns, so that a busy machine slows both. Asked for: at most 30 %. Obstacles by formulas, and one of triangles, whose distances are searched.
#include <fmt/format.h>

#include "contact/obstacle_potential.h"
#include "objective/objective.h"
#include "scene_case.h"

namespace resilin {
namespace {

constexpr double surface = -0.0298;  // of the obstacle; the side of the bar is at x = -0.03 m

struct Kind {
  const char* name;
  std::string obstacle;
};

std::vector<Kind> kinds() {
  const double radius = 500;  // so large that the side touches it from end to end
  return {{"plane", fmt::format(R"([{{"type": "plane", "normal": [1, 0, 0], "height": {}}}])", surface)},
          {"sphere", fmt::format(R"([{{"type": "sphere", "radius": {}, "translate": [{}, 0, 0]}}])", radius,
                                 surface - radius + 1e-4)},
          {"height_field", fmt::format(R"([{{"type": "height_field", "up": "x", "size": [1, 1], "height": 1e-4,
                                       "wavelength": 0.2, "cells": 48, "translate": [{}, 0, 0]}}])",
                                       surface)}};
}

bench::SceneCase lying(const std::string& obstacles) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "neo_hookean";
  c.overrides = {{"pins[1].motion", "[]"},
                 {"gravity", "[-9.81, 0, 0]"},
                 {"obstacles", obstacles},
                 {"solver.method", "\"robust\""}};
  return c;
}

int touching(Simulation& simulation) {
  std::vector<Objective::ContactPoint> points;
  simulation.objective().contacts(simulation.positions().data(), points);
  return static_cast<int>(points.size());
}

CaseResult compare(const Kind& kind, const BenchmarkContext& context) {
  const bench::SceneCase with = lying(kind.obstacle), without = lying("[]");
  const Scene scene = bench::load(with, context);
  const auto lies = build_simulation(scene, context.threads),
             hangs = build_simulation(bench::load(without, context), context.threads);
  bench::run_frames(*lies, bench::warm_up), bench::run_frames(*hangs, bench::warm_up);
  const int frames = context.frames > 0 ? context.frames : context.quick ? 10 : 100;
  bench::Samples plain, contact;
  double evaluations = 0, plain_evaluations = 0;
  for (int i = 0; i < frames; ++i) {
    const bench::FrameTimes free = bench::run_frames(*hangs, 1), pressed = bench::run_frames(*lies, 1);
    plain.add(free.ms), contact.add(pressed.ms);
    plain_evaluations += free.evaluations / frames, evaluations += pressed.evaluations / frames;
  }
  CaseResult result{.name = std::string("contact_obstacle_") + kind.name, .threads = context.threads};
  contact.report(result);
  result.floor_ms = bench::frame_floor(*lies, scene, with).ms;
  result.ratio_to_floor = contact.median() / *result.floor_ms;
  result.extra = {{"active_vertices", touching(*lies)},
                  {"without_ms", plain.median()},
                  {"added_part", contact.median() / plain.median() - 1},
                  {"added_part_of_minima", contact.min() / plain.min() - 1},
                  {"evaluations", evaluations},
                  {"evaluations_without", plain_evaluations}};
  return result;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  std::vector<CaseResult> out;
  for (const Kind& kind : kinds()) out.push_back(compare(kind, context));
  return out;
}

}  // namespace

BenchmarkPlugin benchmark_contact_obstacle() {
  return {
      "Scene A, neo-Hookean, lying on an obstacle with about 500 vertices: a frame over one without the obstacle",
      run};
}

}  // namespace resilin
