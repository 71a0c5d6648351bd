// Sheets: the triangles of all bodies with the same material in one term, and the bending of each body. Potentials
// besides the material, of solids too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "potentials/enclosed_volume.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "simulation/builder_parts.h"

namespace resilin {
namespace {

constexpr double flat_enough = 0.1;  // degrees between triangles of a rest shape that counts as flat

bool is_flat(const TriangleMesh& mesh) {
  const auto all = hinges(mesh.triangles);
  return std::all_of(all.begin(), all.end(), [&](const Hinge& hinge) {
    return std::abs(hinge_angle(mesh.vertices, hinge)) * 180 / std::numbers::pi <= flat_enough;
  });
}

Chosen<BendingPlugin> chosen_bending(const Choice& choice, const TriangleMesh& mesh, const std::string& where) {
  Chosen<BendingPlugin> out{choice.type, nullptr, {}};
  if (choice.type == "none") return out;
  if (choice.type == "automatic") out.type = is_flat(mesh) ? "quadratic" : "dihedral";
  out.plugin = &plugin<BendingPlugin>("bending", out.type, where + ": bending");
  out.settings = settings_of(choice, out.plugin->params, where, "bending");
  check_lengths(out.plugin->params, *out.settings, mesh.triangle_count(), "triangles");
  return out;
}

// D of each triangle.
std::vector<double> bending_stiffness(const SkinPart& skin, const std::string& where) {
  const std::size_t count = skin.thickness.size();
  std::vector<double> out(count);
  const Settings& s = *skin.bending.settings;
  if (!s.has("stiffness") && skin.material.plugin == nullptr)
    throw InputError(where + ": bending",
                     "a sheet without a material needs a bending stiffness: state it, or \"none\"");
  if (!s.has("stiffness") && skin.material.plugin->energy == nullptr)
    throw InputError(where + ": bending",
                     fmt::format("{} has no Young's modulus that bending could be made of: state its stiffness",
                                 skin.material.type));
  Lame rest{};
  if (!s.has("stiffness")) rest = lame_at_rest(*skin.material.plugin, *skin.material.settings);
  const double young = rest.mu * (3 * rest.lambda + 2 * rest.mu) / (rest.lambda + rest.mu),
               poisson = rest.lambda / (2 * (rest.lambda + rest.mu));
  for (std::size_t i = 0; i < count; ++i)
    out[i] = s.has("stiffness") ? s.number("stiffness", static_cast<int>(i))
                                : plate_stiffness(young, poisson, skin.thickness[i]);
  return out;
}

}  // namespace

SkinPart read_skin(const Skin& skin, const TriangleMesh& mesh, const std::string& where) {
  const int triangles = mesh.triangle_count();
  SkinPart out;
  check_positive(skin.thickness, triangles, where, "thickness", "triangle");
  check_positive(skin.density, triangles, where, "density", "triangle");
  out.thickness = each(skin.thickness, triangles);
  if (skin.material.type != "none")
    out.material = chosen_material(skin.material, where, "material", triangles, "triangles", skin.own.get());
  out.own_material = skin.own;
  if (out.material.plugin != nullptr && out.material.plugin->make_membrane == nullptr)
    throw InputError(where + ": material", fmt::format("{} is a material of solids only", skin.material.type));
  out.bending = chosen_bending(skin.bending, mesh, where);
  out.potentials = chosen_potentials(skin.potentials, ElementKind::triangle, triangles, where);
  const double length = std::hypot(skin.warp[0], skin.warp[1], skin.warp[2]);
  if (!(length > 0) || !std::isfinite(length)) throw InputError(where + ": warp", "is zero or not finite");
  out.warp = skin.warp;
  return out;
}

std::vector<Chosen<PotentialPlugin>> chosen_potentials(const std::vector<Choice>& choices, ElementKind kind,
                                                       int elements, const std::string& where) {
  std::vector<Chosen<PotentialPlugin>> out;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string key = fmt::format("potentials[{}]", i);
    Chosen<PotentialPlugin> one{
        choices[i].type, &plugin<PotentialPlugin>("potential", choices[i].type, where + ": " + key), {}};
    if (std::find(one.plugin->on.begin(), one.plugin->on.end(), kind) == one.plugin->on.end())
      throw InputError(where + ": " + key, fmt::format("{} does not stand on {}s", one.type, name(kind)));
    one.settings = settings_of(choices[i], one.plugin->params, where, key);
    check_lengths(one.plugin->params, *one.settings, elements, name(kind) + "s");
    out.push_back(std::move(one));
  }
  return out;
}

void add_potentials(Term& term, const std::vector<Chosen<PotentialPlugin>>& potentials, const Model& model,
                    std::size_t body, std::span<const int> indices) {
  const std::shared_ptr<const Potential> material = term.elastic.empty() ? nullptr : term.elastic[0];
  const Body& of = model.bodies[body];
  for (const auto& chosen : potentials)
    term.elastic.push_back(chosen.plugin->make(
        {*chosen.settings, term.elements, model.rest, material.get(), of.first_vertex, of.vertex_count, indices}));
}

void Builder::Parts::add_shell_terms(Model& out) const {
  struct Sheets {
    Elements elements{ElementKind::triangle};
    std::vector<ElementSettings> settings;
    std::vector<Share> shares;
    const MaterialPlugin* plugin = nullptr;
    const BodyPart* alone = nullptr;
  };
  std::map<std::string, Sheets> terms;  // by name, which is also the order of the terms
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].skin) continue;
    const SkinPart& skin = *bodies[b].skin;
    const Body& body = out.bodies[b];
    if (skin.material.plugin == nullptr && skin.potentials.empty()) continue;
    const bool alone = !bodies[b].damping.empty() || !skin.potentials.empty() || skin.material.plugin == nullptr ||
                       skin.own_material != nullptr;
    Sheets& sheets = terms[(skin.material.plugin == nullptr ? "" : skin.material.type + " ") + "membrane" +
                           (alone ? " of " + body.name : "")];
    sheets.plugin = skin.material.plugin;
    if (alone) sheets.alone = &bodies[b];
    std::vector<int> ids(skin.thickness.size());
    std::iota(ids.begin(), ids.end(), 0);
    sheets.shares.push_back({b, sheets.elements.size(), ids});
    sheets.elements.append(Elements::triangles(out.rest, body.triangles, skin.thickness, std::span(&skin.warp, 1)));
    for (const int i : ids) sheets.settings.push_back({skin.material.settings.get(), i});
  }
  for (auto& [name, sheets] : terms) {
    Term term{name, std::move(sheets.elements), {}};
    if (sheets.plugin != nullptr) term.elastic.push_back(sheets.plugin->make_membrane(sheets.settings));
    if (sheets.alone != nullptr)
      add_potentials(term, sheets.alone->skin->potentials, out, sheets.shares[0].body, {});
    note(out, static_cast<int>(out.terms.size()), sheets.shares);
    out.terms.push_back(std::move(term));
    if (sheets.alone != nullptr) damp_elements(out, *sheets.alone, {}, sheets.shares);
  }
}

void Builder::Parts::add_bending_terms(Model& out) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].skin || bodies[b].skin->bending.plugin == nullptr) continue;
    const SkinPart& skin = *bodies[b].skin;
    const std::string where = place_of(out.bodies[b].name);
    const std::vector<double> stiffness = bending_stiffness(skin, where);
    if (std::all_of(stiffness.begin(), stiffness.end(), [](double d) { return d == 0; })) continue;
    Term term = skin.bending.plugin->make(
        {*skin.bending.settings, out.rest, out.bodies[b].triangles, stiffness, where + ": bending"});
    if (term.elements.size() == 0) continue;
    term.name += " of " + out.bodies[b].name;
    std::vector<int> ids(term.elements.size());
    std::iota(ids.begin(), ids.end(), 0);
    const std::vector<Share> shares = {{b, 0, ids}};
    note(out, static_cast<int>(out.terms.size()), shares);
    out.terms.push_back(std::move(term));
    damp_elements(out, bodies[b], {}, shares);
  }
}

void check_inflation(const Inflation& inflation, std::span<const double> vertices, std::span<const int> triangles,
                     const std::string& where) {
  check_positive(inflation.target, 1, where, "inflation.target", "body");
  check_positive(inflation.stiffness, 1, where, "inflation.stiffness", "body");
  require_enclosed_volume(vertices, triangles, where + ": inflation");
}

void Builder::Parts::add_inflations(Model& out) const {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (const auto& inflation = bodies[b].inflation)
      out.global_energies.push_back(
          make_enclosed_volume(out.rest, out.bodies[b].triangles, inflation->stiffness, inflation->target));
}

}  // namespace resilin
