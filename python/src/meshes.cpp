// Meshes, what makes them and what reads them. Their arrays cannot be written: ids stay in range.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "resilin/io.h"
#include "resilin/mesh.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"

namespace resilin::python {
namespace {

py::dict to_groups(const Groups& groups) {
  py::dict out;
  for (const auto& [name, ids] : groups) out[py::str(name)] = to_array(ids, 0);
  return out;
}

Groups from_groups(const py::dict& groups, int count, const std::string& where) {
  Groups out;
  for (const auto& [key, ids] : groups) {
    const std::string name = to_text(key, where + ": a name");
    out[name] = to_selection(ids, count, where + "." + name);
    std::sort(out[name].begin(), out[name].end());
  }
  return out;
}

// `elements`: the member that holds ids, `width` per element.
template <class Mesh>
Mesh make_mesh(std::vector<int> Mesh::*elements, int width, const char* key, py::handle vertices, py::handle ids,
               const py::dict& vertex_groups, const py::dict& element_groups) {
  Mesh mesh;
  mesh.vertices = to_rows(vertices, -1, "vertices");
  mesh.*elements = to_ids(ids, width, mesh.vertex_count(), key);
  if (width > 2 && (mesh.*elements).empty()) throw InputError(key, "is empty: a body needs an element");
  mesh.vertex_groups = from_groups(vertex_groups, mesh.vertex_count(), "vertex_groups");
  mesh.element_groups =
      from_groups(element_groups, static_cast<int>((mesh.*elements).size()) / width, "element_groups");
  return mesh;
}

// What all meshes have.
template <class Mesh>
py::class_<Mesh, std::shared_ptr<Mesh>> bind_mesh(py::module_& m, const char* name, const char* doc,
                                                  const char* key, std::vector<int> Mesh::*elements, int width) {
  py::class_<Mesh, std::shared_ptr<Mesh>> c(m, name, doc);
  c.def(py::init([=](py::object vertices, py::object ids, py::dict vertex_groups, py::dict element_groups) {
          return std::make_shared<Mesh>(
              make_mesh<Mesh>(elements, width, key, vertices, ids, vertex_groups, element_groups));
        }),
        py::arg("vertices"), py::arg(key), py::arg("vertex_groups") = py::dict(),
        py::arg("element_groups") = py::dict());
  c.def_property_readonly(
      "vertices", [](py::object self) { return view_of(self.cast<const Mesh&>().vertices, self); },
      "(n, 3) positions [m], read-only");
  c.def_property_readonly(
      key, [=](py::object self) { return view_of(self.cast<const Mesh&>().*elements, self, width); },
      "vertex ids of each element, read-only");
  c.def_property_readonly("vertex_groups", [](const Mesh& mesh) { return to_groups(mesh.vertex_groups); });
  c.def_property_readonly("element_groups", [](const Mesh& mesh) { return to_groups(mesh.element_groups); });
  c.def(
      "translated",
      [](const Mesh& mesh, py::object offset) {
        auto out = std::make_shared<Mesh>(mesh);
        translate(std::span(out->vertices), to_vector3(offset, "offset"));
        return out;
      },
      py::arg("offset"), "A copy, moved by `offset` [m].");
  c.def(
      "rotated",
      [](const Mesh& mesh, py::object axis, double degrees) {
        auto out = std::make_shared<Mesh>(mesh);
        const Vec3 about = to_vector3(axis, "axis");
        if (about == Vec3{0, 0, 0}) throw InputError("axis", "is zero");
        if (!std::isfinite(degrees)) throw InputError("degrees", "is not finite");
        rotate(std::span(out->vertices), about, degrees);
        return out;
      },
      py::arg("axis"), py::arg("degrees"), "A copy, turned about an axis through the origin.");
  c.def(
      "scaled",
      [](const Mesh& mesh, double factor) {
        if (!(factor > 0) || !std::isfinite(factor)) throw InputError("factor", "must be > 0 and finite");
        auto out = std::make_shared<Mesh>(mesh);
        scale(std::span(out->vertices), {factor, factor, factor});
        return out;
      },
      py::arg("factor"), "A copy, scaled about the origin.");
  c.def(py::pickle(
      [=](const Mesh& mesh) {
        return py::make_tuple(to_array(mesh.vertices, 3), to_array(mesh.*elements, width),
                              to_groups(mesh.vertex_groups), to_groups(mesh.element_groups));
      },
      [=](const py::tuple& t) {
        if (t.size() != 4) throw InputError(name, "what was pickled is no mesh");
        return std::make_shared<Mesh>(
            make_mesh<Mesh>(elements, width, key, t[0], t[1], py::dict(t[2]), py::dict(t[3])));
      }));
  c.def("__repr__", [=](const Mesh& mesh) {
    return fmt::format("<resilin.{}: {} vertices, {} {}>", name, mesh.vertex_count(),
                       (mesh.*elements).size() / static_cast<std::size_t>(width), key);
  });
  return c;
}

template <class Mesh>
py::list defects(const Mesh& mesh) {
  py::list out;
  for (const Defect& defect : check(mesh)) {
    py::dict one;
    one["kind"] = name(defect.kind), one["count"] = defect.count;
    one["examples"] = defect.examples, one["detail"] = defect.detail;
    out.append(one);
  }
  return out;
}

template <class Plugin>
auto make_shape(const char* kind, const std::string& name, const py::dict& params) {
  const Plugin& shape = plugin<Plugin>(kind, name, kind);
  Value values = to_value(params, name);
  values.locate(name);
  decltype(shape.make(std::declval<Settings>())) mesh;
  run_watched([&] { mesh = shape.make(shape.params.read(values)); });
  return mesh;
}

TetMesh filled(const TriangleMesh& surface, double spacing, int cells, int tets, double thicken) {
  if (spacing < 0 || cells < 0 || tets < 1 || thicken < 0 || !std::isfinite(spacing) || !std::isfinite(thicken))
    throw InputError("fill", "spacing, cells and thicken must be >= 0 and finite, tets > 0");
  TetMesh mesh;
  run_watched([&] {
    mesh = fill_surface(surface, {.spacing = spacing, .cells = cells, .tets = tets, .thicken = thicken});
  });
  return mesh;
}

template <class Mesh>
void write_mesh_file(const Mesh& mesh, const std::string& path) {
  write_file(path, write_mesh(path, to_mesh_data(mesh)));
}

py::object read(py::object file, bool linearise) {
  const std::string path = to_path(file);
  MeshData data;
  run_watched([&] { data = read_mesh(path, {linearise}); });
  if (!data.tets.empty()) return py::cast(std::make_shared<TetMesh>(to_tet_mesh(data, path)));
  if (!data.triangles.empty()) return py::cast(std::make_shared<TriangleMesh>(to_triangle_mesh(data)));
  if (data.edges.empty()) throw InputError(path, "holds no tets, no triangles and no edges");
  return py::cast(std::make_shared<EdgeMesh>(
      EdgeMesh{std::move(data.vertices), std::move(data.edges), data.edge_groups, data.vertex_groups}));
}

}  // namespace

void bind_meshes(py::module_& m) {
  bind_mesh<TetMesh>(m, "TetMesh", "A solid: vertices and tets, with named groups of both.", "tets", &TetMesh::tets,
                     4)
      .def(
          "surface", [](const TetMesh& mesh) { return std::make_shared<TriangleMesh>(surface(mesh)); },
          "Its boundary, with vertices of its own.")
      .def(
          "boundary", [](const TetMesh& mesh) { return to_array(boundary_triangles(mesh), 3); },
          "(m, 3) triangles of the boundary, as ids of its own vertices.")
      .def_property_readonly("volume", [](const TetMesh& mesh) { return total_volume(mesh); })
      .def(
          "quality", [](const TetMesh& mesh) { return to_array(quality(mesh).tet_quality, 0); },
          "Of each tet: 1 where it is regular, negative where it is inverted.")
      .def(
          "check", [](const TetMesh& mesh) { return defects(mesh); },
          "What is wrong with it, worst first: dicts with kind, count, examples, detail.")
      .def(
          "write", [](const TetMesh& mesh, py::object path) { write_mesh_file(mesh, to_path(path)); },
          py::arg("path"), "A file in the format of its extension.");
  bind_mesh<TriangleMesh>(m, "TriangleMesh", "A surface or a sheet: vertices and triangles.", "triangles",
                          &TriangleMesh::triangles, 3)
      .def_property_readonly("volume", [](const TriangleMesh& mesh) { return enclosed_volume(mesh); })
      .def("check", [](const TriangleMesh& mesh) { return defects(mesh); })
      .def("fill", &filled, py::arg("spacing") = 0.0, py::arg("cells") = 0, py::arg("tets") = 10000,
           py::arg("thicken") = 0.0,
           "Tets inside of it: by their spacing [m], cells along the longest side, or about so many tets.")
      .def(
          "write", [](const TriangleMesh& mesh, py::object path) { write_mesh_file(mesh, to_path(path)); },
          py::arg("path"), "A file in the format of its extension.");
  bind_mesh<EdgeMesh>(m, "EdgeMesh", "A net: vertices and edges.", "edges", &EdgeMesh::edges, 2);

  m.def("make_shape", &make_shape<ShapePlugin>, py::arg("kind") = "shape", py::arg("name"), py::arg("params"));
  m.def("make_sheet", &make_shape<SheetPlugin>, py::arg("kind") = "sheet", py::arg("name"), py::arg("params"));
  m.def("read_mesh", &read, py::arg("path"), py::arg("linearise") = false,
        "A mesh file of any known format: a TetMesh where it holds tets, else a TriangleMesh or an EdgeMesh.");
}

}  // namespace resilin::python
