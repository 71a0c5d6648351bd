#include "scene/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "resilin/errors.h"
#include "resilin/scene.h"

#ifndef RESILIN_SCENES_DIR
#define RESILIN_SCENES_DIR ""
#endif

namespace resilin {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(gallery_folder(), error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());  // the order of a folder is the file system's whim
  return names;
}

std::string description_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  try {
    const Value root = parse_json(text, path);
    const Value* description = root.find("description");
    return description == nullptr ? "" : description->text();
  } catch (const InputError& error) {
    return fmt::format("(cannot be read: {})", error.what());
  }
}

}  // namespace

std::string gallery_folder() {
  const char* chosen = std::getenv("RESILIN_SCENES");
  return chosen != nullptr && *chosen != '\0' ? chosen : RESILIN_SCENES_DIR;
}

std::string find_scene(const std::string& name) {
  std::error_code error;
  if (fs::is_regular_file(name, error)) return name;
  const bool bare = !name.empty() && name.find_first_of("/\\") == std::string::npos;
  const fs::path in_gallery = fs::path(gallery_folder()) / (name + ".json");
  if (bare && fs::is_regular_file(in_gallery, error)) return in_gallery.string();
  const std::vector<std::string> names = gallery_names();
  const std::string near = nearest_name(fs::path(name).stem().string(), names);
  throw InputError(name, fmt::format("{}{}; scenes that come with Resilin: {}",
                                     fs::is_directory(name, error) ? "is a folder, not a scene"
                                                                   : "there is no such file or scene",
                                     near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near),
                                     names.empty() ? "none were found" : join_or(names)));
}

std::vector<std::pair<std::string, std::string>> gallery() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& name : gallery_names())
    out.emplace_back(name, description_of((fs::path(gallery_folder()) / (name + ".json")).string()));
  return out;
}

}  // namespace resilin
