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

std::string mesh_scene(const std::string& path, std::vector<Assumption>& assumed) {
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
      {"", fmt::format("{} is a mesh, not a scene; y is up", path)},
      {"bodies[0].translate", fmt::format("it is dropped from {} m above the ground", drop)},
      {"bodies[0].scale", fmt::format("it is scaled by {:.6g}, so that its longest side is {} m", factor, size)}};
  if (mesh.materials.empty()) {
    assumed.push_back({"bodies[0].material.type", "its material is neo_hookean"});
    assumed.push_back({"bodies[0].material.young", fmt::format("Young's modulus is {} Pa", young)});
    assumed.push_back({"bodies[0].material.poisson", fmt::format("Poisson's ratio is {}", poisson)});
    assumed.push_back({"bodies[0].density", "the density is 1000 kg/m^3"});
  } else {
    assumed.push_back({"bodies[0].material", "its materials are those of the file"});
  }
  if (!solid) assumed.push_back({"bodies[0].mesh.tets", fmt::format("it is filled with about {} tets", tets)});
  return scene.dump();
}

}  // namespace resilin
