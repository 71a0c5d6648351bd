// Reading and checking against the declarations of format.cpp, and the plugins that scenes can name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/obstacles/obstacle.h"
#include "potentials/added/added.h"
#include "potentials/bending/bending.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/integrator.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"
#include "scene/format.h"
#include "scene/presets.h"

namespace resilin {
namespace {

template <class Plugin>
PluginKind kind_of(const char* kind, const char* fallback, const char* besides = "") {
  PluginKind out{kind, fallback, besides, {}};
  for (const auto& entry : registry<Plugin>())
    out.entries.push_back({entry.name, entry.plugin.doc, &entry.plugin.params});
  return out;
}

std::string in_words(const Form& form) {
  switch (form.kind) {
    case Form::Kind::number: return "a number";
    case Form::Kind::boolean: return "true or false";
    case Form::Kind::text: return form.of.empty() ? "text in quotes" : "the name of a " + form.of;
    case Form::Kind::vector3: return "a vector [x, y, z]";
    case Form::Kind::axis: return "\"x\", \"y\", \"z\" or a direction [x, y, z]";
    case Form::Kind::rows: return "a list";
    case Form::Kind::object: return form.key.empty() ? "an object {...}" : "an object {\"" + form.key + "\": ...}";
    case Form::Kind::material: return "an object {...}";
    case Form::Kind::plugin: return "an object {\"type\": ...}";
    case Form::Kind::list:
      return "a list of " + std::string(form.of == "text" ? "names in quotes" : form.of + " objects");
  }
  return "";
}

bool fits(const Form& form, const Value& v) {
  switch (form.kind) {
    case Form::Kind::number: return v.is_number();
    case Form::Kind::boolean: return v.is_bool();
    case Form::Kind::text: return v.is_text();
    case Form::Kind::vector3:
    case Form::Kind::rows:
    case Form::Kind::list: return v.is_list();
    case Form::Kind::axis: return v.is_text() || v.is_list();
    default: return v.is_object() && (form.key.empty() || v.find(form.key) != nullptr);
  }
}

void check_form(const Form& form, const Value& v) {
  switch (form.kind) {
    case Form::Kind::text: {
      if (form.of.empty()) return;
      const auto names = names_for(form.of);
      if (std::find(names.begin(), names.end(), v.text()) != names.end()) return;
      const std::string near = nearest_name(v.text(), names);
      v.fail(fmt::format("there is no {} \"{}\"{}; there are: {}", form.of, v.text(),
                         near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near), join_or(names)));
    }
    case Form::Kind::vector3: v.vector3(); return;
    case Form::Kind::axis: read_axis(v); return;
    case Form::Kind::object: check_object(form.of, v); return;
    case Form::Kind::plugin: read_plugin(form.of, v); return;
    case Form::Kind::list:
      for (const Value& item : v.list()) {
        if (form.of == "text") item.text();
        else if (form.of == "obstacle" || form.of == "damping" || form.of == "potential")
          read_plugin(form.of, item);
        else if (form.of != "select" || !item.is_text()) check_object(form.of, item);
      }
      return;
    default: return;  // number and boolean fit; rows and materials are checked by their readers
  }
}

}  // namespace

std::vector<std::string> PluginKind::names() const {
  std::vector<std::string> out;
  for (const Entry& e : entries) out.push_back(e.name);
  return out;
}

const PluginKind& plugin_kind(const std::string& kind) {
  static const std::vector<PluginKind> kinds = {kind_of<ShapePlugin>("shape", ""),
                                                kind_of<SheetPlugin>("sheet", ""),
                                                kind_of<MaterialPlugin>("material", ""),
                                                kind_of<BendingPlugin>("bending", ""),
                                                kind_of<PotentialPlugin>("potential", ""),
                                                kind_of<DampingPlugin>("damping", ""),
                                                kind_of<IntegratorPlugin>("integrator", "backward_euler"),
                                                kind_of<SolverPlugin>("solver", "quasi_newton"),
                                                kind_of<ObstaclePlugin>("obstacle", "", "placement")};
  return *std::find_if(kinds.begin(), kinds.end(), [&](const PluginKind& k) { return k.kind == kind; });
}

std::vector<std::string> names_for(const std::string& kind) {
  std::vector<std::string> names;
  if (kind == "sheet preset") {
    for (const SheetPreset& p : sheet_presets()) names.push_back(p.name);
    return names;
  }
  if (kind != "preset") return plugin_kind(kind).names();
  for (const MaterialPreset& p : material_presets()) names.push_back(p.name);
  names.push_back("none");
  return names;
}

PluginChoice read_plugin(const std::string& kind, const Value& value) {
  const PluginKind& plugins = plugin_kind(kind);
  PluginChoice choice;
  const Value* type = value.is_object() ? value.find("type") : &value;
  if (value.is_null() || (type == nullptr && !plugins.fallback.empty())) choice.type = plugins.fallback;
  else if (type == nullptr)
    value.fail(fmt::format("\"type\" is missing; it is one of {}", join_or(plugins.names())));
  else choice.type = type->text();
  for (const auto& entry : plugins.entries) {
    if (entry.name != choice.type) continue;
    std::vector<std::string> besides;
    if (!plugins.besides.empty()) besides = object_type(plugins.besides).params.names();
    Value rest = value.is_object() ? value : Value(Value::Object{});
    std::erase_if(rest.object(), [&](const auto& member) {
      return std::find(besides.begin(), besides.end(), member.first) == besides.end();
    });
    if (!besides.empty()) check_object(plugins.besides, rest), choice.besides = read_object(plugins.besides, rest);
    besides.emplace_back("type");
    choice.settings = value.is_object() ? entry.params->read(value, besides) : entry.params->defaults();
    return choice;
  }
  check_form({Form::Kind::text, kind}, *type);
  return choice;
}

Settings read_object(const std::string& name, const Value& value) {
  const ObjectType& type = object_type(name);
  Settings settings = type.params.read(value);
  int given = 0;
  for (const std::string& key : type.exactly_one) given += settings.has(key);
  if (!type.exactly_one.empty() && given != 1)
    value.fail(fmt::format("{} of {} is given: exactly one of them is wanted",
                           given == 0 ? "none" : "more than one", join_or(type.exactly_one)));
  return settings;
}

void check_object(const std::string& name, const Value& value) {
  const ObjectType& type = object_type(name);
  const Settings settings = read_object(name, value);
  for (const Slot& slot : type.slots) {
    if (!settings.has(slot.key)) continue;
    const Value& v = settings.value(slot.key);
    const auto form = std::find_if(slot.forms.begin(), slot.forms.end(), [&](const Form& f) { return fits(f, v); });
    if (form != slot.forms.end()) {
      check_form(*form, v);
      continue;
    }
    std::vector<std::string> wanted;
    for (const Form& f : slot.forms) wanted.push_back(in_words(f));
    std::string shown = v.dump();
    if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
    v.fail(fmt::format("{} stands where {} is wanted", shown, join_or(wanted)));
  }
}

std::array<double, 3> read_direction(const Value& value) {
  std::array<double, 3> d = value.vector3();
  const double length = std::hypot(d[0], d[1], d[2]);
  if (!(length > 0) || !std::isfinite(length)) value.fail(value.dump() + " has no direction: it must not be zero");
  for (double& x : d) x /= length;
  return d;
}

std::array<double, 3> read_axis(const Value& value) {
  if (!value.is_text()) return read_direction(value);
  if (value.text() == "x") return {1, 0, 0};
  if (value.text() == "y") return {0, 1, 0};
  if (value.text() == "z") return {0, 0, 1};
  value.fail(
      fmt::format("\"{}\" is no axis: \"x\", \"y\", \"z\" or a direction [x, y, z] is wanted", value.text()));
}

std::vector<const Value*> items(const Value& value) {
  std::vector<const Value*> out;
  if (value.is_null()) return out;
  if (!value.is_list()) return {&value};
  for (const Value& item : value.list()) out.push_back(&item);
  return out;
}

}  // namespace resilin
