// Bodies, first states, and the model and simulation made of them.
#include "resilin/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "resilin/errors.h"
#include "resilin/registry.h"
#include "simulation/builder_parts.h"
#include "simulation/checks.h"
#include "simulation/drag.h"

namespace resilin {

std::string place_of(const std::string& body) { return fmt::format("body \"{}\"", body); }

std::vector<int> unless_in_order(const std::vector<int>& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != static_cast<int>(i)) return ids;
  return {};
}

std::shared_ptr<const Settings> settings_of(const Choice& choice, const Params& params, const std::string& where,
                                            const std::string& key) {
  if (choice.checked != nullptr) return choice.checked;
  Value values(choice.params);
  values.locate(where, key);
  return std::make_shared<const Settings>(params.read(values));
}

void check_lengths(const Params& params, const Settings& settings, int count, const std::string& what) {
  for (const Param& p : params.list()) {
    if (!p.per_element) continue;
    const Value& v = settings.value(p.name);
    if (v.is_list() && static_cast<int>(v.list().size()) != count)
      v.fail(fmt::format("a list of {} values, but the body has {} {}: give one for each or one for all",
                         v.list().size(), count, what));
  }
}

std::shared_ptr<const SolidShape> solid_shape(TetMesh mesh, TriangleMesh surface) {
  SolidShape out;
  out.triangles = boundary_triangles(mesh);
  if (!surface.triangles.empty()) out.embedded = embed(mesh, std::move(surface));
  out.mesh = std::move(mesh);
  return std::make_shared<const SolidShape>(std::move(out));
}

Springs cloth_springs(const ClothNet& cloth) {
  const ClothOptions& grid = cloth.grid;
  Cloth made = grid_cloth(grid);
  Springs out;
  std::vector<double> stiffness(made.springs.edge_count()), mass;
  for (const auto& [kind, k] : {std::pair{"stretch", cloth.stretch}, {"shear", cloth.shear}, {"bend", cloth.bend}})
    for (const int e : made.springs.element_groups[kind]) stiffness[e] = k;
  const double cell = cloth.density * grid.size_x * grid.size_y / ((grid.nx - 1.0) * (grid.ny - 1.0));
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) {
      const bool edge_x = i == 0 || i == grid.nx - 1, edge_y = j == 0 || j == grid.ny - 1;
      mass.push_back(cell * (edge_x ? 0.5 : 1) * (edge_y ? 0.5 : 1));
    }
  out.stiffness = std::move(stiffness), out.mass = std::move(mass);
  out.mesh = std::move(made.springs);
  out.triangles = std::move(made.triangles.triangles);
  return out;
}

void check_positive(const PerElement& of, int count, const std::string& where, const std::string& key,
                    const std::string& what) {
  const auto size = static_cast<int>(of.values.size());
  if (size != 1 && size != count)
    throw InputError(where + ": " + key, fmt::format("a list of {} values, but the body has {} {}", size, count,
                                                     what == "vertex" ? "vertices" : what + "s"));
  for (int i = 0; i < size; ++i)
    if (!(of.values[i] > 0) || !std::isfinite(of.values[i]))
      throw InputError(where + ": " + key,
                       fmt::format("{} of {} {}: must be > 0 and finite", of.values[i], size == 1 ? "every" : what,
                                   size == 1 ? what : std::to_string(i)));
}

std::vector<double> each(const PerElement& of, int count) {
  if (of.values.size() != 1) return of.values;
  return std::vector<double>(count, of.values[0]);
}

Chosen<MaterialPlugin> chosen_material(const Choice& choice, const std::string& where, const std::string& key,
                                       int elements, const std::string& what, const MaterialPlugin* own) {
  Chosen<MaterialPlugin> out{choice.type, own, {}};
  if (own == nullptr) out.plugin = &plugin<MaterialPlugin>("material", choice.type, where + ": " + key);
  out.settings = settings_of(choice, out.plugin->params, where, key);
  check_lengths(out.plugin->params, *out.settings, elements, what);
  return out;
}

namespace {

// Materials and densities of all tets.
void read_regions(const Solid& solid, int tets, const std::string& where, BodyPart& part,
                  std::vector<double>& density) {
  part.own_material = solid.own;
  part.materials.push_back(chosen_material(solid.material, where, "material", tets, "tets", solid.own.get()));
  if (part.materials[0].plugin->make == nullptr)
    throw InputError(where + ": material", fmt::format("{} is a material of sheets only", solid.material.type));
  part.material_of.assign(tets, 0);
  check_positive(solid.density, tets, where, "density", "tet");
  density = each(solid.density, tets);
  for (std::size_t r = 0; r < solid.regions.size(); ++r) {
    const Region& region = solid.regions[r];
    const std::string key = fmt::format("regions[{}]", r);
    for (const int t : region.tets)
      if (t < 0 || t >= tets)
        throw InputError(where + ": " + key, fmt::format("names tet {}, but there are {}", t, tets));
    if (region.material) {
      part.materials.push_back(chosen_material(*region.material, where, key + ".material", tets, "tets"));
      for (const int t : region.tets) part.material_of[t] = static_cast<int>(part.materials.size()) - 1;
    }
    if (!region.density) continue;
    check_positive(*region.density, tets, where, key + ".density", "tet");
    for (const int t : region.tets) density[t] = *region.density;
  }
}

void read_fibre(const Fibre& fibre, int tets, const std::string& where, BodyPart& part) {
  check_positive(fibre.stiffness, tets, where, "fibre.stiffness", "tet");
  part.fibre_stiffness = each(fibre.stiffness, tets);
  const std::size_t given = fibre.direction.size();
  if (given != 1 && given != static_cast<std::size_t>(tets))
    throw InputError(where + ": fibre.direction",
                     fmt::format("{} directions for {} tets: give one for each or one for all", given, tets));
  for (std::size_t i = 0; i < given; ++i) {
    const auto& d = fibre.direction[i];
    const double length = std::hypot(d[0], d[1], d[2]);
    if (!(length > 0) || !std::isfinite(length))
      throw InputError(where + ": fibre.direction", fmt::format("direction {} is zero or not finite", i));
  }
  part.fibre_direction = fibre.direction;
  if (given == 1) part.fibre_direction.assign(tets, fibre.direction[0]);
}

// One that no other body has.
std::string name_of(const std::string& given, const std::vector<Body>& bodies) {
  const std::string name = given.empty() ? fmt::format("body{}", bodies.size() + 1) : given;
  if (std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; }))
    throw InputError(place_of(name), "another body has this name already");
  return name;
}

void check_net(const Springs& springs, const std::string& where) {
  const EdgeMesh& mesh = springs.mesh;
  const int n = mesh.vertex_count(), m = mesh.edge_count();
  if (n == 0) throw InputError(where, "has no vertices");
  check_numbers(mesh.vertices, 3 * n, where + ": vertices");
  for (std::size_t e = 0; e < mesh.edges.size() / 2; ++e) {
    const int a = mesh.edges[2 * e], b = mesh.edges[2 * e + 1];
    if (std::min(a, b) < 0 || std::max(a, b) >= n || a == b)
      throw InputError(
          where, fmt::format("spring {} joins {} and {}: two different ids in 0..{} are wanted", e, a, b, n - 1));
  }
  for (const int v : springs.triangles)
    if (v < 0 || v >= n)
      throw InputError(where + ": triangles", fmt::format("names vertex {}, but there are {}", v, n));
  check_positive(springs.stiffness, m, where, "stiffness", "spring");
  check_positive(springs.mass, n, where, "mass", "vertex");
  if (!springs.length.empty()) check_numbers(springs.length, m, where + ": length");
}

std::vector<double> lengths_of(const EdgeMesh& mesh) {
  std::vector<double> out;
  for (std::size_t e = 0; e < mesh.edges.size(); e += 2) {
    const double *a = &mesh.vertices[3 * mesh.edges[e]], *b = &mesh.vertices[3 * mesh.edges[e + 1]];
    out.push_back(std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
  }
  return out;
}

}  // namespace

Builder::Builder() : parts_(std::make_unique<Parts>()) {}
Builder::Builder(Builder&&) noexcept = default;
Builder& Builder::operator=(Builder&&) noexcept = default;
Builder::~Builder() = default;

int Builder::add(const Solid& solid) {
  Model& model = parts_->model;
  const std::string name = name_of(solid.name, model.bodies), where = place_of(name);
  if (solid.shape == nullptr) validate(solid.mesh, where);
  const auto shape = solid.shape != nullptr ? solid.shape : solid_shape(solid.mesh, solid.surface);
  const int tets = shape->mesh.tet_count();
  BodyPart part;
  std::vector<double> density;
  read_regions(solid, tets, where, part, density);
  if (solid.fibre) read_fibre(*solid.fibre, tets, where, part);
  part.potentials = chosen_potentials(solid.potentials, ElementKind::tet, tets, where);
  if (solid.skin)
    part.skin = read_skin(*solid.skin, {shape->mesh.vertices, shape->triangles, {}, {}}, where + ": skin");
  if (solid.inflation) check_inflation(*solid.inflation, shape->mesh.vertices, shape->triangles, where);
  part.inflation = solid.inflation;
  const int index = add_tet_body(model, name, shape->mesh, density, shape->triangles);
  model.bodies.back().embedded = shape->embedded;
  if (part.skin)
    add_skin_mass(model, model.bodies.back().triangles, part.skin->thickness, solid.skin->density.values);
  parts_->take(std::move(part));
  return index;
}

int Builder::add(const Shell& shell) {
  Model& model = parts_->model;
  const std::string name = name_of(shell.name, model.bodies), where = place_of(name);
  validate(shell.mesh, where);
  if (shell.mesh.triangles.empty()) throw InputError(where, "has no triangle");
  BodyPart part;
  part.solid = false;
  part.skin = read_skin(shell.skin, shell.mesh, where);
  if (shell.inflation) check_inflation(*shell.inflation, shell.mesh.vertices, shell.mesh.triangles, where);
  part.inflation = shell.inflation;
  const int index = add_shell_body(model, name, shell.mesh, part.skin->thickness, shell.skin.density.values);
  parts_->take(std::move(part));
  return index;
}

int Builder::add(const Springs& springs) {
  Model& model = parts_->model;
  const std::string name = name_of(springs.name, model.bodies);
  check_net(springs, place_of(name));
  BodyPart part;
  part.solid = false;
  part.stiffness = each(springs.stiffness, springs.mesh.edge_count());
  part.length = springs.length.empty() ? lengths_of(springs.mesh) : springs.length;
  Body body;
  body.name = name;
  body.first_vertex = model.add_vertices(springs.mesh.vertices);
  body.vertex_count = springs.mesh.vertex_count();
  for (int i = 0; i < body.vertex_count; ++i) model.mass[body.first_vertex + i] = springs.mass.at(i);
  body.edges = springs.mesh.edges, body.triangles = springs.triangles;
  for (int& v : body.edges) v += body.first_vertex;
  for (int& v : body.triangles) v += body.first_vertex;
  model.bodies.push_back(std::move(body));
  parts_->take(std::move(part));
  return body_count() - 1;
}

void Builder::Parts::take(BodyPart part) {
  bodies.push_back(std::move(part));
  const Body& body = model.bodies.back();
  state.q.insert(state.q.end(), model.rest.begin() + 3 * static_cast<std::ptrdiff_t>(body.first_vertex),
                 model.rest.end());
  state.v.resize(state.q.size(), 0.0);
  held_by.resize(state.q.size() / 3, -1);
}

const Body& Builder::Parts::body(int index) const {
  if (index < 0 || index >= static_cast<int>(model.bodies.size()))
    throw InputError("builder", fmt::format("there is no body {}; there are {}", index, model.bodies.size()));
  return model.bodies[index];
}

// ---- first states and what they are placed by

namespace {

template <class Values>
auto part_of(const Body& body, Values& values, int components) {
  return std::span(values).subspan(components * body.first_vertex, components * body.vertex_count);
}

}  // namespace

void Builder::contact(const ContactSettings& contact) {
  check_contact(contact);
  parts_->contact = contact;
}

void Builder::gravity(const std::array<double, 3>& acceleration) {
  check_numbers(acceleration, 3, "gravity");
  parts_->model.gravity = acceleration;
}
void Builder::place(int body, std::span<const double> positions) {
  const Body& of = parts_->body(body);
  check_numbers(positions, 3 * of.vertex_count, place_of(of.name) + ": positions");
  std::copy(positions.begin(), positions.end(), part_of(of, parts_->state.q, 3).begin());
}
void Builder::launch(int body, std::span<const double> velocities) {
  const Body& of = parts_->body(body);
  check_numbers(velocities, 3 * of.vertex_count, place_of(of.name) + ": velocities");
  std::copy(velocities.begin(), velocities.end(), part_of(of, parts_->state.v, 3).begin());
}
void Builder::launch(int body, const std::array<double, 3>& velocity) {
  const Body& of = parts_->body(body);
  check_numbers(velocity, 3, place_of(of.name) + ": velocity");
  const auto v = part_of(of, parts_->state.v, 3);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = velocity[i % 3];
}

int Builder::body_count() const { return static_cast<int>(parts_->bodies.size()); }
std::span<const double> Builder::rest(int body) const {
  return part_of(parts_->body(body), std::as_const(parts_->model.rest), 3);
}
std::span<const double> Builder::masses(int body) const {
  return part_of(parts_->body(body), std::as_const(parts_->model.mass), 1);
}
std::span<const double> Builder::positions(int body) const {
  return part_of(parts_->body(body), std::as_const(parts_->state.q), 3);
}
std::span<const double> Builder::velocities(int body) const {
  return part_of(parts_->body(body), std::as_const(parts_->state.v), 3);
}

// ---- made of them

void Builder::Parts::add_terms(Model& out) const {
  add_solid_terms(out);
  add_shell_terms(out);
  add_bending_terms(out);
  add_spring_terms(out);
  damp_bodies(out);
  add_soft_pins(out);
  add_obstacles(out);
  out.contact = contact;
  add_inflations(out);
  for (const Drag& drag : drags) out.listed.push_back(drag_term(drag));
  out.validate();
}

Model Builder::model() const& {
  Model out = parts_->model;
  parts_->add_terms(out);
  return out;
}

Model Builder::model() && {
  Model out = std::move(parts_->model);
  parts_->add_terms(out);
  return out;
}

// Pins once more: a body may have been placed after it was pinned.
State Builder::state() const {
  State out = parts_->state;
  for (const Pin& pin : parts_->model.pins)
    for (std::size_t i = 0; i < pin.vertices.size(); ++i)
      pin.motion.at(0, &pin.start[3 * i], &out.q[3 * pin.vertices[i]], &out.v[3 * pin.vertices[i]]);
  return out;
}

std::unique_ptr<Simulation> Builder::simulation(const SimulationChoice& choice) const {
  auto out = make_simulation(model(), choice);
  out->set_state(state());
  for (const Drag& drag : parts_->drags) out->post(drag);  // from then on it can be moved by its name
  return out;
}

// ---- by name

std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params) {
  const SolverPlugin& kind = plugin<SolverPlugin>("solver", name, "solver");
  return kind.make(kind.params.read(Value(params)));
}

std::unique_ptr<Integrator> make_integrator(const std::string& name, const Values& params) {
  const IntegratorPlugin& kind = plugin<IntegratorPlugin>("integrator", name, "integrator");
  return kind.make(kind.params.read(Value(params)));
}

std::unique_ptr<Simulation> make_simulation(Model model, const SimulationChoice& choice) {
  const SolverPlugin& solver = plugin<SolverPlugin>("solver", choice.solver.type, "solver");
  const IntegratorPlugin& integrator = plugin<IntegratorPlugin>("integrator", choice.integrator.type, "integrator");
  const auto of_solver = settings_of(choice.solver, solver.params, "solver", ""),
             of_integrator = settings_of(choice.integrator, integrator.params, "integrator", "");
  SimulationOptions options;
  options.step = choice.step, options.threads = choice.threads, options.stop = stop_rule(*of_solver);
  options.reduction = choice.reduction, options.reduction_store = choice.reduction_store;
  return std::make_unique<Simulation>(std::move(model), integrator.make(*of_integrator), solver.make(*of_solver),
                                      options);
}

}  // namespace resilin
