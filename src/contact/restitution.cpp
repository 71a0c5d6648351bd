#include "contact/restitution.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/impulse.h"
#include "contact/obstacles/contact_forces.h"
#include "core/stamp.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

// A body on an obstacle.
struct Meeting {
  std::shared_ptr<const Potential> obstacle;
  double coefficient;         // e
  std::size_t body;           // in bodies_
  std::vector<int> vertices;  // of the body, that the obstacle knows
};

struct Whole {
  std::vector<int> vertices;
  std::vector<double> mass;
  double total = 0;
};

// Of a meeting, in the state. There are also, for each body, its last velocity and the change that it lacks.
struct Bounce {
  double phase = 0, speed = 0, last = 0;  // speed: v; last: of the step before
  Vec3 normal{0, 0, 0};
};
constexpr double resting = 0, pressing = 1, leaving = 2;
constexpr std::size_t bounce_numbers = 6;

class ImpulseRestitution final : public ListedTerm {
 public:
  explicit ImpulseRestitution(const Model& model) : gravity_(model.gravity) {
    Stamp stamp;
    for (const Body& body : model.bodies) {
      Whole whole;
      for (int v = body.first_vertex; v < body.end_vertex(); ++v) {
        whole.vertices.push_back(v), whole.mass.push_back(model.mass[v]);
        whole.total += whole.mass.back();
      }
      stamp.add(body.vertex_count);
      bodies_.push_back(std::move(whole));
    }
    for (const ObstacleRestitution& source : model.restitution) add(model, source), stamp.add(source.term);
    stamp_ = stamp.value();
    set_term({}, {}, {});
  }

  std::span<const Term> terms() const override { return {&term_, 1}; }

  void begin(const Stage& stage, const Memory& memory) override {
    origin_ = stage.origin, tau_ = stage.tau, time_ = stage.time;
    const auto* kept = memory.find(key, stamp_);
    std::vector<int> vertices;
    std::vector<Vec3> force, start;
    for (std::size_t b = 0; kept != nullptr && b < bodies_.size(); ++b) {
      const double* change = &(*kept)[6 * b + 3];
      if (change[0] == 0 && change[1] == 0 && change[2] == 0) continue;
      for (std::size_t i = 0; i < bodies_[b].vertices.size(); ++i) {
        vertices.push_back(bodies_[b].vertices[i]);
        force.push_back((bodies_[b].mass[i] / tau_) * Vec3{change[0], change[1], change[2]});
        start.push_back(vertex_at(origin_, vertices.back()));
      }
    }
    set_term(vertices, std::move(force), std::move(start));
  }

  void end(const double* x, Memory& memory) override {
    std::vector<double>& kept = memory.keep(key, stamp_);
    kept.resize(6 * bodies_.size() + bounce_numbers * meetings_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b) std::fill_n(&kept[6 * b + 3], 3, 0.0);
    for (std::size_t m = 0; m < meetings_.size(); ++m) {
      double* of_body = &kept[6 * meetings_[m].body];
      double* n = &kept[6 * bodies_.size() + bounce_numbers * m];
      Bounce bounce{n[0], n[1], n[2], {n[3], n[4], n[5]}};
      follow(meetings_[m], x, of_body, bounce);
      const double numbers[bounce_numbers] = {bounce.phase,     bounce.speed,     bounce.last,
                                              bounce.normal[0], bounce.normal[1], bounce.normal[2]};
      std::copy_n(numbers, bounce_numbers, n);
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Vec3 v = velocity(bodies_[b], x);
      std::copy_n(v.begin(), 3, &kept[6 * b]);
    }
  }

 private:
  void add(const Model& model, const ObstacleRestitution& source) {
    const Term& term = model.terms[source.term];
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      Meeting meeting{term.elastic[0], source.coefficient, b, {}};
      for (int i = 0; i < term.elements.size(); ++i)
        if (const int v = term.elements.vertices(i)[0]; v >= body.first_vertex && v < body.end_vertex())
          meeting.vertices.push_back(v);
      if (!meeting.vertices.empty()) meetings_.push_back(std::move(meeting));
    }
  }

  void set_term(const std::vector<int>& vertices, std::vector<Vec3> force, std::vector<Vec3> start) {
    term_ = impulse_term("restitution", vertices, std::move(force), std::move(start));
  }

  // Of the middle of mass, as the stage leaves it.
  Vec3 velocity(const Whole& body, const double* x) const {
    Vec3 sum{0, 0, 0};
    for (std::size_t i = 0; i < body.vertices.size(); ++i) {
      const std::size_t at = 3 * static_cast<std::size_t>(body.vertices[i]);
      for (std::size_t k = 0; k < 3; ++k) sum[k] += body.mass[i] * (x[at + k] - origin_[at + k]);
    }
    return (1 / (body.total * tau_)) * sum;
  }

  // `of_body`: velocity before the stage, and what it will lack.
  void follow(const Meeting& meeting, const double* x, double* of_body, Bounce& bounce) const {
    const auto touching = pushes(*meeting.obstacle, meeting.vertices, time_, x);
    Vec3 push{0, 0, 0}, point{0, 0, 0};
    for (const ContactForce& one : touching)
      for (std::size_t k = 0; k < 3; ++k) {
        push[k] -= one.gradient[k];
        point[k] += x[3 * meeting.vertices[one.element] + k] / static_cast<double>(touching.size());
      }
    const bool touches = norm(push) > 0;
    if (!touches && bounce.phase == resting) return;
    const Vec3 n = touches ? (1 / norm(push)) * push : bounce.normal;
    Vec3 back = point;
    meeting.obstacle->carry(time_, time_ - tau_, back.data());
    const Vec3 surface = (1 / tau_) * (point - back);  // velocity of the obstacle there
    const double now = dot(n, velocity(bodies_[meeting.body], x) - surface);
    const Vec3 before{of_body[0], of_body[1], of_body[2]};
    const double came = -dot(n, before - surface + (0.5 * tau_) * gravity_);
    if (bounce.phase == resting && came > 2 * norm(gravity_) * tau_) bounce = {pressing, came, now, n};
    else if (bounce.phase != resting && (!touches || (bounce.phase == leaving && now <= bounce.last))) {
      for (std::size_t k = 0; k < 3; ++k) of_body[3 + k] += (meeting.coefficient * bounce.speed - now) * n[k];
      bounce = {};
      return;
    }
    if (bounce.phase == pressing && now >= 0) bounce.phase = leaving;
    if (bounce.phase != resting) bounce.last = now, bounce.normal = n;
  }

  static constexpr const char* key = "restitution.bodies";
  Vec3 gravity_;
  std::vector<Whole> bodies_;
  std::vector<Meeting> meetings_;
  std::uint64_t stamp_ = 0;
  Term term_;
  std::vector<double> origin_;
  double tau_ = 1, time_ = 0;
};

}  // namespace

std::unique_ptr<ListedTerm> make_obstacle_restitution(const Model& model) {
  return std::make_unique<ImpulseRestitution>(model);
}

Params restitution_params() {
  return {optional(number("restitution", "", 0, between(0, 1),
                          "e: a body leaves with e times the normal speed with which it came; default: as the "
                          "integrator has it. backward_euler only"))};
}

}  // namespace resilin
