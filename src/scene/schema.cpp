// JSON schema (draft 2020-12) of scenes, from the declarations of format.cpp and the registered plugins. Editors
// use it for completion; Resilin itself checks by the declarations.
#include <fmt/format.h>

#include <cmath>

#include "resilin/scene.h"
#include "scene/format.h"
#include "scene/presets.h"

namespace resilin {
namespace {

using Object = Value::Object;
using List = Value::List;

Value names_list(const std::vector<std::string>& names) {
  List out;
  for (const std::string& n : names) out.emplace_back(n);
  return out;
}

Value array_of(Value item, int count = 0) {
  Object out{{"type", "array"}, {"items", std::move(item)}};
  if (count > 0) out.insert(out.end(), {{"minItems", Value(count)}, {"maxItems", Value(count)}});
  return out;
}

Value number_schema(const Param& p) {
  Object out{{"type", p.type == Param::Type::integer ? "integer" : "number"}};
  if (std::isfinite(p.range.low))
    out.emplace_back(p.range.low_open ? "exclusiveMinimum" : "minimum", Value(p.range.low));
  if (std::isfinite(p.range.high))
    out.emplace_back(p.range.high_open ? "exclusiveMaximum" : "maximum", Value(p.range.high));
  return out;
}

const Value plain_number{Object{{"type", "number"}}};

Value any_of(List alternatives) {
  if (alternatives.size() == 1) return std::move(alternatives[0]);
  return Object{{"anyOf", Value(std::move(alternatives))}};
}

Value reference(const std::string& name) { return Object{{"$ref", Value("#/$defs/" + name)}}; }

Value form_schema(const Form& form) {
  switch (form.kind) {
    case Form::Kind::number: return plain_number;
    case Form::Kind::boolean: return Object{{"type", "boolean"}};
    case Form::Kind::text: {
      if (form.of.empty()) return Object{{"type", "string"}};
      return Object{{"enum", names_list(names_for(form.of))}};
    }
    case Form::Kind::vector3: return array_of(plain_number, 3);
    case Form::Kind::axis:
      return any_of({Object{{"enum", names_list({"x", "y", "z"})}}, array_of(plain_number, 3)});
    case Form::Kind::rows: return Object{{"type", "array"}};
    case Form::Kind::object: return reference(form.of);
    case Form::Kind::plugin: return reference(form.of);
    case Form::Kind::material: return form.of == "part" ? Value(Object{{"type", "object"}}) : reference("material");
    case Form::Kind::list:
      if (form.of == "text") return array_of(Object{{"type", "string"}});
      if (form.of == "select") return array_of(any_of({Object{{"type", "string"}}, reference("select")}));
      return array_of(reference(form.of));
  }
  return {};
}

Value param_schema(const Param& p, const Slot* slot) {
  Value out;
  switch (p.type) {
    case Param::Type::number:
      out = p.per_element ? any_of({number_schema(p), array_of(number_schema(p))}) : number_schema(p);
      break;
    case Param::Type::integer: out = number_schema(p); break;
    case Param::Type::boolean: out = Object{{"type", "boolean"}}; break;
    case Param::Type::text: out = Object{{"type", "string"}}; break;
    case Param::Type::choice: out = Object{{"enum", names_list(p.choices)}}; break;
    case Param::Type::vector3: out = array_of(plain_number, 3); break;
    case Param::Type::numbers: out = array_of(number_schema(p)); break;
    case Param::Type::points: out = array_of(array_of(plain_number, 2)); break;
    case Param::Type::any: {
      List forms;
      if (slot != nullptr)
        for (const Form& form : slot->forms) forms.push_back(form_schema(form));
      out = forms.empty() ? Value(Object{}) : any_of(std::move(forms));
      break;
    }
  }
  out.set("description", p.unit.empty() ? p.doc : fmt::format("{} [{}]", p.doc, p.unit));
  if (!p.fallback.is_null() && !(p.fallback.is_text() && p.fallback.text().empty())) out.set("default", p.fallback);
  return out;
}

// Exactly one of `keys`: oneOf over required members.
Value one_of(const std::vector<std::string>& keys) {
  List out;
  for (const std::string& key : keys) out.push_back(Object{{"required", names_list({key})}});
  return out;
}

Object strict_object(const std::string& doc, Object properties, const std::vector<std::string>& needed) {
  Object out{{"description", Value(doc)},
             {"type", "object"},
             {"properties", Value(std::move(properties))},
             {"additionalProperties", Value(false)}};
  if (!needed.empty()) out.emplace_back("required", names_list(needed));
  return out;
}

Value object_schema(const ObjectType& type) {
  Object properties;
  std::vector<std::string> needed;
  for (const Param& p : type.params.list()) {
    properties.emplace_back(p.name, param_schema(p, type.slot(p.name)));
    if (p.required) needed.push_back(p.name);
  }
  Object out = strict_object(type.doc, std::move(properties), needed);
  if (!type.exactly_one.empty()) out.emplace_back("oneOf", one_of(type.exactly_one));
  return out;
}

Value plugin_schema(const PluginKind& kind, const PluginKind::Entry& entry) {
  Object properties{{"type", Value(Object{{"const", Value(entry.name)}})}};
  std::vector<std::string> needed;
  if (kind.fallback != entry.name) needed.push_back("type");
  for (const Param& p : entry.params->list()) {
    properties.emplace_back(p.name, param_schema(p, nullptr));
    if (p.required) needed.push_back(p.name);
  }
  if (!kind.besides.empty()) {
    const ObjectType& besides = object_type(kind.besides);
    for (const Param& p : besides.params.list())
      properties.emplace_back(p.name, param_schema(p, besides.slot(p.name)));
  }
  return strict_object(entry.doc, std::move(properties), needed);
}

// {"like": preset, fields of the preset's material}.
Value preset_schema(const MaterialPreset& preset) {
  const PluginKind& kind = plugin_kind("material");
  Object properties{{"like", Value(Object{{"const", Value(preset.name)}})}};
  for (const auto& entry : kind.entries)
    if (entry.name == preset.material)
      for (const Param& p : entry.params->list()) properties.emplace_back(p.name, param_schema(p, nullptr));
  return strict_object(fmt::format("{}; density {} kg/m^3. {}", preset.material, preset.density, preset.source),
                       std::move(properties), {"like"});
}

std::string indented(const Value& v, int depth) {
  const std::string pad(static_cast<std::size_t>(2 * depth + 2), ' ');
  std::string out;
  if (v.is_object() && !v.object().empty()) {
    for (const auto& [key, value] : v.object())
      out += (out.empty() ? "{\n" : ",\n") + pad + Value(key).dump() + ": " + indented(value, depth + 1);
    return out + "\n" + pad.substr(2) + "}";
  }
  const std::string flat = v.dump();
  if (!v.is_list() || flat.size() < 80) return flat;
  for (const Value& item : v.list()) out += (out.empty() ? "[\n" : ",\n") + pad + indented(item, depth + 1);
  return out + "\n" + pad.substr(2) + "]";
}

}  // namespace

std::string scene_schema() {
  Object definitions;
  for (const ObjectType& type : object_types())
    if (type.name != "scene") definitions.emplace_back(type.name, object_schema(type));
  for (const char* name :
       {"shape", "sheet", "material", "bending", "potential", "damping", "integrator", "solver", "obstacle"}) {
    const PluginKind& kind = plugin_kind(name);
    List alternatives;
    for (const auto& entry : kind.entries) {
      definitions.emplace_back(kind.kind + "_" + entry.name, plugin_schema(kind, entry));
      alternatives.push_back(reference(kind.kind + "_" + entry.name));
    }
    if (kind.kind == "material")
      for (const MaterialPreset& preset : material_presets()) {
        definitions.emplace_back("preset_" + preset.name, preset_schema(preset));
        alternatives.push_back(reference("preset_" + preset.name));
      }
    definitions.emplace_back(kind.kind, any_of(std::move(alternatives)));
  }
  Value root = object_schema(object_type("scene"));
  Object out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Resilin scene"}};
  for (auto& member : root.object()) out.push_back(std::move(member));
  out.emplace_back("$defs", Value(std::move(definitions)));
  return indented(Value(std::move(out)), 0) + "\n";
}

}  // namespace resilin
