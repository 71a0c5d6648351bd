#include "scene/actors.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/format.h"
#include "scene/motion.h"

namespace resilin {
namespace {

// The number of the body that the field names.
int named_body(const Settings& s, const char* key, std::span<const BodyPlan> bodies) {
  std::vector<std::string> names;
  for (const BodyPlan& b : bodies) names.push_back(b.name);
  const auto found = std::find(names.begin(), names.end(), s.text(key));
  if (found != names.end()) return static_cast<int>(found - names.begin());
  s.value(key).fail(fmt::format("there is no body \"{}\"; there are: {}", s.text(key), join_or(names)));
}

int body_of(const Settings& s, const Value& value, std::span<const BodyPlan> bodies) {
  if (s.has("body")) return named_body(s, "body", bodies);
  if (bodies.size() == 1) return 0;
  std::vector<std::string> names;
  for (const BodyPlan& b : bodies) names.push_back(b.name);
  value.fail(fmt::format("\"body\" is missing; it is one of {}", join_or(names)));
}

std::vector<int> chosen_vertices(const Settings& s, const BodyPlan& body) {
  const Value all{Value::Object{{"all", Value(true)}}};
  return select_some(s.has("select") ? s.value("select") : all, body.vertices());
}

Vec3 middle(const std::vector<double>& points) {
  Vec3 sum{0, 0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) sum[i % 3] += points[i];
  for (double& x : sum) x /= static_cast<double>(points.size() / 3);
  return sum;
}

}  // namespace

void add_pins(Builder& builder, std::span<const BodyPlan> bodies, const Scene& scene, const Value& pins) {
  for (const Value* value : items(pins)) {
    const Settings s = read_object("pin", *value);
    Hold hold;
    hold.body = body_of(s, *value, bodies);
    hold.vertices = chosen_vertices(s, bodies[hold.body]);
    hold.where = value->where();
    const auto from = s.text("at") == "rest" ? builder.rest(hold.body) : builder.positions(hold.body);
    for (const int v : hold.vertices)
      for (int k = 0; k < 3; ++k) hold.at.push_back(from[3 * v + k]);
    hold.motion = read_motion(s.value("motion"), middle(hold.at), scene.step);
    const bool soft = s.text("kind") == "soft";
    if (soft && !s.has("stiffness")) value->fail("\"stiffness\" is missing: a soft pin needs one [N/m]");
    if (!soft && s.has("stiffness"))
      s.value("stiffness").fail("has no effect: a hard pin holds exactly; set \"kind\" to \"soft\"");
    if (soft) builder.soft_pin(hold, s.number("stiffness"));
    else builder.pin(hold);
  }
}

void add_forces(Builder& builder, std::span<const BodyPlan> bodies, const Value& forces) {
  for (const Value* value : items(forces)) {
    const Settings s = read_object("force", *value);
    Load load;
    load.body = body_of(s, *value, bodies);
    load.vertices = chosen_vertices(s, bodies[load.body]);
    load.kind = s.has("force") ? Load::Kind::force : s.has("total") ? Load::Kind::total : Load::Kind::acceleration;
    load.vector = s.vector3(s.has("force") ? "force" : s.has("total") ? "total" : "acceleration");
    load.signal = read_signal(s.value("signal"));
    builder.force(load);
  }
}

void add_contact(Builder& builder, std::span<const BodyPlan> bodies, const Value& contact) {
  if (!contact.is_object()) {
    if (contact.boolean()) builder.contact({});
    return;
  }
  const Settings s = read_object("contact", contact);
  ContactSettings out;
  if (s.has("radius")) out.radius = s.number("radius");
  if (s.has("stiffness")) out.stiffness = s.number("stiffness");
  out.friction = s.number("friction"), out.between = s.boolean("between"), out.self = s.boolean("self");
  for (const Value* value : items(s.value("pairs"))) {
    const Settings pair = read_object("contact_pair", *value);
    out.pairs.push_back(
        {named_body(pair, "first", bodies), named_body(pair, "second", bodies), pair.number("friction")});
  }
  builder.contact(out);
}

}  // namespace resilin
