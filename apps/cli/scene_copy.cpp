#include "scene_copy.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>

#include "output_folder.h"
#include "resilin/errors.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

fs::path normal(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

fs::path folder_of(const Scene& scene) { return fs::path(scene.file).parent_path(); }

// `mesh`: of a body, a file's name or {"surface": a file's name, ...}.
void rename_mesh(Value& mesh, const std::function<std::string(const std::string&)>& renamed) {
  if (mesh.is_text()) mesh = Value(renamed(mesh.text()));
  else if (mesh.is_object() && mesh.find("surface") != nullptr)
    mesh.set("surface", Value(renamed(mesh.find("surface")->text())));
}

// Files that lay beside each other stay together: TetGen's come in pairs. The second folder is meshes/2, ...
class Copies {
 public:
  explicit Copies(std::string folder) : folder_(std::move(folder)) {}

  std::string name_of(const fs::path& file) {
    const auto place = places_.try_emplace(normal(file).parent_path().string(), places_.size() + 1).first;
    const std::string in = place->second == 1 ? "meshes" : fmt::format("meshes/{}", place->second);
    return in + "/" + file.filename().string();
  }

  void add(const fs::path& from, const std::string& name) {
    const fs::path to = fs::path(folder_) / name;
    if (is_there(to.string())) return;
    create_folder(folder_ + "/meshes");
    create_folder(to.parent_path().string());
    std::error_code error;
    fs::copy_file(from, to, error);
    if (error)
      throw InputError(to.string(), fmt::format("{} cannot be copied: {}", from.string(), error.message()));
  }

 private:
  std::string folder_;
  std::map<std::string, std::size_t> places_;
};

// Where a file lies now if the folder that it was in was moved aside.
fs::path after_move(const std::string& file, const std::string& folder, const std::string& moved) {
  if (moved.empty()) return file;
  const fs::path inside = fs::weakly_canonical(file).lexically_relative(fs::weakly_canonical(folder));
  return inside.empty() || *inside.begin() == ".." ? fs::path(file) : fs::path(moved) / inside;
}

}  // namespace

Value copy_scene(const Scene& scene, const std::vector<std::string>& files, const std::string& folder,
                 const std::string& moved) {
  Copies copies(folder);
  for (const std::string& file : files) copies.add(after_move(file, folder, moved), copies.name_of(file));
  Value out = scene.source;
  out.set("name", Value(scene.name));  // otherwise it would be called as its file: "scene"
  const auto renamed = [&](const std::string& file) { return copies.name_of(folder_of(scene) / file); };
  for (auto& [key, list] : out.object()) {
    if (key == "reduction" && list.is_object() && list.find("file") != nullptr)
      list.set("file", Value(renamed(list.find("file")->text())));
    if ((key != "bodies" && key != "obstacles") || !list.is_list()) continue;
    for (Value& item : list.list()) {
      if (!item.is_object()) continue;  // just the name of an obstacle
      for (auto& [name, mesh] : item.object())
        if (name == "mesh" || name == "heights") rename_mesh(mesh, renamed);
    }
  }
  return out;
}

void make_meshes_absolute(std::vector<EditRecord>& edits, const Scene& scene) {
  for (EditRecord& record : edits)
    if (auto* set = std::get_if<SetParameter>(&record.edit))
      if (set->path.ends_with(".mesh") || set->path.ends_with(".surface") || set->path.ends_with(".heights"))
        rename_mesh(set->value, [&](const std::string& file) { return normal(folder_of(scene) / file).string(); });
}

std::optional<std::string> first_difference(const Value& a, const Value& b) {
  const auto inside = [](const std::string& step, const Value& x, const Value& y) {
    std::optional<std::string> rest = first_difference(x, y);
    if (rest) *rest = step + (rest->empty() || rest->front() == '[' ? "" : ".") + *rest;
    return rest;
  };
  if (a.is_object() && b.is_object()) {
    for (const Value* one : {&a, &b})
      for (const auto& [key, value] : one->object()) {
        const Value *in_a = a.find(key), *in_b = b.find(key);
        if (in_a == nullptr || in_b == nullptr) return key;
        if (const auto found = inside(key, *in_a, *in_b)) return found;
      }
    return std::nullopt;  // the order of keys means nothing
  }
  if (a.is_list() && b.is_list() && a.list().size() == b.list().size()) {
    for (std::size_t i = 0; i < a.list().size(); ++i)
      if (const auto found = inside(fmt::format("[{}]", i), a.list()[i], b.list()[i])) return found;
    return std::nullopt;
  }
  if (a.dump() == b.dump()) return std::nullopt;
  return "";
}

}  // namespace resilin::cli
