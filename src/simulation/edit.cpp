#include "resilin/edit.h"

#include <functional>

#include "resilin/errors.h"

namespace resilin {
namespace {

Value list(const std::vector<double>& numbers) { return Value::List(numbers.begin(), numbers.end()); }
Value list(const std::vector<int>& numbers) { return Value::List(numbers.begin(), numbers.end()); }
Value list(const std::array<double, 3>& v) { return Value::List(v.begin(), v.end()); }

std::vector<int> ids(const Settings& s, const char* name) {
  return s.has(name) ? s.value(name).integers() : std::vector<int>{};
}
std::vector<double> reals(const Settings& s, const char* name) {
  return s.has(name) ? s.value(name).numbers() : std::vector<double>{};
}

Param vertices() { return optional(any("vertices", "ids of vertices in the model")); }
Param body() { return text("body", "", "name of a body; none: all"); }

// One JSON form. `write` gives the members besides "edit"; empty lists are left out.
struct Form {
  std::string name;
  Params params;
  std::function<Edit(const Settings&)> read;
};

// In the order of the variant.
const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"set",
       {required(text("path", "", "of a parameter in the scene")), required(any("value", "its new value"))},
       [](const Settings& s) {
         return SetParameter{s.text("path"), s.value("value")};
       }},
      {"drag",
       {text("name", "drag", "of the handle"), vertices(), vector3("target", "m", {0, 0, 0}, "of their middle"),
        number("stiffness", "N/m", 1000, positive(), "of all of them together"),
        optional(any("offsets", "xyz of each from the middle")),
        optional(any("weights", "share of each, such as barycentric coordinates"))},
       [](const Settings& s) {
         return Drag{s.text("name"),        ids(s, "vertices"),  s.vector3("target"),
                     s.number("stiffness"), reals(s, "offsets"), reals(s, "weights")};
       }},
      {"release",
       {text("name", "drag", "of the handle")},
       [](const Settings& s) { return Release{s.text("name")}; }},
      {"pin",
       {required(any("vertices", "ids of vertices in the model")), optional(any("positions", "xyz of each"))},
       [](const Settings& s) {
         return PinVertices{ids(s, "vertices"), reals(s, "positions")};
       }},
      {"unpin",
       {required(any("vertices", "ids of vertices in the model"))},
       [](const Settings& s) { return UnpinVertices{ids(s, "vertices")}; }},
      {"state",
       {optional(any("positions", "xyz of all vertices")), optional(any("velocities", "xyz of all vertices"))},
       [](const Settings& s) {
         return SetState{reals(s, "positions"), reals(s, "velocities")};
       }},
      {"reset", {}, [](const Settings&) { return Reset{}; }},
      {"flatten",
       {body(), integer("axis", 1, between(0, 2), "across which it is flattened")},
       [](const Settings& s) {
         return Flatten{s.text("body"), s.integer("axis")};
       }},
      {"randomise",
       {body(), integer("seed", 1, at_least(0), "of the random numbers")},
       [](const Settings& s) {
         return Randomise{s.text("body"), s.integer("seed")};
       }},
      {"kick",
       {body(), vector3("velocity", "m/s", {0, 0, 0}, "that is added")},
       [](const Settings& s) {
         return Kick{s.text("body"), s.vector3("velocity")};
       }},
  };
  return all;
}

struct Members {
  Value::Object operator()(const SetParameter& e) const { return {{"path", e.path}, {"value", e.value}}; }
  Value::Object operator()(const Drag& e) const {
    Value::Object out{{"name", e.name}};
    if (!e.vertices.empty()) out.emplace_back("vertices", list(e.vertices));
    out.emplace_back("target", list(e.target)), out.emplace_back("stiffness", e.stiffness);
    if (!e.offsets.empty()) out.emplace_back("offsets", list(e.offsets));
    if (!e.weights.empty()) out.emplace_back("weights", list(e.weights));
    return out;
  }
  Value::Object operator()(const Release& e) const { return {{"name", e.name}}; }
  Value::Object operator()(const PinVertices& e) const {
    Value::Object out{{"vertices", list(e.vertices)}};
    if (!e.positions.empty()) out.emplace_back("positions", list(e.positions));
    return out;
  }
  Value::Object operator()(const UnpinVertices& e) const { return {{"vertices", list(e.vertices)}}; }
  Value::Object operator()(const SetState& e) const {
    Value::Object out;
    if (!e.positions.empty()) out.emplace_back("positions", list(e.positions));
    if (!e.velocities.empty()) out.emplace_back("velocities", list(e.velocities));
    return out;
  }
  Value::Object operator()(const Reset&) const { return {}; }
  Value::Object operator()(const Flatten& e) const { return {{"body", e.body}, {"axis", e.axis}}; }
  Value::Object operator()(const Randomise& e) const { return {{"body", e.body}, {"seed", e.seed}}; }
  Value::Object operator()(const Kick& e) const { return {{"body", e.body}, {"velocity", list(e.velocity)}}; }
};

Edit read_members(const Value& value, const std::vector<std::string>& reserved) {
  const Value* name = value.find("edit");
  if (name == nullptr) value.fail("\"edit\" is missing; it is one of " + join_or(edit_names()));
  for (const Form& form : forms()) {
    if (form.name == name->text()) return form.read(form.params.read(value, reserved));
  }
  name->fail("there is no edit \"" + name->text() + "\"; there are: " + join_or(edit_names()));
}

}  // namespace

std::vector<std::string> edit_names() {
  std::vector<std::string> out;
  for (const Form& form : forms()) out.push_back(form.name);
  return out;
}

Edit read_edit(const Value& value) { return read_members(value, {"edit"}); }

Value write_edit(const Edit& edit) {
  Value::Object out{{"edit", forms()[edit.index()].name}};
  for (auto& member : std::visit(Members{}, edit)) out.push_back(std::move(member));
  return out;
}

Value write_record(const EditRecord& record) {
  Value out = write_edit(record.edit);
  out.object().insert(out.object().begin(), {"step", static_cast<double>(record.step)});
  if (!record.refused.empty()) out.set("refused", record.refused);
  return out;
}

EditRecord read_record(const Value& value) {
  const Value *step = value.find("step"), *refused = value.find("refused");
  if (step == nullptr) value.fail("\"step\" is missing: the number of steps before it");
  if (!(step->number() >= 0)) step->fail("must be at least 0");
  return {static_cast<std::int64_t>(step->number()), read_members(value, {"edit", "step", "refused"}),
          refused == nullptr ? "" : refused->text()};
}

std::string write_edits(const std::vector<EditRecord>& edits) {
  std::string out;
  for (const EditRecord& record : edits)
    if (record.refused.empty()) out += write_record(record).dump() + "\n";
  return out;
}

}  // namespace resilin
