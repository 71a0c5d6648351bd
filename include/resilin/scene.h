// Scenes: JSON with strict keys, turned into a Simulation. Every error names file, JSON path, value and what is
// allowed.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "resilin/params.h"
#include "resilin/simulation.h"

namespace resilin {

/// A scene as written, checked for keys and types, with overrides applied; nothing is meshed yet.
struct Scene {
  std::string name, description, file;
  Value source;
  double step = 1.0 / 30;  // duration of a frame [s]
  int substeps = 1;        // simulation steps per frame: h = step / substeps
  int frames = 90;
  int output_every = 1;              // frames between files
  std::vector<std::string> formats;  // of the frames: "vtu", "obj", ...
  std::string up = "y";
  std::vector<std::string> assumed;  // of a scene that was made around a mesh file, in sentences
};

/// One `--set path=value`: "solver.iterations=20", "bodies[0].material.young=1e6". The value is JSON or bare text.
using Override = std::pair<std::string, std::string>;

/// Reads a file; a bare name means a scene of the gallery (scenes/NAME.json). A mesh file gives a scene in which it
/// falls on the ground.
Scene load_scene(const std::string& file, const std::vector<Override>& overrides = {});
/// From text; `where` stands for the file in messages.
Scene parse_scene(const std::string& text, const std::string& where, const std::vector<Override>& overrides = {});

/// Parses JSON (comments allowed) into a located Value.
Value parse_json(const std::string& text, const std::string& where);
/// Edits from JSON lines, {"step": 12, "edit": "kick", ...} each, or from one list of them. In the order of their
/// steps.
std::vector<EditRecord> read_edits(const std::string& text, const std::string& where);
/// Sets `path` in `root`; throws InputError when the path cannot be.
void apply_override(Value& root, const Override& override_);

/// Meshes, masses, terms, pins, forces, initial state, integrator and solver of a scene. threads 0: all cores.
/// `notes` receives a sentence for everything that was repaired ("repair": true).
std::unique_ptr<Simulation> build_simulation(const Scene& scene, int threads = 0,
                                             std::vector<std::string>* notes = nullptr);
/// The model alone, and the state it starts from.
Model build_model(const Scene& scene, State& initial, std::vector<std::string>* notes = nullptr);

/// JSON schema of scenes, from the registered plugins and their Params.
std::string scene_schema();
/// A commented starter scene.
std::string starter_scene(const std::string& name);
/// Names of the scenes that come with Resilin, with their descriptions.
std::vector<std::pair<std::string, std::string>> gallery();

}  // namespace resilin
