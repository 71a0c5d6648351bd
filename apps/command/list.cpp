#include "list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "contact/obstacles/obstacle.h"
#include "document.h"
#include "io/run_log.h"
#include "linear/linear_solver.h"
#include "potentials/added/added.h"
#include "potentials/bending/bending.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "resilin/integrator.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"
#include "scene/presets.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

std::vector<Entry> scene_entries() {
  std::vector<Entry> out;
  for (const auto& [name, doc] : gallery()) out.push_back({name, doc, {}});
  return out;
}

std::vector<Entry> preset_entries() {
  std::vector<Entry> out;
  for (const MaterialPreset& p : material_presets())
    out.push_back({p.name,
                   fmt::format("{}: young {:.3g} Pa, poisson {:.3g}, density {:.4g} kg/m^3. Source: {}", p.material,
                               p.young, p.poisson, p.density, p.source),
                   {}});
  for (const SheetPreset& p : sheet_presets())
    out.push_back(
        {p.name,
         fmt::format("shells, \"preset\": \"{}\": {:.3g} kg/m^2, thickness {:.3g} m, stretch {:.3g} N/m, "
                     "bending {:.2g} N m, poisson {:.2g}, {}. Source: {}",
                     p.name, p.surface_density, p.thickness, p.stretch, p.bending, p.poisson, p.material, p.source),
         {}});
  return out;
}

const char* type_name(const Param& p) {
  switch (p.type) {
    case Param::Type::number: return p.per_element ? "number or list, one per element" : "number";
    case Param::Type::integer: return "whole number";
    case Param::Type::boolean: return "true or false";
    case Param::Type::text: return "text";
    case Param::Type::choice: return "choice";
    case Param::Type::vector3: return "[x, y, z]";
    case Param::Type::numbers: return "list of numbers";
    case Param::Type::points: return "list of [x, y]";
    case Param::Type::any: return "any";
  }
  return "any";
}

bool has_range(const Param& p) { return std::isfinite(p.range.low) || std::isfinite(p.range.high); }

Value param_value(const Param& p) {
  Value::Object out{{"name", p.name}, {"type", type_name(p)}, {"unit", p.unit}, {"default", p.fallback}};
  out.emplace_back("range", has_range(p) ? Value(p.range.text()) : Value());
  out.emplace_back("low", finite_or_null(p.range.low));
  out.emplace_back("high", finite_or_null(p.range.high));
  if (!p.choices.empty()) out.emplace_back("choices", list_of(p.choices));
  out.emplace_back("required", p.required);
  out.emplace_back("per_element", p.per_element);
  out.emplace_back("doc", p.doc);
  return out;
}

Value kind_value(const Kind& kind) {
  Value::List list;
  for (const Entry& entry : kind.entries()) {
    Value::List params;
    for (const Param& p : entry.params.list()) params.push_back(param_value(p));
    list.push_back(Value::Object{{"name", entry.name}, {"doc", entry.doc}, {"parameters", std::move(params)}});
  }
  return list;
}

// "1e6 Pa, > 0", "quartic (quartic, cubic)"
std::string allowed_text(const Param& p) {
  std::string out = p.required ? "required" : p.fallback.is_null() ? "optional" : p.fallback.dump();
  if (!p.unit.empty()) out += " " + p.unit;
  if (has_range(p)) out += ", " + p.range.text();
  if (!p.choices.empty()) out += ", one of " + join_or(p.choices);
  return out;
}

void print_kind(const Kind& kind, const Terminal& terminal) {
  fmt::print("{} - {}\n", terminal.paint(Style::bold, kind.name), kind.doc);
  const std::vector<Entry> entries = kind.entries ? kind.entries() : std::vector<Entry>{};
  std::size_t column = 12;
  for (const Entry& entry : entries) column = std::max(column, entry.name.size() + 2);
  const int indent = static_cast<int>(column) + 2;
  for (const Entry& entry : entries) {
    fmt::print("  {}{}\n", terminal.paint(Style::green, fmt::format("{:<{}}", entry.name, column)),
               wrapped(entry.doc, terminal.width(), indent));
    for (const Param& p : entry.params.list()) {
      fmt::print("  {:{}}{:<14} {}  {}\n", "", column, p.name, allowed_text(p), terminal.paint(Style::dim, p.doc));
    }
  }
  fmt::print("\n");
}

int list(const std::vector<Kind>& all, const std::string& wanted, bool json) {
  std::vector<std::string> names;
  for (const Kind& kind : all) names.push_back(kind.name);
  const auto chosen = [&](const Kind& kind) {
    return wanted.empty() || wanted == kind.name || wanted == kind.name + "s";
  };
  if (std::none_of(all.begin(), all.end(), chosen)) {
    const std::string near = nearest_name(wanted, names);
    throw InputError("list",
                     fmt::format("there is no kind \"{}\"{}; kinds: {}", wanted,
                                 near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near), join_or(names)));
  }
  const Terminal terminal(stdout);
  Value::Object document;
  for (const Kind& kind : all) {
    if (!chosen(kind)) continue;
    if (json && !kind.entries) continue;
    if (json) document.emplace_back(kind.name, kind_value(kind));
    else print_kind(kind, terminal);
  }
  if (json) print_document(document);
  return done;
}

}  // namespace

std::vector<Kind> simulation_kinds() {
  return {{"scene", "scenes that come with Resilin: resilin run NAME", scene_entries},
          {"shape", "solids that Resilin makes and meshes itself", entries_of<ShapePlugin>},
          {"sheet", "sheets of triangles that Resilin makes itself", entries_of<SheetPlugin>},
          {"material", "elastic materials of solids and shells", entries_of<MaterialPlugin>},
          {"bending", "bending models of shells", entries_of<BendingPlugin>},
          {"potential", "energies of bodies besides their material", entries_of<PotentialPlugin>},
          {"damping", "damping models of bodies", entries_of<DampingPlugin>},
          {"preset", "materials by everyday names, \"material\": \"rubber\"; sheets, \"preset\": \"denim\"",
           preset_entries},
          {"obstacle", "obstacles that bodies cannot enter", entries_of<ObstaclePlugin>},
          {"integrator", "time integrators", entries_of<IntegratorPlugin>},
          {"solver", "solvers of a time step", entries_of<SolverPlugin>},
          {"linear", "linear solvers that other solvers use", entries_of<LinearSolverPlugin>},
          {"format", "file formats of meshes, frames and animations", entries_of<FormatPlugin>}};
}

Command list_command(std::vector<Kind> kinds) {
  const auto wanted = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  Command command{"list", "Show what is registered, with parameters, units and ranges", {}, {}, nullptr};
  command.arguments = {{"kind", fmt::format("only this kind: {}", fmt::join(names, ", ")), wanted.get()}};
  command.run = [wanted, kinds = std::move(kinds)](const Shared& shared) {
    return list(kinds, *wanted, shared.json);
  };
  return command;
}

}  // namespace resilin::cli
