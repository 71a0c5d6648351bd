// The scene that is meant when a mesh file stands where a scene is wanted: the mesh falls on the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/drawn.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "scene/gallery.h"

namespace resilin {
namespace {

constexpr double size = 1, drop = 0.25;       // [m]
constexpr double young = 1e5, poisson = 0.4;  // Pa, 1
constexpr int frames = 60, tets = 10000;

std::string plain_name(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  return name.empty() ? "mesh" : name;
}

}  // namespace

std::string mesh_scene(const std::string& path, std::vector<std::string>& assumed) {
  const MeshData mesh = read_mesh(path, {.linearise = true});  // only measured; the body refuses what it must
  const std::string file = std::filesystem::path(path).filename().string(), name = plain_name(path);
  const bool solid = !mesh.tets.empty();
  if (!solid && mesh.triangles.empty())
    throw InputError(path, "holds neither tets nor triangles: there is nothing to simulate");
  const Bounds box = bounds(drawn(mesh).vertices);
  double extent = 0;
  for (std::size_t k = 0; k < 3; ++k) extent = std::max(extent, box.upper[k] - box.lower[k]);
  if (!(extent > 0) || !std::isfinite(extent)) throw InputError(path, "all its vertices are in one place");
  const double factor = size / extent;
  const auto middle = [&](std::size_t k) { return -factor * (0.5 * box.lower[k] + 0.5 * box.upper[k]); };
  Value body = Value::Object{{"name", name}, {"scale", factor}};
  body.set("mesh", solid ? Value(file) : Value(Value::Object{{"surface", file}, {"tets", tets}}));
  body.set("translate", Value::List{middle(0), drop - factor * box.lower[1], middle(2)});
  if (mesh.materials.empty())
    body.set("material", Value::Object{{"type", "neo_hookean"}, {"young", young}, {"poisson", poisson}});
  const Value scene = Value::Object{{"name", name},
                                    {"description", file + " falls on the ground"},
                                    {"frames", frames},
                                    {"bodies", Value::List{body}},
                                    {"obstacles", Value::List{Value::Object{{"type", "plane"}, {"height", 0}}}}};
  assumed = {
      fmt::format("{} is a mesh, not a scene: it is dropped from {} m above the ground, y is up", path, drop),
      fmt::format("scaled by {:.6g}, so that its longest side is {} m (bodies[0].scale, bodies[0].translate)",
                  factor, size),
      mesh.materials.empty() ? fmt::format("neo-Hookean, Young's modulus {} Pa, Poisson's ratio {}, 1000 kg/m^3 "
                                           "(bodies[0].material.young, ...)",
                                           young, poisson)
                             : std::string("its materials are those of the file")};
  if (!solid) assumed.push_back(fmt::format("filled with about {} tets (bodies[0].mesh.tets)", tets));
  assumed.emplace_back("--set PATH=VALUE changes any of these");
  return scene.dump();
}

}  // namespace resilin
