// Edits: what is plainly wrong is thrown at once; the rest is judged when the next step begins.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"

namespace resilin::python {
namespace {

int size(const Held& held) { return held.vertices; }

std::vector<double> rows_or_none(py::handle object, std::ptrdiff_t count, const std::string& where) {
  return object.is_none() ? std::vector<double>() : to_rows(object, count, where);
}

std::vector<int> some(py::handle object, const Held& held, const std::string& where) {
  std::vector<int> out = to_selection(object, size(held), where);
  if (out.empty()) throw InputError(where, "names no vertex");
  return out;
}

void drag(Held& held, std::string name, py::object vertices, py::object target, double stiffness,
          py::object offsets, py::object weights) {
  Drag edit{.name = std::move(name), .target = to_vector3(target, "drag: target"), .stiffness = stiffness};
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw InputError("drag: stiffness", fmt::format("{}: must be > 0 and finite [N/m]", stiffness));
  if (!vertices.is_none()) edit.vertices = some(vertices, held, "drag: vertices");
  const auto count = static_cast<std::ptrdiff_t>(edit.vertices.size());
  edit.offsets = rows_or_none(offsets, count, "drag: offsets");
  if (!weights.is_none()) edit.weights = to_numbers(weights, count, "drag: weights");
  held.simulation->post(std::move(edit));
}

void check_body(const Held& held, const std::string& body, const std::string& where) {
  if (body.empty()) return;
  std::string names;
  for (const std::string& one : held.bodies) {
    if (one == body) return;
    names += (names.empty() ? "" : ", ") + one;
  }
  throw InputError(where, fmt::format("there is no body \"{}\"; there are: {}", body, names));
}

}  // namespace

void bind_edits(py::class_<Held, std::shared_ptr<Held>>& held) {
  held.def("drag", &drag);
  held.def("release", [](Held& h, std::string name) { h.simulation->post(Release{std::move(name)}); });
  held.def("pin_vertices", [](Held& h, py::object vertices, py::object positions) {
    PinVertices edit{some(vertices, h, "pin: vertices")};
    edit.positions = rows_or_none(positions, static_cast<std::ptrdiff_t>(edit.vertices.size()), "pin: positions");
    h.simulation->post(std::move(edit));
  });
  held.def("unpin_vertices", [](Held& h, py::object vertices) {
    h.simulation->post(UnpinVertices{some(vertices, h, "unpin: vertices")});
  });
  held.def("post_state", [](Held& h, py::object positions, py::object velocities) {
    h.simulation->post(SetState{rows_or_none(positions, size(h), "state: positions"),
                                rows_or_none(velocities, size(h), "state: velocities")});
  });
  held.def("reset", [](Held& h) { h.simulation->post(Reset{}); });
  held.def("flatten", [](Held& h, std::string body, int axis) {
    check_body(h, body, "flatten");
    if (axis < 0 || axis > 2) throw InputError("flatten", "the axis is 0, 1 or 2");
    h.simulation->post(Flatten{std::move(body), axis});
  });
  held.def("randomise", [](Held& h, std::string body, int seed) {
    check_body(h, body, "randomise");
    h.simulation->post(Randomise{std::move(body), seed});
  });
  held.def("kick", [](Held& h, py::object velocity, std::string body) {
    check_body(h, body, "kick");
    h.simulation->post(Kick{std::move(body), to_vector3(velocity, "kick: velocity")});
  });
  held.def("set_parameter", [](Held& h, std::string path, py::object value) {
    Value to = to_value(value, path);
    h.simulation->post(SetParameter{std::move(path), std::move(to)});
  });
  held.def("post", [](Held& h, py::dict edit) {
    Value value = to_value(edit, "edit");
    value.locate("edit");
    h.simulation->post(read_edit(value));
  });
  held.def("edits", [](Held& h) {
    const Using now(h);
    py::list out;
    for (const EditRecord& record : h.simulation->edits()) out.append(to_python(write_record(record)));
    return out;
  });
}

}  // namespace resilin::python
