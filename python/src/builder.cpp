// Simulations from code: the Builder, and the simulation that is made of it.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/registry.h"
#include "scene/motion.h"
#include "scene/obstacles.h"

namespace resilin::python {
namespace {

// What has been added so far. Obstacles are told as in a scene: they may move, and they are drawn.
struct Built {
  Builder builder;
  Value::List obstacles;
  std::vector<std::shared_ptr<Failure>> failures;
  double frame = 1.0 / 30;  // for what is given per frame
  std::size_t told = 0;     // obstacles that the builder has
};

// The members of a dict that the Python layer made; what is missing is None.
py::object member(const py::dict& from, const char* key) {
  return from.contains(key) ? py::object(from[key]) : py::object(py::none());
}
std::string text(const py::dict& from, const char* key) {
  const py::object found = member(from, key);
  return found.is_none() ? std::string() : to_text(found, key);
}
bool to_bool(const py::object& from, const char* where) {
  if (!py::isinstance<py::bool_>(from)) throw InputError(where, "True or False is wanted");
  return from.cast<bool>();
}
template <class Take>
void with(const py::dict& from, const char* key, Take&& take) {
  if (const py::object found = member(from, key); !found.is_none()) take(found);
}

std::vector<Choice> to_choices(py::handle list, const std::string& where) {
  std::vector<Choice> out;
  for (const py::handle one : py::reinterpret_borrow<py::sequence>(list)) out.push_back(to_choice(one, where));
  return out;
}

Inflation to_inflation(const py::object& given) {
  const py::dict from = to_dict(given, "inflation", {"target", "stiffness"});
  Inflation out;
  with(from, "target", [&](const py::object& v) { out.target = to_number(v, "inflation: target"); });
  with(from, "stiffness", [&](const py::object& v) { out.stiffness = to_number(v, "inflation: stiffness"); });
  return out;
}

// A material is (name, parameters), or an OwnMaterial. `of`: a Solid or a Skin.
template <class Of>
void take_material(Built& built, const py::object& from, Of& of) {
  if (!py::isinstance<OwnMaterial>(from)) {
    of.material = to_choice(from, "material");
    return;
  }
  const auto& own = from.cast<const OwnMaterial&>();
  of.material = {"python", {}};
  of.own = own.plugin;
  built.failures.push_back(own.failure);
}

Skin to_skin(Built& built, const py::dict& from) {
  Skin out;
  with(from, "thickness", [&](const py::object& v) { out.thickness = to_per_element(v, "thickness"); });
  with(from, "density", [&](const py::object& v) { out.density = to_per_element(v, "density"); });
  with(from, "material", [&](const py::object& v) { take_material(built, v, out); });
  with(from, "bending", [&](const py::object& v) { out.bending = to_choice(v, "bending"); });
  with(from, "potentials", [&](const py::object& v) { out.potentials = to_choices(v, "potentials"); });
  with(from, "warp", [&](const py::object& v) { out.warp = to_vector3(v, "warp"); });
  return out;
}

Region to_region(py::handle given, int tets) {
  const py::dict from = to_dict(given, "regions", {"tets", "material", "density"});
  Region out;
  out.tets = to_selection(member(from, "tets"), tets, "regions: tets");
  with(from, "material", [&](const py::object& v) { out.material = to_choice(v, "regions: material"); });
  with(from, "density", [&](const py::object& v) { out.density = to_number(v, "regions: density"); });
  return out;
}

Fibre to_fibre(const py::object& given) {
  const py::dict from = to_dict(given, "fibre", {"stiffness", "direction"});
  Fibre out{to_per_element(member(from, "stiffness"), "fibre: stiffness"), {}};
  const std::vector<double> d = to_numbers(member(from, "direction"), -1, "fibre: direction");
  if (d.empty() || d.size() % 3 != 0) throw InputError("fibre: direction", "(3,) or (n, 3) is wanted");
  for (std::size_t i = 0; i < d.size(); i += 3) out.direction.push_back({d[i], d[i + 1], d[i + 2]});
  return out;
}

int add_solid(Built& built, const TetMesh& mesh, const py::dict& options) {
  Solid solid{.name = text(options, "name"), .mesh = mesh};
  with(options, "material", [&](const py::object& v) { take_material(built, v, solid); });
  with(options, "density", [&](const py::object& v) { solid.density = to_per_element(v, "density"); });
  with(options, "surface", [&](const py::object& v) {
    if (!py::isinstance<TriangleMesh>(v)) throw InputError("surface", "a TriangleMesh is wanted");
    solid.surface = v.cast<const TriangleMesh&>();
  });
  with(options, "regions", [&](const py::object& v) {
    for (const py::handle one : v) solid.regions.push_back(to_region(one, mesh.tet_count()));
  });
  with(options, "fibre", [&](const py::object& v) { solid.fibre = to_fibre(v); });
  with(options, "potentials", [&](const py::object& v) { solid.potentials = to_choices(v, "potentials"); });
  with(options, "skin", [&](const py::object& v) { solid.skin = to_skin(built, v); });
  with(options, "inflation", [&](const py::object& v) { solid.inflation = to_inflation(v); });
  int body = 0;
  run_watched([&] { body = built.builder.add(solid); });
  return body;
}

int add_shell(Built& built, const TriangleMesh& mesh, const py::dict& options) {
  Shell shell{.name = text(options, "name"), .mesh = mesh, .skin = to_skin(built, options)};
  with(options, "inflation", [&](const py::object& v) { shell.inflation = to_inflation(v); });
  int body = 0;
  run_watched([&] { body = built.builder.add(shell); });
  return body;
}

int add_springs(Built& built, const EdgeMesh& mesh, const py::dict& options) {
  Springs springs{.name = text(options, "name"), .mesh = mesh};
  with(options, "stiffness", [&](const py::object& v) { springs.stiffness = to_per_element(v, "stiffness"); });
  with(options, "mass", [&](const py::object& v) { springs.mass = to_per_element(v, "mass"); });
  with(options, "length",
       [&](const py::object& v) { springs.length = to_numbers(v, mesh.edge_count(), "length"); });
  with(options, "triangles",
       [&](const py::object& v) { springs.triangles = to_ids(v, 3, mesh.vertex_count(), "triangles"); });
  return built.builder.add(springs);
}

void damp(Built& built, int body, const py::object& damping) {
  if (!py::isinstance<OwnDamping>(damping)) return built.builder.damp(body, to_choice(damping, "damping"));
  const auto& own = damping.cast<const OwnDamping&>();
  built.builder.damp(body, {"python"}, own.plugin);
  built.failures.push_back(own.failure);
}

int count(const Built& built, int body) { return static_cast<int>(built.builder.masses(body).size()); }

// Rotations that name no centre turn about the middle of the vertices that are held.
Motion to_motion(const Built& built, int body, const std::vector<int>& vertices, const py::object& from) {
  if (from.is_none()) return {};
  Value value = to_value(from, "motion");
  value.locate("motion");
  const auto x = built.builder.positions(body);
  Vec3 centre{0, 0, 0};
  for (const int v : vertices)
    for (std::size_t k = 0; k < 3; ++k)
      centre[k] += x[3 * static_cast<std::size_t>(v) + k] / static_cast<double>(vertices.size());
  return read_motion(value, centre, built.frame);
}

void pin(Built& built, int body, const py::object& vertices, const py::object& motion, const py::object& at,
         const py::object& stiffness) {
  Hold hold{.body = body, .vertices = to_selection(vertices, count(built, body), "pin: vertices")};
  hold.motion = to_motion(built, body, hold.vertices, motion);
  if (!at.is_none()) hold.at = to_rows(at, static_cast<std::ptrdiff_t>(hold.vertices.size()), "pin: at");
  if (stiffness.is_none()) built.builder.pin(hold);
  else built.builder.soft_pin(hold, to_number(stiffness, "pin: stiffness"));
}

void force(Built& built, int body, const py::object& vector, const py::object& vertices, const std::string& kind,
           const py::object& signal) {
  Load load{.body = body, .vector = to_vector3(vector, "force: vector")};
  if (!vertices.is_none()) {
    load.vertices = to_selection(vertices, count(built, body), "force: vertices");
    if (load.vertices.empty()) throw InputError("force: vertices", "names no vertex");
  }
  if (kind == "force") load.kind = Load::Kind::force;
  else if (kind == "total") load.kind = Load::Kind::total;
  else if (kind == "acceleration") load.kind = Load::Kind::acceleration;
  else throw InputError("force: kind", fmt::format("\"{}\": force, total or acceleration is wanted", kind));
  if (!signal.is_none()) {
    Value value = to_value(signal, "signal");
    value.locate("signal");
    load.signal = read_signal(value);
  }
  built.builder.force(load);
}

// Only what obstacles are read with.
Scene obstacle_scene(const Value::List& obstacles, double frame) {
  Scene scene;
  scene.name = "python", scene.step = frame;
  scene.source = Value::Object{{"bodies", Value::List{}}, {"obstacles", obstacles}};
  scene.source.locate("simulation");
  return scene;
}

// Checked at once, by a builder of its own.
void obstacle(Built& built, const py::dict& from) {
  const Value one = to_value(from, "obstacle");
  Value::List alone{one};
  const Scene scene = obstacle_scene(alone, built.frame);
  Builder probe;
  add_obstacles(probe, scene, *scene.source.find("obstacles"));
  built.obstacles.push_back(one);
}

ContactSettings to_contact(const py::object& given) {
  const py::dict from = to_dict(given, "contact", {"radius", "stiffness", "friction", "between", "self"});
  ContactSettings out;
  with(from, "radius", [&](const py::object& v) { out.radius = to_number(v, "contact: radius"); });
  with(from, "stiffness", [&](const py::object& v) { out.stiffness = to_number(v, "contact: stiffness"); });
  with(from, "friction", [&](const py::object& v) { out.friction = to_number(v, "contact: friction"); });
  with(from, "between", [&](const py::object& v) { out.between = to_bool(v, "contact: between"); });
  with(from, "self", [&](const py::object& v) { out.self = to_bool(v, "contact: self"); });
  return out;
}

std::shared_ptr<Held> simulate(Built& built, double dt, const py::object& integrator, const py::object& solver,
                               int threads, const py::object& reduction) {
  auto held = std::make_shared<Held>();
  held->failures = built.failures;
  SimulationChoice choice;
  choice.step = dt, choice.threads = threads;
  choice.integrator = to_choice(integrator, "integrator");
  if (!reduction.is_none()) {
    Value value = to_value(reduction, "reduction");
    value.locate("reduction");
    choice.reduction = reduction_settings(reduction_params().read(value));
  }
  std::unique_ptr<Solver> own;
  if (py::isinstance<py::tuple>(solver)) choice.solver = to_choice(solver, "solver");
  else own = own_solver(solver, held->failure);
  Scene scene = obstacle_scene(built.obstacles, dt);
  run_watched(
      [&] {
        if (built.told == 0) add_obstacles(built.builder, scene, *scene.source.find("obstacles"));
        built.told = built.obstacles.size();  // a second attempt must not add them again
        State first = built.builder.state();
        if (own == nullptr) {
          held->take(built.builder.simulation(choice));
        } else {
          SimulationOptions options;
          options.step = dt, options.threads = threads, options.reduction = choice.reduction;
          held->take(std::make_unique<Simulation>(built.builder.model(),
                                                  make_integrator(choice.integrator.type, choice.integrator.params),
                                                  std::move(own), options));
          held->simulation->set_state(std::move(first));
        }
      },
      held->failures);
  held->scene = std::move(scene);
  return held;
}

}  // namespace

void bind_builder(py::module_& m) {
  py::class_<OwnMaterial>(m, "OwnMaterial")
      .def(py::init(&own_material), py::arg("evaluate"), py::arg("name"), py::arg("stiffness"),
           py::arg("membrane"));
  py::class_<OwnDamping>(m, "OwnDamping")
      .def(py::init(&own_damping), py::arg("rate"), py::arg("name"), py::arg("viscosity"));
  py::class_<Built>(m, "Builder")
      .def(py::init<>())
      .def_readwrite("frame", &Built::frame)
      .def("add_solid", &add_solid)
      .def("add_shell", &add_shell)
      .def("add_springs", &add_springs)
      .def("damp", &damp)
      .def("pin", &pin)
      .def("force", &force)
      .def("obstacle", &obstacle)
      .def("contact", [](Built& b, py::object contact) { b.builder.contact(to_contact(contact)); })
      .def("gravity", [](Built& b, py::object g) { b.builder.gravity(to_vector3(g, "gravity")); })
      .def("place",
           [](Built& b, int body, py::object x) { b.builder.place(body, to_rows(x, count(b, body), "positions")); })
      .def("launch",
           [](Built& b, int body, py::object v) {
             const py::array array = py::array::ensure(v);
             if (array && array.ndim() == 1 && array.size() == 3) b.builder.launch(body, to_vector3(v, "velocity"));
             else b.builder.launch(body, to_rows(v, count(b, body), "velocities"));
           })
      .def("masses",
           [](const Built& b, int body) {
             const auto m_ = b.builder.masses(body);
             return to_array(std::vector<double>(m_.begin(), m_.end()), 0);
           })
      .def("simulation", &simulate);
}

}  // namespace resilin::python
