#include "scene/actors.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/obstacle.h"
#include "potentials/pin.h"
#include "resilin/registry.h"
#include "scene/format.h"
#include "scene/motion.h"

namespace resilin {
namespace {

const BodyPlan& body_of(const Settings& s, const Value& value, std::span<const BodyPlan> bodies) {
  std::vector<std::string> names;
  for (const BodyPlan& b : bodies) names.push_back(b.name);
  if (!s.has("body")) {
    if (bodies.size() == 1) return bodies[0];
    value.fail(fmt::format("\"body\" is missing; it is one of {}", join_or(names)));
  }
  const auto found = std::find(names.begin(), names.end(), s.text("body"));
  if (found != names.end()) return bodies[static_cast<std::size_t>(found - names.begin())];
  s.value("body").fail(fmt::format("there is no body \"{}\"; there are: {}", s.text("body"), join_or(names)));
}

// Ids in the model.
std::vector<int> chosen_vertices(const Settings& s, const BodyPlan& body) {
  const Value all{Value::Object{{"all", Value(true)}}};
  std::vector<int> ids = select_some(s.has("select") ? s.value("select") : all, body.vertices());
  for (int& v : ids) v += body.first_vertex;
  return ids;
}

Vec3 middle(const std::vector<double>& points) {
  Vec3 sum{0, 0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) sum[i % 3] += points[i];
  for (double& x : sum) x /= static_cast<double>(points.size() / 3);
  return sum;
}

// `held[v]`: the pin that holds vertex v, or null.
void add_hard(Model& model, State& initial, std::vector<const Value*>& held, Pin pin, const Value& value) {
  for (std::size_t i = 0; i < pin.vertices.size(); ++i) {
    const int v = pin.vertices[i];
    if (held[v] != nullptr)
      value.fail(fmt::format("vertex {} is pinned already by {}: two hard pins cannot hold the same vertex", v,
                             held[v]->where()));
    held[v] = &value;
    pin.motion.at(0, &pin.start[3 * i], &initial.q[3 * static_cast<std::size_t>(v)],
                  &initial.v[3 * static_cast<std::size_t>(v)]);
  }
  model.pins.push_back(std::move(pin));
}

// Diagonal of the constant Hessian at every vertex: sum of measure c_a^T Q c_a over its elements [N/m].
std::vector<double> elastic_diagonal(const Model& model) {
  std::vector<double> diagonal(static_cast<std::size_t>(model.vertex_count()), 0.0);
  for (const Term& term : model.terms) {
    const int rows = term.elements.rows(), corners = term.elements.corners();
    if (!term.elements.translation_free()) continue;  // pins are not the body's own stiffness
    std::vector<double> q(static_cast<std::size_t>(rows * rows));
    for (int e = 0; e < term.elements.size(); ++e)
      for (const auto& potential : term.elastic) {
        potential->quadratic(e, 1, q.data());
        const auto c = term.elements.coefficients(e);
        for (int a = 0; a < corners; ++a) {
          double sum = 0;
          for (int r = 0; r < rows; ++r)
            for (int p = 0; p < rows; ++p) sum += c[r * corners + a] * q[r * rows + p] * c[p * corners + a];
          diagonal[term.elements.vertices(e)[a]] += term.elements.measure(e) * sum;
        }
      }
  }
  return diagonal;
}

double mean_over(const std::vector<double>& diagonal, const Body& body) {
  double sum = 0;
  for (int i = 0; i < body.vertex_count; ++i) sum += diagonal[body.first_vertex + i];
  return sum / body.vertex_count;
}

// Vertices that can touch: the surface of a solid, all of a cloth or a net.
std::vector<int> outer_vertices(const Body& body) {
  std::vector<int> ids = body.triangles;
  if (body.tets.empty())
    for (int i = 0; i < body.vertex_count; ++i) ids.push_back(body.first_vertex + i);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// The ground is below, whatever "below" is: normals that are left out point up.
Value with_up(const Value& obstacle, const std::string& up) {
  Value out = obstacle;
  const Value* type = obstacle.find("type");
  const auto* entry = type == nullptr ? nullptr : find_plugin<ObstaclePlugin>(type->text());
  if (entry == nullptr || entry->plugin.params.find("normal") == nullptr || obstacle.find("normal") != nullptr)
    return out;
  out.set("normal", Value::List{up == "x" ? 1 : 0, up == "y" ? 1 : 0, up == "z" ? 1 : 0});
  return out;
}

}  // namespace

void add_pins(Model& model, State& initial, std::span<const BodyPlan> bodies, const Scene& scene,
              const Value& pins) {
  std::vector<const Value*> held(static_cast<std::size_t>(model.vertex_count()), nullptr);
  for (const Value* value : items(pins)) {
    const Settings s = read_object("pin", *value);
    Pin pin;
    pin.vertices = chosen_vertices(s, body_of(s, *value, bodies));
    const std::vector<double>& from = s.text("at") == "rest" ? model.rest : initial.q;
    for (const int v : pin.vertices)
      pin.start.insert(pin.start.end(), from.begin() + 3 * v, from.begin() + 3 * v + 3);
    pin.motion = read_motion(s.value("motion"), middle(pin.start), scene.step);
    const bool soft = s.text("kind") == "soft";
    if (soft && !s.has("stiffness")) value->fail("\"stiffness\" is missing: a soft pin needs one [N/m]");
    if (!soft && s.has("stiffness"))
      s.value("stiffness").fail("has no effect: a hard pin holds exactly; set \"kind\" to \"soft\"");
    if (!soft) {
      add_hard(model, initial, held, std::move(pin), *value);
      continue;
    }
    model.terms.push_back(
        {"pin", Elements::points(pin.vertices), {make_pin(s.number("stiffness"), pin.start, pin.motion)}});
  }
}

void add_forces(Model& model, std::span<const BodyPlan> bodies, const Value& forces) {
  for (const Value* value : items(forces)) {
    const Settings s = read_object("force", *value);
    ExternalForce force;
    force.vertices = chosen_vertices(s, body_of(s, *value, bodies));
    force.per_mass = !s.has("force");
    force.vector = s.vector3(s.has("force") ? "force" : s.has("total") ? "total" : "acceleration");
    if (s.has("total")) {  // shared by mass: the same acceleration for all
      double mass = 0;
      for (const int v : force.vertices) mass += model.mass[v];
      for (double& x : force.vector) x /= mass;
    }
    force.signal = read_signal(s.value("signal"));
    model.forces.push_back(std::move(force));
  }
}

void add_obstacles(Model& model, const Scene& scene, const Value& obstacles) {
  if (obstacles.is_null()) return;
  const std::vector<double> diagonal = elastic_diagonal(model);
  for (const Value* value : items(obstacles)) {
    const PluginChoice choice = read_plugin("obstacle", with_up(*value, scene.up));
    const ObstaclePlugin& obstacle = find_plugin<ObstaclePlugin>(choice.type)->plugin;
    const bool shared = obstacle.params.find("stiffness") != nullptr && choice.settings.has("stiffness");
    std::vector<int> all;
    for (const Body& body : model.bodies) {
      const std::vector<int> ids = outer_vertices(body);
      if (shared) all.insert(all.end(), ids.begin(), ids.end());
      else
        model.terms.push_back(
            {choice.type, Elements::points(ids), {obstacle.make(choice.settings, mean_over(diagonal, body))}});
    }
    if (shared) model.terms.push_back({choice.type, Elements::points(all), {obstacle.make(choice.settings, 0)}});
  }
}

}  // namespace resilin
