#include "describe.h"

#include <algorithm>

#include "io/run_log.h"
#include "list.h"
#include "protocol.h"
#include "resilin/version.h"
#include "scene/format.h"
#include "simulation/checks.h"

namespace resilin::viewer {
namespace {

Value describe(const Params& params) {
  Value::List out;
  for (const Param& p : params.list())
    out.push_back(Value::Object{{"name", p.name},
                                {"type", type_name(p.type)},
                                {"unit", p.unit},
                                {"default", p.fallback},
                                {"low", finite_or_null(p.range.low)},
                                {"high", finite_or_null(p.range.high)},
                                {"low_open", p.range.low_open},
                                {"high_open", p.range.high_open},
                                {"choices", Value::List(p.choices.begin(), p.choices.end())},
                                {"doc", p.doc}});
  return out;
}

Value entry(const std::string& name, const std::string& doc, const Params& params) {
  return Value::Object{{"name", name}, {"doc", doc}, {"params", describe(params)}};
}

// Plugins by kind, and as "object" what else stands in scenes (body, contact, ...).
Value registry() {
  Value::Object out;
  for (const cli::Kind& kind : cli::simulation_kinds()) {
    if (kind.name == "scene" || kind.name == "format") continue;
    Value::List entries;
    for (const cli::Entry& e : kind.entries()) entries.push_back(entry(e.name, e.doc, e.params));
    out.emplace_back(kind.name, std::move(entries));
  }
  Value::List objects;
  for (const ObjectType& type : object_types()) objects.push_back(entry(type.name, type.doc, type.params));
  out.emplace_back("object", std::move(objects));
  return out;
}

std::string material_of(const Scene& scene, std::size_t body) {
  const Value* bodies = scene.source.find("bodies");
  if (bodies == nullptr || !bodies->is_list() || body >= bodies->list().size()) return "";
  const Value* material = bodies->list()[body].find("material");
  if (material == nullptr) return "";
  if (material->is_text()) return material->text();
  for (const char* key : {"type", "like"})
    if (const Value* name = material->is_object() ? material->find(key) : nullptr;
        name != nullptr && name->is_text())
      return name->text();
  return "";
}

}  // namespace

Value numbers(const std::vector<double>& values) {
  Value::List out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(finite_or_null(v));
  return out;
}

Value numbers(const std::vector<int>& values) { return Value::List(values.begin(), values.end()); }

std::string hello(bool control) {
  static const Value known = registry();
  Value::List scenes;
  for (const auto& [name, description] : gallery())
    scenes.push_back(Value::Object{{"name", name}, {"description", description}});
  return Value(Value::Object{{"type", "hello"},
                             {"protocol", protocol_version},
                             {"version", version()},
                             {"control", control},
                             {"gallery", std::move(scenes)},
                             {"registry", known}})
      .dump();
}

Value::Object describe_scene(const Scene& scene, const Model& model, const DrawnObstacles& obstacles, double time) {
  std::array<double, 3> up{0, 0, 0};
  up[static_cast<std::size_t>(scene.up[0] - 'x')] = 1;
  Value::List bodies, drawn;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    bodies.push_back(Value::Object{{"name", model.bodies[b].name},
                                   {"material", material_of(scene, b)},
                                   {"vertices", model.bodies[b].vertex_count}});
  const std::vector<TriangleMesh> surfaces = obstacles.at(time);
  const std::vector<std::string> names = obstacles.names();
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    drawn.push_back(Value::Object{{"name", names[i]},
                                  {"vertices", numbers(surfaces[i].vertices)},
                                  {"triangles", numbers(surfaces[i].triangles)}});
  std::vector<int> pins;
  const std::vector<char> pinned = pinned_vertices(model);
  for (std::size_t v = 0; v < pinned.size(); ++v)
    if (pinned[v] != 0) pins.push_back(static_cast<int>(v));
  const std::optional<double> ground = obstacles.ground(up, time);
  return {{"name", scene.name},
          {"description", scene.description},
          {"text", scene.source.dump()},
          {"up", scene.up},
          {"step", scene.step},
          {"bodies", std::move(bodies)},
          {"pins", numbers(pins)},
          {"obstacles", std::move(drawn)},
          {"ground", ground ? Value(*ground) : Value()}};
}

}  // namespace resilin::viewer
