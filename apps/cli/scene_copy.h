// The scene of a run in the run's own folder: scene.json names copies of its meshes in meshes/. The folder can be
// moved, its scene runs again from there, and a mesh that is changed later changes no finished run.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "resilin/edit.h"
#include "resilin/scene.h"

namespace resilin::cli {

/// Copies `files`, those that the scene was read from, to FOLDER/meshes, each once. Returns the scene as
/// FOLDER/scene.json has it. `moved`: where the folder of an earlier run, which may hold them, was moved to; or "".
Value copy_scene(const Scene& scene, const std::vector<std::string>& files, const std::string& folder,
                 const std::string& moved);

/// Meshes that edits name are relative to the scene's file: absolute, they are found from everywhere.
void make_meshes_absolute(std::vector<EditRecord>& edits, const Scene& scene);

/// The path of what differs first, "bodies[0].material.young"; nothing when they are equal.
std::optional<std::string> first_difference(const Value& a, const Value& b);

}  // namespace resilin::cli
