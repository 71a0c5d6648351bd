// What contact between bodies adds to a frame while they stay apart, at the size of scene A, neo-Hookean: with
// contact and without it in turns, from the same start, so that a busy machine slows both. Asked for: at most 3 %.
// Two bars side by side, each held at one end, which swing down; and scene A itself, which is twisted. Nothing
// touches, so that both runs must end with the same bits.
#include <fmt/format.h>

#include "scene_case.h"

namespace resilin {
namespace {

std::string bar(const char* name, double at) {
  return fmt::format(R"({{"name": "{}", "translate": [{}, 0, 0], "density": 1000,
    "shape": {{"type": "box", "size": [0.06, 0.07, 0.3], "cells": [6, 7, 30], "pattern": "five"}},
    "material": {{"type": "neo_hookean", "young": 1e6, "poisson": 0.45}}}})",
                     name, at);
}

bench::SceneCase swinging() {
  bench::SceneCase c;
  c.scene = "twisting_bar";
  c.overrides = {{"bodies", fmt::format("[{}, {}]", bar("left", 0), bar("right", 0.12))},
                 {"pins", R"([{"body": "left", "select": "z_min"}, {"body": "right", "select": "z_min"}])"},
                 {"gravity", "[0, -9.81, 0]"}};
  return c;
}

bench::SceneCase twisted() {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "neo_hookean";
  return c;
}

CaseResult compare(const char* name, const bench::SceneCase& without, const BenchmarkContext& context) {
  bench::SceneCase with = without;
  with.overrides.emplace_back("contact", "true");
  const Scene scene = bench::load(with, context);
  const auto touching = build_simulation(scene, context.threads),
             plain = build_simulation(bench::load(without, context), context.threads);
  bench::run_frames(*touching, bench::warm_up), bench::run_frames(*plain, bench::warm_up);
  const int frames = context.frames > 0 ? context.frames : context.quick ? 10 : 60;
  bench::Samples of_contact, of_plain;
  for (int i = 0; i < frames; ++i) {
    of_plain.add(bench::run_frames(*plain, 1).ms);
    of_contact.add(bench::run_frames(*touching, 1).ms);
  }
  CaseResult result{.name = name, .threads = context.threads};
  of_contact.report(result);
  result.floor_ms = bench::frame_floor(*touching, scene, with).ms;
  result.ratio_to_floor = of_contact.median() / *result.floor_ms;
  result.extra = {{"without_ms", of_plain.median()},
                  {"added_part", of_contact.median() / of_plain.median() - 1},
                  {"added_part_of_minima", of_contact.min() / of_plain.min() - 1},
                  {"same_bits", hash(touching->state()) == hash(plain->state()) ? 1 : 0}};
  return result;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  return {compare("contact_apart_bars", swinging(), context), compare("contact_apart_twist", twisted(), context)};
}

}  // namespace

BenchmarkPlugin benchmark_contact_apart() {
  return {"Bodies that stay apart, at the size of scene A: a frame with contact over one without", run};
}

}  // namespace resilin
