// The inside of a closed surface of triangles.
#include "contact/obstacles/mesh_region.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

// Numbers of a list of rows, or of a plain list.
std::vector<double> numbers_of(const Value& object, const char* key) {
  const Value* rows = object.find(key);
  if (rows == nullptr) object.fail(std::string("\"") + key + "\" is missing");
  std::vector<double> out;
  for (const Value& row : rows->list())
    if (row.is_list())
      for (const Value& number : row.list()) out.push_back(number.number());
    else out.push_back(row.number());
  return out;
}

TriangleMesh read_mesh(const Settings& s) {
  const Value& value = s.value("mesh");
  if (value.is_text()) value.fail("only a scene reads files: give {vertices, triangles}");
  TriangleMesh out;
  out.vertices = numbers_of(value, "vertices");
  for (const double id : numbers_of(value, "triangles")) out.triangles.push_back(static_cast<int>(id));
  for (double& x : out.vertices) x *= s.number("scale");
  validate_closed(out, value.where());
  return out;
}

}  // namespace

ObstaclePlugin obstacle_mesh() {
  ObstaclePlugin plugin = bounded_obstacle(
      "The inside of a closed surface of triangles.",
      {required(any("mesh",
                    "closed surface that faces outward: a file (path relative to the scene), or {vertices: list of "
                    "[x, y, z], triangles: list of three vertex ids}")),
       number("scale", "", 1, positive(), "factor of all lengths of the mesh")},
      [](const Settings& s) { return std::make_shared<MeshRegion>("mesh", read_mesh(s)); });
  // An octahedron with a dent: edges of both kinds.
  plugin.example = {{"mesh", Value::Object{{"vertices", Value::List{0.8, 0.0, 0.0, -0.8, 0.0, 0.0, 0.0, 0.8, 0.0,
                                                                    0.0, -0.8, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.2}},
                                           {"triangles", Value::List{0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                                                     2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5}}}}};
  return plugin;
}

}  // namespace resilin
