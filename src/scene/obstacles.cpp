#include "scene/obstacles.h"

#include <filesystem>

#include "contact/obstacles/placement.h"
#include "geometry/vec3.h"
#include "io/pgm.h"
#include "resilin/registry.h"
#include "scene/format.h"
#include "scene/material.h"
#include "scene/motion.h"
#include "scene/source.h"

namespace resilin {
namespace {

std::string folder_of(const Scene& scene) { return std::filesystem::path(scene.file).parent_path().string(); }

Value::List rows_of(const std::vector<double>& numbers) {
  Value::List out;
  for (const double number : numbers) out.emplace_back(number);
  return out;
}

// The numbers of a file in place of its name, located as the name was.
void take_mesh(Value& mesh, const std::string& folder) {
  if (!mesh.is_text()) return;
  const TriangleMesh read = read_closed_surface(mesh, folder);
  Value numbers(Value::Object{{"vertices", rows_of(read.vertices)},
                              {"triangles", rows_of({read.triangles.begin(), read.triangles.end()})}});
  numbers.locate(mesh.where());
  mesh = std::move(numbers);
}

void take_picture(Value& heights, double white, const std::string& folder) {
  if (!heights.is_text()) return;
  const GreyPicture picture = read_pgm(heights, folder);
  Value::List rows;
  for (int j = 0; j < picture.height; ++j) {
    Value::List row;
    for (int i = 0; i < picture.width; ++i) row.emplace_back(white * picture.values[j * picture.width + i]);
    rows.emplace_back(std::move(row));
  }
  Value numbers(std::move(rows));
  numbers.locate(heights.where());
  heights = std::move(numbers);
}

// The ground is below, whatever "below" is: normals that are left out point up, and so does terrain.
Value with_up(const Value& obstacle, const std::string& up) {
  Value out = obstacle;
  const Value* type = obstacle.is_object() ? obstacle.find("type") : &obstacle;
  const auto* entry = type == nullptr ? nullptr : find_plugin<ObstaclePlugin>(type->text());
  if (entry == nullptr) return out;
  if (!obstacle.is_object()) out = Value(Value::Object{{"type", *type}}), out.locate(obstacle.where());
  const auto left_out = [&](const char* key) {
    return entry->plugin.params.find(key) != nullptr && out.find(key) == nullptr;
  };
  if (left_out("normal")) out.set("normal", Value::List{up == "x" ? 1 : 0, up == "y" ? 1 : 0, up == "z" ? 1 : 0});
  if (left_out("up")) out.set("up", Value(up));
  return out;
}

struct Plan {
  PluginChoice chosen;
  Motion motion;
};

Plan plan(const Value& value, const Scene& scene) {
  Plan out{read_plugin("obstacle", with_up(value, scene.up)), {}};
  Settings& settings = out.chosen.settings;
  const Params& params = find_plugin<ObstaclePlugin>(out.chosen.type)->plugin.params;
  const auto replace = [&](const char* key, auto&& take) {
    if (params.find(key) == nullptr || !settings.has(key)) return;
    Value numbers = settings.value(key);
    take(numbers);
    settings.set(key, std::move(numbers));
  };
  replace("mesh", [&](Value& mesh) { take_mesh(mesh, folder_of(scene)); });
  replace("heights", [&](Value& heights) { take_picture(heights, settings.number("height"), folder_of(scene)); });
  out.motion = read_placement(out.chosen.besides, scene.step);
  return out;
}

}  // namespace

void add_obstacles(Builder& builder, const Scene& scene, const Value& obstacles) {
  for (const Value* value : items(obstacles)) {
    Plan made = plan(*value, scene);
    builder.obstacle(choice_of(std::move(made.chosen)), std::move(made.motion));
  }
}

std::vector<std::string> obstacle_files(const Scene& scene) {
  std::vector<std::string> out;
  const Value* obstacles = scene.source.find("obstacles");
  if (obstacles == nullptr) return out;
  for (const Value* value : items(*obstacles))
    for (const char* key : {"mesh", "heights"}) {
      const Value* file = value->is_object() ? value->find(key) : nullptr;
      if (file != nullptr && file->is_text())
        out.push_back((std::filesystem::path(folder_of(scene)) / file->text()).string());
    }
  return out;
}

DrawnObstacles::DrawnObstacles(const Scene& scene) {
  const Value* obstacles = scene.source.find("obstacles");
  if (obstacles == nullptr) return;
  for (const Value* value : items(*obstacles)) {
    Plan made = plan(*value, scene);
    const auto obstacle = find_plugin<ObstaclePlugin>(made.chosen.type)->plugin.make(made.chosen.settings);
    all_.push_back({made.chosen.type, obstacle, obstacle->surface(), std::move(made.motion)});
  }
}

std::vector<TriangleMesh> DrawnObstacles::at(double time) const {
  std::vector<TriangleMesh> out;
  for (const One& one : all_) {
    if (one.surface.triangles.empty()) continue;
    out.push_back(one.surface);
    if (!one.motion.places()) continue;
    const Pose pose = pose_at(one.motion, time);
    for (int v = 0; v < one.surface.vertex_count(); ++v) {
      const Vec3 x = pose.world(vertex_at(one.surface.vertices, v));
      std::copy(x.begin(), x.end(), out.back().vertices.begin() + 3 * static_cast<std::ptrdiff_t>(v));
    }
  }
  return out;
}

std::vector<std::string> DrawnObstacles::names() const {
  std::vector<std::string> out;
  for (const One& one : all_)
    if (!one.surface.triangles.empty()) out.push_back(one.type);
  return out;
}

std::optional<double> DrawnObstacles::ground(const Vec3& up, double time) const {
  std::optional<double> out;
  for (const One& one : all_) {
    if (!one.surface.triangles.empty()) continue;
    const Pose pose = pose_at(one.motion, time);
    const Vec3 zero{0, 0, 0};
    const double low = one.obstacle->distance(pose.own(zero.data())),
                 high = one.obstacle->distance(pose.own(up.data()));
    if (high - low > 0.999) out = -low;
  }
  return out;
}

}  // namespace resilin
