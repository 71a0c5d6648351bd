// What acts on bodies: pins, handles, forces and obstacles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/friction/friction.h"
#include "contact/obstacles/obstacle_potential.h"
#include "contact/restitution.h"
#include "potentials/pin.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "simulation/builder_parts.h"
#include "simulation/checks.h"
#include "simulation/drag.h"

namespace resilin {
namespace {

std::vector<int> in_model(const Body& body, std::vector<int> vertices) {
  for (int& v : vertices) v += body.first_vertex;
  return vertices;
}

std::string place_of_hold(const Hold& hold, const Body& body, const char* kind) {
  return hold.where.empty() ? fmt::format("{}: {}", place_of(body.name), kind) : hold.where;
}

// A sum that is not finite has such a part.
void check_signal(const Signal& signal, const std::string& where) {
  double sum = signal.constant + signal.amplitude + signal.frequency + signal.phase;
  for (const auto& [time, value] : signal.keyframes) sum += time + value;
  if (!std::isfinite(sum) || std::isnan(signal.start) || std::isnan(signal.stop))
    throw InputError(where, "its signal has a number that is not finite");
  for (std::size_t i = 1; i < signal.keyframes.size(); ++i)
    if (signal.keyframes[i][0] < signal.keyframes[i - 1][0])
      throw InputError(where, fmt::format("times of keyframes must ascend: {} follows {}", signal.keyframes[i][0],
                                          signal.keyframes[i - 1][0]));
}

// xyz of each vertex at time 0.
std::vector<double> start_of(const Hold& hold, const Body& body, const std::vector<double>& q,
                             const std::string& where) {
  check_vertices(body.vertex_count, hold.vertices, where);
  std::vector<double> out = hold.at;
  if (!out.empty()) check_numbers(out, 3 * hold.vertices.size(), where + ": at");
  else
    for (const int v : in_model(body, hold.vertices)) {
      const auto from = q.begin() + 3 * static_cast<std::ptrdiff_t>(v);
      out.insert(out.end(), from, from + 3);
    }
  double moved[6];
  hold.motion.at(0, out.data(), moved, moved + 3);
  check_numbers(moved, 6, where + ": motion at time 0");
  return out;
}

// Diagonal of the constant Hessian at every vertex: sum of measure c_a^T Q c_a over its elements [N/m].
std::vector<double> elastic_diagonal(const Model& model) {
  std::vector<double> diagonal(model.vertex_count(), 0.0);
  for (const Term& term : model.terms) {
    const int rows = term.elements.rows(), corners = term.elements.corners();
    if (!term.elements.translation_free()) continue;  // pins are not the body's own stiffness
    std::vector<double> q(rows * rows);
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
  for (int v = body.first_vertex; v < body.end_vertex(); ++v) sum += diagonal[v];
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

// `ids`: of the model.
BodyElements points_of(const Body& body, std::size_t term, std::size_t first, std::vector<int> ids) {
  for (int& v : ids) v -= body.first_vertex;
  const int count = static_cast<int>(ids.size());
  return {static_cast<int>(term), static_cast<int>(first), count, unless_in_order(ids)};
}

}  // namespace

// ---- asked for

void Builder::pin(const Hold& hold) {
  const Body& body = parts_->body(hold.body);
  const std::string where = place_of_hold(hold, body, "pin");
  Pin pin{in_model(body, hold.vertices), start_of(hold, body, parts_->state.q, where), hold.motion};
  for (std::size_t i = 0; i < pin.vertices.size(); ++i)
    if (const int by = parts_->held_by[pin.vertices[i]]; by >= 0)
      throw InputError(where,
                       fmt::format("vertex {} is pinned already by {}: two hard pins cannot hold the same vertex",
                                   hold.vertices[i], parts_->pins[by]));
  for (std::size_t i = 0; i < pin.vertices.size(); ++i) {
    const int v = pin.vertices[i];
    parts_->held_by[v] = static_cast<int>(parts_->pins.size());
    pin.motion.at(0, &pin.start[3 * i], &parts_->state.q[3 * v], &parts_->state.v[3 * v]);
  }
  parts_->pins.push_back(where);
  parts_->model.pins.push_back(std::move(pin));
}

void Builder::soft_pin(const Hold& hold, double stiffness) {
  const Body& body = parts_->body(hold.body);
  const std::string where = place_of_hold(hold, body, "soft pin");
  std::vector<double> start = start_of(hold, body, parts_->state.q, where);
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw InputError(where, fmt::format("its stiffness is {}: must be > 0 and finite [N/m]", stiffness));
  parts_->soft_pins.push_back({hold.body, hold.vertices, std::move(start), hold.motion, stiffness});
}

void Builder::drag(int body, Drag drag) {
  const Body& of = parts_->body(body);
  const std::string where = fmt::format("{}: drag \"{}\"", place_of(of.name), drag.name);
  check_vertices(of.vertex_count, drag.vertices, where);
  if (std::any_of(parts_->drags.begin(), parts_->drags.end(),
                  [&](const Drag& other) { return other.name == drag.name; }))
    throw InputError(where, "another handle has this name already");
  drag.vertices = in_model(of, std::move(drag.vertices));
  complete_drag(drag, parts_->state.q);
  parts_->drags.push_back(std::move(drag));
}

void Builder::force(const Load& load) {
  const Body& body = parts_->body(load.body);
  const std::string where = place_of(body.name) + ": force";
  check_numbers(load.vector, 3, where);
  check_signal(load.signal, where);
  ExternalForce force;
  for (int v = body.first_vertex; load.vertices.empty() && v < body.end_vertex(); ++v) force.vertices.push_back(v);
  if (!load.vertices.empty()) {
    check_vertices(body.vertex_count, load.vertices, where);
    force.vertices = in_model(body, load.vertices);
  }
  force.per_mass = load.kind != Load::Kind::force;
  force.vector = load.vector, force.signal = load.signal;
  if (load.kind == Load::Kind::total) {  // shared by mass: the same acceleration for all
    double mass = 0;
    for (const int v : force.vertices) mass += parts_->model.mass[v];
    for (double& x : force.vector) x /= mass;
  }
  parts_->model.forces.push_back(std::move(force));
}

void Builder::obstacle(const Choice& obstacle, Motion motion) {
  const std::string where = fmt::format("obstacle {}", parts_->obstacles.size() + 1);
  const ObstaclePlugin& chosen = plugin<ObstaclePlugin>("obstacle", obstacle.type, where);
  const auto settings = settings_of(obstacle, chosen.params, where, "");
  for (const MotionStep& step : motion.steps()) {
    check_signal(step.amount, where + ": motion");
    check_numbers(step.direction, 3, where + ": motion");
    check_numbers(step.centre, 3, where + ": motion");
  }
  ObstaclePart part{obstacle.type, chosen.make(*settings), {}, std::move(motion), settings};
  part.response = response_of(*settings);
  if (settings->has("stiffness")) part.stiffness = settings->number("stiffness");
  parts_->obstacles.push_back(std::move(part));
}

// ---- made

void Builder::Parts::add_soft_pins(Model& out) const {
  for (const SoftPin& pin : soft_pins) {
    Body& of = out.bodies[pin.body];
    const std::vector<int> ids = in_model(of, pin.vertices);
    of.elements.push_back(points_of(of, out.terms.size(), 0, ids));
    out.terms.push_back({"pin", Elements::points(ids), {make_pin(pin.stiffness, pin.start, pin.motion)}});
  }
}

// One term for each obstacle and, unless it states its stiffness, each body, whose own stiffness it then has.
void Builder::Parts::add_obstacles(Model& out) const {
  if (obstacles.empty()) return;
  const std::vector<double> diagonal = elastic_diagonal(out);
  std::vector<std::string> names;
  for (const Body& of : out.bodies) names.push_back(of.name);
  for (const ObstaclePart& part : obstacles) {
    const std::vector<double> mu = friction_of(*part.settings, names);
    const bool rubs = std::any_of(mu.begin(), mu.end(), [](double of_body) { return of_body > 0; });
    std::vector<int> all;
    const auto add = [&](const std::vector<int>& ids, double stiffness) {
      if (part.settings->has("restitution"))
        out.restitution.push_back({static_cast<int>(out.terms.size()), part.settings->number("restitution")});
      out.terms.push_back({part.type,
                           Elements::points(ids),
                           {make_obstacle_potential(part.obstacle, stiffness, part.motion, part.response)}});
    };
    for (std::size_t b = 0; b < out.bodies.size(); ++b) {
      Body& of = out.bodies[b];
      const std::vector<int> ids = outer_vertices(of);
      of.elements.push_back(points_of(of, out.terms.size(), all.size(), ids));
      if (rubs && (b == 0 || !part.stiffness)) out.friction.push_back({static_cast<int>(out.terms.size()), {}});
      if (rubs) out.friction.back().coefficient.resize(out.friction.back().coefficient.size() + ids.size(), mu[b]);
      if (part.stiffness) all.insert(all.end(), ids.begin(), ids.end());
      else add(ids, mean_over(diagonal, of));
    }
    if (part.stiffness) add(all, *part.stiffness);
  }
}

}  // namespace resilin
