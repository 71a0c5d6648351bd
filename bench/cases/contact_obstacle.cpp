// What contact with an obstacle adds to a frame of scene A, neo-Hookean: the bar lies with a side, about 500
// vertices, on an obstacle, and beside it the same bar without one, in turns, so that a busy machine slows both.
// Asked for: at most 30 %. Obstacles by formulas, those of triangles, whose distances are searched, and a plane
// with friction. Of the plane also the longest frames.
#include <fmt/format.h>

#include "contact/obstacles/obstacle_potential.h"
#include "problem/dynamic_system.h"
#include "scene_case.h"

namespace resilin {
namespace {

constexpr double surface = -0.0298;  // of the obstacle; the side of the bar is at x = -0.03 m

struct Kind {
  const char* name;
  std::string obstacle;
};

// A plate 2 m wide whose upper side is at x = 0, in cells x cells squares above and below.
std::string plate(int cells) {
  std::string vertices, triangles;
  const auto id = [&](int side, int i, int j) { return (side * (cells + 1) + i) * (cells + 1) + j; };
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j)
        vertices += fmt::format("{}[{}, {}, {}]", vertices.empty() ? "" : ", ", -0.2 * side, 2.0 * i / cells - 1,
                                2.0 * j / cells - 1);
  const auto quad = [&](int a, int b, int c, int d) {
    triangles += fmt::format("{}[{}, {}, {}], [{}, {}, {}]", triangles.empty() ? "" : ", ", a, b, c, a, c, d);
  };
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      quad(id(0, i, j), id(0, i + 1, j), id(0, i + 1, j + 1), id(0, i, j + 1));
      quad(id(1, i, j), id(1, i, j + 1), id(1, i + 1, j + 1), id(1, i + 1, j));
    }
    quad(id(0, i, 0), id(1, i, 0), id(1, i + 1, 0), id(0, i + 1, 0));
    quad(id(0, i + 1, cells), id(1, i + 1, cells), id(1, i, cells), id(0, i, cells));
    quad(id(0, 0, i + 1), id(1, 0, i + 1), id(1, 0, i), id(0, 0, i));
    quad(id(0, cells, i), id(1, cells, i), id(1, cells, i + 1), id(0, cells, i + 1));
  }
  return fmt::format(R"({{"vertices": [{}], "triangles": [{}]}})", vertices, triangles);
}

std::vector<Kind> kinds() {
  const double radius = 500;  // so large that the side touches it from end to end
  return {{"plane", fmt::format(R"([{{"type": "plane", "normal": [1, 0, 0], "height": {}}}])", surface)},
          {"sphere", fmt::format(R"([{{"type": "sphere", "radius": {}, "translate": [{}, 0, 0]}}])", radius,
                                 surface - radius + 1e-4)},
          {"height_field", fmt::format(R"([{{"type": "height_field", "up": "x", "size": [1, 1], "height": 1e-4,
                                       "wavelength": 0.2, "cells": 48, "translate": [{}, 0, 0]}}])",
                                       surface)},
          {"mesh", fmt::format(R"([{{"type": "mesh", "mesh": {}, "translate": [{}, 0, 0]}}])", plate(24), surface)},
          {"friction",
           fmt::format(R"([{{"type": "plane", "normal": [1, 0, 0], "height": {}, "friction": 0.4}}])", surface)}};
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
  std::vector<PointStiffness> points;
  points = simulation.system().problem().linearise(simulation.positions().data()).points();
  return static_cast<int>(points.size());
}

CaseResult compare(const Kind& kind, const BenchmarkContext& context) {
  const bench::SceneCase with = lying(kind.obstacle), without = lying("[]");
  const Scene scene = bench::load(with, context);
  const auto lies = build_simulation(scene, context.threads),
             hangs = build_simulation(bench::load(without, context), context.threads);
  bench::run_frames(*lies, bench::warm_up), bench::run_frames(*hangs, bench::warm_up);
  const int frames = context.frames > 0 ? context.frames : context.quick ? 10 : 100;
  bench::Samples plain, contact, plain_processor, processor;
  double evaluations = 0, plain_evaluations = 0;
  for (int i = 0; i < frames; ++i) {
    const bench::FrameTimes free = bench::run_frames(*hangs, 1), pressed = bench::run_frames(*lies, 1);
    plain.add(free.ms), contact.add(pressed.ms);
    plain_processor.add(free.processor), processor.add(pressed.processor);
    plain_evaluations += free.evaluations / frames, evaluations += pressed.evaluations / frames;
  }
  CaseResult result{.name = std::string("contact_obstacle_") + kind.name, .threads = context.threads};
  contact.report(result);
  result.floor_ms = bench::frame_floor(*lies, scene, with).ms;
  result.ratio_to_floor = contact.median() / *result.floor_ms;
  const double added = contact.median() / plain.median() - 1, of_minima = contact.min() / plain.min() - 1;
  result.extra = {{"active_vertices", touching(*lies)},
                  {"without_ms", plain.median()},
                  {"added_part", added},
                  {"added_part_of_minima", of_minima},
                  {"processor_ms", processor.median()},
                  {"added_processor_part", processor.median() / plain_processor.median() - 1},
                  {"added_processor_part_of_minima", processor.min() / plain_processor.min() - 1},
                  {"evaluations", evaluations},
                  {"evaluations_without", plain_evaluations}};
  return result;
}

CaseResult longest(const Kind& kind, const BenchmarkContext& context) {
  const auto lies = build_simulation(bench::load(lying(kind.obstacle), context), context.threads);
  bench::run_frames(*lies, 10 * bench::warm_up);
  CaseResult result{.name = "contact_obstacle_frames", .threads = context.threads};
  bench::report_longest(*lies, 100, context, result);
  return result;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  std::vector<CaseResult> out;
  for (const Kind& kind : kinds()) out.push_back(compare(kind, context));
  out.push_back(longest(kinds()[0], context));
  return out;
}

}  // namespace

BenchmarkPlugin benchmark_contact_obstacle() {
  return {
      "Scene A, neo-Hookean, lying on an obstacle with about 500 vertices: a frame over one without the obstacle",
      run};
}

}  // namespace resilin
