#include "resilin/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/vec3.h"
#include "resilin/errors.h"
#include "resilin/global_energy.h"

namespace resilin {

int Model::add_vertices(std::span<const double> positions) {
  const int first = vertex_count();
  rest.insert(rest.end(), positions.begin(), positions.end());
  mass.resize(rest.size() / 3, 0.0);
  return first;
}

int Model::element_count() const {
  int n = 0;
  for (const Term& t : terms) n += t.elements.size();
  return n;
}

double Model::size() const {
  if (rest.empty()) return 0;
  const Bounds b = bounds(rest);
  return std::max({b.upper[0] - b.lower[0], b.upper[1] - b.lower[1], b.upper[2] - b.lower[2]});
}

double Model::total_mass() const { return std::accumulate(mass.begin(), mass.end(), 0.0); }

namespace {

// How many tets, triangles, edges or vertices of the body elements of this kind can be; negative: any number.
int count_of(const Body& body, ElementKind kind) {
  if (kind == ElementKind::tet) return static_cast<int>(body.tets.size() / 4);
  if (kind == ElementKind::triangle) return static_cast<int>(body.triangles.size() / 3);
  if (kind == ElementKind::edge) return static_cast<int>(body.edges.size() / 2);
  return kind == ElementKind::point ? body.vertex_count : -1;
}

void check_elements(const Body& body, const std::vector<Term>& terms) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError("model", fmt::format("body \"{}\" {}", body.name, problem));
  };
  for (const BodyElements& e : body.elements) {
    if (e.term < 0 || e.term >= static_cast<int>(terms.size()))
      refuse(fmt::format("has elements in term {}, but there are {}", e.term, terms.size()));
    const Term& term = terms[e.term];
    if (e.first < 0 || e.count < 0 || e.count > term.elements.size() - e.first)
      refuse(fmt::format("has {} elements from {} on in term \"{}\", which has {}", e.count, e.first, term.name,
                         term.elements.size()));
    if (!e.ids.empty() && static_cast<int>(e.ids.size()) != e.count)
      refuse(fmt::format("names {} of its {} elements in term \"{}\"", e.ids.size(), e.count, term.name));
    const int own = count_of(body, term.elements.kind());
    for (int i = 0; i < e.count && own >= 0; ++i)
      if (e.id(i) < 0 || e.id(i) >= own)
        refuse(fmt::format("names {} {} in term \"{}\", but has {}", name(term.elements.kind()), e.id(i), term.name,
                           own));
  }
}

// A vertex without elements stands in no part, where its force would be added.
void check_global_energies(const Model& model) {
  if (model.global_energies.empty()) return;
  std::vector<char> in_element(static_cast<std::size_t>(model.vertex_count()), 0);
  for (const Term& term : model.terms)
    for (int i = 0; i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) in_element[v] = 1;
  for (const auto& energy : model.global_energies)
    for (const int v : energy->vertices()) {
      if (v < 0 || v >= model.vertex_count())
        throw InputError(
            "model", fmt::format("{} names vertex {}, but there are {}", energy->name(), v, model.vertex_count()));
      if (in_element[v] == 0)
        throw InputError("model", fmt::format("vertex {} of an {} is part of no element: give the body a material",
                                              v, energy->name()));
    }
}

}  // namespace

void Model::validate() const {
  const int n = vertex_count();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(rest[3 * i + k]))
        throw InputError("model", fmt::format("rest position of vertex {} is not finite", i));
    if (!(mass[i] > 0) || !std::isfinite(mass[i])) {
      throw InputError(
          "model",
          fmt::format("vertex {} has mass {} kg: every vertex needs a positive one (is it part of no element?)", i,
                      mass[i]));
    }
  }
  const auto refuse = [&](int v, const std::string& what) {
    throw InputError("model", fmt::format("{} names vertex {}, but there are {}", what, v, n));
  };
  const auto in_range = [&](int v, const char* what) {
    if (v < 0 || v >= n) refuse(v, what);
  };
  const auto check_term = [&](const Term& t) {
    const auto fits = [&](const Potential& potential) {
      if (potential.kind() != t.elements.kind())
        throw InputError(
            "model",
            fmt::format("\"{}\" of term \"{}\" is a potential on elements of kind {}, and they are of kind {}",
                        potential.name(), t.name, name(potential.kind()), name(t.elements.kind())));
    };
    for (const auto& potential : t.elastic) fits(*potential);
    for (const auto& potential : t.damping) fits(*potential);
    for (int i = 0; i < t.elements.size(); ++i)
      for (const int v : t.elements.vertices(i))
        if (v < 0 || v >= n) refuse(v, fmt::format("element {} of term {}", i, t.name));
  };
  for (const Term& t : terms) check_term(t);
  for (const Term& t : listed) {
    check_term(t);
    if (t.elements.kind() != ElementKind::point || !t.damping.empty())
      throw InputError("model", fmt::format("listed term \"{}\" is not one of points without damping", t.name));
  }
  check_global_energies(*this);
  if (contact) check_contact(*contact);
  for (const ObstacleFriction& one : friction) check_contact(one);
  for (const ObstacleRestitution& one : restitution) check_contact(one);
  for (const Body& body : bodies) check_elements(body, terms);
  for (const Pin& p : pins)
    for (const int v : p.vertices) in_range(v, "a pin");
  for (const ExternalForce& f : forces)
    for (const int v : f.vertices) in_range(v, "a force");
}

int add_tet_body(Model& model, const std::string& name, const TetMesh& mesh, std::span<const double> density,
                 std::span<const int> surface) {
  Body body;
  body.name = name;
  body.first_vertex = model.add_vertices(mesh.vertices);
  body.vertex_count = mesh.vertex_count();
  const auto masses = density.size() == 1 ? lumped_masses(mesh, density[0]) : lumped_masses(mesh, density);
  for (int i = 0; i < body.vertex_count; ++i) model.mass[body.first_vertex + i] += masses[i];
  body.tets = mesh.tets;
  body.triangles = surface.empty() ? boundary_triangles(mesh) : std::vector<int>(surface.begin(), surface.end());
  for (int& v : body.tets) v += body.first_vertex;
  for (int& v : body.triangles) v += body.first_vertex;
  model.bodies.push_back(std::move(body));
  return static_cast<int>(model.bodies.size()) - 1;
}

int add_shell_body(Model& model, const std::string& name, const TriangleMesh& mesh,
                   std::span<const double> thickness, std::span<const double> density) {
  Body body;
  body.name = name;
  body.first_vertex = model.add_vertices(mesh.vertices);
  body.vertex_count = mesh.vertex_count();
  body.triangles = mesh.triangles;
  for (int& v : body.triangles) v += body.first_vertex;
  add_skin_mass(model, body.triangles, thickness, density);
  model.bodies.push_back(std::move(body));
  return static_cast<int>(model.bodies.size()) - 1;
}

void add_skin_mass(Model& model, std::span<const int> triangles, std::span<const double> thickness,
                   std::span<const double> density) {
  const auto of = [](std::span<const double> values, std::size_t i) { return values[values.size() == 1 ? 0 : i]; };
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    const auto at = [&](std::size_t i) { return vertex_at(model.rest, triangles[t + i]); };
    const double area = norm(cross(at(1) - at(0), at(2) - at(0))) / 2;
    for (std::size_t i = 0; i < 3; ++i)
      model.mass[triangles[t + i]] += area * of(thickness, t / 3) * of(density, t / 3) / 3;
  }
}

}  // namespace resilin
