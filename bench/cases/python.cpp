// What a step costs more from Python than from C++: the package measures itself in its own interpreter, on a scene
// whose step takes a few microseconds; the same scene is stepped here. At most 50 microseconds are asked for.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "measure.h"
#include "resilin/errors.h"
#include "resilin/scene.h"

#ifndef RESILIN_PYTHON
#define RESILIN_PYTHON ""
#endif
#ifndef RESILIN_PYTHON_FOLDER
#define RESILIN_PYTHON_FOLDER ""
#endif

namespace resilin {
namespace {

constexpr const char* scene_text =
    R"({"step": 0.01, "contact": false, "solver": {"type": "xpbd", "iterations": 1},
        "bodies": [{"shape": {"type": "box", "cells": [1, 1, 1]}}]})";

// Standard output of the package's own measurement; empty: it cannot run.
std::string measured_by_python(int steps) {
  const std::string package = RESILIN_PYTHON_FOLDER;
  if (std::string(RESILIN_PYTHON).empty() || !std::filesystem::exists(package + "/resilin/overhead.py")) return "";
  const std::string command = "PYTHONPATH='" + package + "' '" RESILIN_PYTHON "' -B -m resilin.overhead " +
                              std::to_string(steps) + " 2>/dev/null";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string out;
  std::array<char, 512> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) out += buffer.data();
  return ::pclose(pipe) == 0 ? out : "";
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  const int steps = context.quick ? 200 : 5000;
  CaseResult result{.name = "python", .threads = 1};
  const auto simulation = build_simulation(parse_scene(scene_text, "benchmark"), 1);
  bench::Samples inside;
  for (int i = 0; i < steps; ++i) {
    const bench::Stopwatch watch;
    simulation->step();
    inside.add(watch.ms());
  }
  inside.report(result);
  const std::string said = measured_by_python(steps);
  if (said.empty()) {
    result.note =
        "the Python package was not measured: it is not built (numpy, pybind11 or Python's headers are missing)";
    return {result};
  }
  const Value python = parse_json(said, "resilin.overhead");
  for (const char* key : {"step_us", "overhead_us", "positions_us", "copies"})
    result.extra.emplace_back(key, python.find(key)->number());
  result.note =
      "medians of a step from C++, and from Python in microseconds; overhead: less what the step took inside";
  return {result};
}

}  // namespace

BenchmarkPlugin benchmark_python() { return {"Overhead of a step from Python, and of reading positions", run}; }

}  // namespace resilin
