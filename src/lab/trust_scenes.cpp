#include "lab/trust_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace resilin::lab {
namespace {

std::string in_folder(const std::string& file) { return (std::filesystem::path(mesh_folder()) / file).string(); }

std::vector<Override> mesh_overrides(const MeshCase& c) {
  return {{"bodies[0].material", fmt::format(R"({{"type": "neo_hookean", "young": {}, "poisson": 0.4}})", c.young)},
          {"bodies[0].repair", "true"},
          {"step", fmt::format("{}", c.step)}};
}

// A pin of all vertices above (or below) a height.
std::string pin_beyond(double height, bool above, const std::string& motion) {
  return fmt::format(R"({{"select": {{"plane": {{"point": [0, {}, 0], "normal": [0, {}, 0]}}}}{}}})", height,
                     above ? 1 : -1, motion);
}

}  // namespace

Scene tilted_beam(const BeamDrop& beam) {
  const double l = beam.length;
  return parse_scene(fmt::format(R"({{"name": "tilted_beam", "step": {}, "gravity": {},
        "bodies": [{{"name": "beam", "shape": {{"type": "box", "size": [{}, {}, {}], "cells": [12, 3, 3]}},
                     "rotate": {{"axis": "z", "degrees": 20}}, "translate": [0, {}, 0], "density": 1000,
                     "material": {{"type": "neo_hookean", "young": {}, "poisson": 0.4}}}}],
        "obstacles": [{{"type": "plane"}}]}})",
                                 beam.step, beam.gravity, l, 0.25 * l, 0.25 * l, 0.6 * l, beam.young),
                     "tilted_beam.json");
}

Scene jelly_cube() {
  return parse_scene(R"({"name": "jelly_cube",
      "bodies": [{"name": "cube", "shape": {"type": "box", "size": [0.01, 0.01, 0.01], "cells": [4, 4, 4]},
                  "translate": [0, 0.05, 0], "density": 1000,
                  "material": {"type": "neo_hookean", "young": 1e5, "poisson": 0.45}}],
      "obstacles": [{"type": "plane"}]})",
                     "jelly_cube.json");
}

std::string mesh_folder() {
  const char* folder = std::getenv("RESILIN_MESHES");
  return folder == nullptr ? "" : folder;
}

const std::vector<std::string>& trust_meshes() {
  static const std::vector<std::string> files = {"turtle_heterogeneous.veg",
                                                 "armadillo_1k.vtu",
                                                 "microstructure_inverted_gmsh41.msh",
                                                 "bunny_2k_slivers.mesh",
                                                 "two_cubes_intersecting_binary_le.ply",
                                                 "spot_surface.obj",
                                                 "armadillo_surface.obj",
                                                 "elephant_7k_gmsh41.msh",
                                                 "two_material_cubes_gmsh22.msh",
                                                 "armadillo_13k_gmsh41.msh",
                                                 "dinosaur_13k_gmsh22_binary.msh",
                                                 "armadillo_15k_base1.node",
                                                 "bunny_19k_gmsh22.msh"};
  return files;
}

bool has_mesh(const std::string& file) {
  std::error_code error;
  return !mesh_folder().empty() && std::filesystem::is_regular_file(in_folder(file), error);
}

const std::vector<std::string>& mesh_loads() {
  static const std::vector<std::string> loads = {"drop", "hang", "squeeze"};
  return loads;
}

std::string MeshCase::name() const {
  return fmt::format("{} {} {:g} Pa", file.substr(0, file.find('.')), load, young);
}

Scene mesh_scene_of(const MeshCase& c) {
  std::vector<Override> overrides = mesh_overrides(c);
  if (c.load != "drop") {
    State ignored;
    const Model model = build_model(load_scene(in_folder(c.file), overrides), ignored);
    std::vector<double> heights;
    for (std::size_t i = 1; i < model.rest.size(); i += 3) heights.push_back(model.rest[i]);
    std::sort(heights.begin(), heights.end());
    const double height = heights.back() - heights.front(), slack = 1e-9 * height;
    const std::size_t tenth = heights.size() / 10;
    const double top = heights[heights.size() - 1 - tenth] - slack, bottom = heights[tenth] + slack;
    const std::string down =
        fmt::format(R"(, "motion": {{"translate": {{"direction": [0, -1, 0], "keyframes": [[0, 0], [0.3, {}]]}}}})",
                    0.2 * height);
    overrides.emplace_back("obstacles", "[]");
    overrides.emplace_back("pins", c.load == "hang" ? fmt::format("[{}]", pin_beyond(top, true, ""))
                                                    : fmt::format("[{}, {}]", pin_beyond(bottom, false, ""),
                                                                  pin_beyond(top, true, down)));
  }
  return load_scene(in_folder(c.file), overrides);
}

bool moves_pins(const Scene& scene) {
  const Value* pins = scene.source.find("pins");
  if (pins == nullptr) return false;
  return std::any_of(pins->list().begin(), pins->list().end(),
                     [](const Value& pin) { return pin.find("motion") != nullptr; });
}

}  // namespace resilin::lab
