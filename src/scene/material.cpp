#include "scene/material.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/presets.h"

namespace resilin {
namespace {

// An object with "type" and fields, and the density of the preset it came from.
struct Expanded {
  Value fields;
  double density = 0;
};

Value empty_at(const std::string& where) {
  Value out{Value::Object{}};
  out.locate(where);
  return out;
}

const MaterialPreset& preset_of(const Value& name) {
  std::vector<std::string> names;
  for (const MaterialPreset& p : material_presets()) {
    if (p.name == name.text()) return p;
    names.push_back(p.name);
  }
  std::vector<std::string> types = plugin_kind("material").names();
  const bool is_type = std::find(types.begin(), types.end(), name.text()) != types.end();
  name.fail(is_type ? fmt::format("\"{0}\" is a type, not a preset: write {{\"type\": \"{0}\"}}", name.text())
                    : fmt::format("there is no preset \"{}\"; there are: {}", name.text(), join_or(names)));
}

// `over` on top of `base`. One pair of constants replaces the other: both together would contradict each other.
Value merged(const Value& base, const Value& over, const std::string& where) {
  Value out = empty_at(where);
  const auto drops = [&](const std::string& key) {
    if (key == "young" || key == "poisson") return over.find("mu") != nullptr || over.find("lambda") != nullptr;
    if (key == "mu" || key == "lambda") return over.find("young") != nullptr || over.find("poisson") != nullptr;
    return false;
  };
  for (const auto& [key, value] : base.object())
    if (!drops(key)) out.set(key, value);
  for (const auto& [key, value] : over.object())
    if (key != "like") out.set(key, value);
  return out;
}

Expanded expand_preset(const MaterialPreset& preset, const std::string& where) {
  Expanded out{empty_at(where), preset.density};
  out.fields.set("type", preset.material);
  out.fields.set("young", preset.young);
  out.fields.set("poisson", preset.poisson);
  return out;
}

Expanded expand(const Value& v) {
  if (v.is_text()) return expand_preset(preset_of(v), v.where());
  const Value* like = v.find("like");
  if (like == nullptr) return {v, 0};
  if (v.find("type") != nullptr) v.fail("give either \"type\" or \"like\", not both");
  Expanded out = expand_preset(preset_of(*like), v.where());
  out.fields = merged(out.fields, v, v.where());
  return out;
}

bool stands_alone(const Value& v) { return v.is_text() || v.find("type") != nullptr || v.find("like") != nullptr; }

}  // namespace

Choice choice_of(PluginChoice chosen) {
  Choice out(std::move(chosen.type));
  out.checked = std::make_shared<const Settings>(std::move(chosen.settings));
  return out;
}

MaterialChoice read_material(const Value& place, const Value* material, const Value* region) {
  Expanded chosen;
  if (material != nullptr) {
    chosen = expand(*material);
  } else {
    chosen.fields = empty_at(place.where() + ".material");
    chosen.fields.set("type", "neo_hookean");
  }
  if (region != nullptr) {
    const double inherited = chosen.density;
    if (stands_alone(*region)) chosen = expand(*region);
    else chosen = {merged(chosen.fields, *region, region->where()), inherited};
  }
  return {choice_of(read_plugin("material", chosen.fields)), chosen.density};
}

bool is_none(const Value& material) { return material.is_text() && material.text() == "none"; }

void check_materials(const Value& body) {
  const Value *material = body.find("material"), *regions = body.find("regions"), *skin = body.find("skin");
  if (material != nullptr && is_none(*material)) {
    if (body.find("shell") == nullptr) material->fail("only shells and skins can be without a material");
  } else if (material != nullptr) {
    read_material(body, material);
  }
  if (skin != nullptr)
    if (const Value* own = skin->find("material"); own != nullptr && !is_none(*own)) read_material(*skin, own);
  if (regions == nullptr) return;
  for (const Value& region : regions->list())
    if (const Value* part = region.find("material")) read_material(body, material, part);
}

}  // namespace resilin
