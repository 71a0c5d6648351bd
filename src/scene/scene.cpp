// A scene's text to a Scene: overrides, strict keys and types everywhere. Meshes and models come later (build.cpp).
#include "resilin/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "resilin/errors.h"
#include "resilin/io.h"
#include "scene/format.h"
#include "scene/gallery.h"
#include "scene/material.h"

namespace resilin {
namespace {

// Folders and URLs are none of a scene's name, which becomes the name of a folder.
std::string checked_name(const Value& root, const std::string& where) {
  const Value* given = root.find("name");
  if (given == nullptr || given->text().empty()) {
    const std::string stem = std::filesystem::path(where).stem().string();
    return stem.empty() ? "scene" : stem;
  }
  const std::string& name = given->text();
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
  });
  if (!plain || name.starts_with('.'))
    given->fail(fmt::format("\"{}\" is the name of a folder too: letters, digits, _ and - are allowed", name));
  return name;
}

/// Whether one path leads to the other or into it.
bool related(const std::string& a, const std::string& b) {
  const auto& [shorter, longer] =
      std::minmax(a, b, [](const auto& x, const auto& y) { return x.size() < y.size(); });
  return longer.starts_with(shorter) &&
         (longer.size() == shorter.size() || longer[shorter.size()] == '.' || longer[shorter.size()] == '[');
}

// What --set states is not assumed.
std::vector<std::string> still_assumed(const std::vector<Assumption>& assumed,
                                       const std::vector<Override>& overrides) {
  std::vector<std::string> out;
  for (const auto& [path, sentence] : assumed) {
    const bool stated = std::any_of(overrides.begin(), overrides.end(),
                                    [&](const Override& o) { return !path.empty() && related(path, o.first); });
    if (!stated) out.push_back(path.empty() ? sentence : fmt::format("{} ({})", sentence, path));
  }
  out.emplace_back("--set PATH=VALUE changes any of these");
  return out;
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& where, const std::vector<Override>& overrides) {
  Scene scene;
  scene.file = where;
  scene.source = parse_json(text, where);
  for (const Override& o : overrides) apply_override(scene.source, o);
  scene.source.locate(where);
  const Value& root = scene.source;
  check_object("scene", root);
  const Settings s = read_object("scene", root);
  scene.name = checked_name(root, where);
  scene.description = s.text("description");
  scene.up = s.text("up");
  scene.step = s.number("step");
  scene.substeps = s.integer("substeps");
  scene.frames = s.integer("frames");
  if (s.value("bodies").list().empty()) s.value("bodies").fail("the list is empty: a scene needs a body");
  for (const Value& body : s.value("bodies").list()) check_materials(body);
  scene.formats = {"vtu"};
  if (!s.has("output")) return scene;
  const Settings output = read_object("output", s.value("output"));
  scene.output_every = output.integer("every");
  if (!output.has("formats")) return scene;
  scene.formats.clear();
  for (const Value& format : output.value("formats").list()) scene.formats.push_back(format.text());
  return scene;
}

Scene load_scene(const std::string& file, const std::vector<Override>& overrides) {
  const std::string path = find_scene(file);
  if (!format_of_path(path).empty()) {
    std::vector<Assumption> assumed;
    Scene scene = parse_scene(mesh_scene(path, assumed), path, overrides);
    scene.assumed = still_assumed(assumed, overrides);
    return scene;
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw InputError(path, "cannot be read");
  return parse_scene(text, path, overrides);
}

}  // namespace resilin
