#include "scene/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <set>

#include "geometry/vec3.h"
#include "potentials/added/added.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "scene/format.h"
#include "scene/presets.h"

namespace resilin {
namespace {

constexpr double default_density = 1000;  // [kg/m^3]

Vec3 scale_of(const Settings& s) {
  if (!s.has("scale")) return {1, 1, 1};
  const Value& v = s.value("scale");
  const Vec3 factors = v.is_number() ? Vec3{v.number(), v.number(), v.number()} : v.vector3();
  for (const double f : factors)
    if (f == 0 || !std::isfinite(f))
      v.fail(fmt::format("{} would flatten the body: factors must not be zero", v.dump()));
  return factors;
}

template <class Rotate>
void each_rotation(const Value& value, Rotate&& rotate_by) {
  for (const Value* item : items(value)) {
    const Settings s = read_object("rotation", *item);
    rotate_by(read_axis(s.value("axis")), s.number("degrees"));
  }
}

double area(const Springs& net) {
  double sum = 0;
  for (std::size_t t = 0; t < net.triangles.size(); t += 3) {
    const auto corner = [&](std::size_t i) { return vertex_at(net.mesh.vertices, net.triangles[t + i]); };
    sum += norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
  }
  return sum / 2;
}

void refuse(const Settings& s, std::initializer_list<const char*> keys, const char* why) {
  for (const char* key : keys)
    if (s.has(key)) s.value(key).fail(std::string("has no effect: ") + why);
}

// `shape`: vertices, or a mesh of tets.
template <class Shape>
void place(Shape& shape, const Settings& s) {
  scale(shape, scale_of(s));
  each_rotation(s.value("rotate"), [&](const Vec3& axis, double degrees) { rotate(shape, axis, degrees); });
  translate(shape, s.vector3("translate"));
}

Springs plan_springs(BodyPlan& plan, const Settings& s, const std::string& folder,
                     std::vector<std::string>& notes) {
  refuse(s, {"density", "material", "regions", "fibre", "repair", "potentials"},
         "only solids and shells have it; cloth and springs state stiffness and mass themselves");
  refuse(s, {"thickness", "surface_density", "bending", "warp", "preset"}, "only shells have it");
  refuse(s, {"skin"}, "only solids have it");
  refuse(s, {"inflation"}, "only solids and closed shells have it");
  if (!s.has("springs") || !s.value("springs").is_object() || s.value("springs").find("mesh") == nullptr)
    refuse(s, {"linearise"}, "only bodies from files have it");
  NetSource source = read_springs(s, folder);
  plan.files = std::move(source.files);
  notes.insert(notes.end(), source.notes.begin(), source.notes.end());
  Springs springs = std::move(source.springs);
  springs.name = plan.name;
  const double before = area(springs);
  place(springs.mesh.vertices, s);
  if (before > 0)  // a cloth has mass per area, whatever its size
    for (double& m : springs.mass.values) m *= area(springs) / before;
  return springs;
}

// As the tets are placed; the triangles of a mirror image are turned around, like its tets.
void place_surface(TriangleMesh& surface, const Settings& s) {
  const Vec3 factors = scale_of(s);
  place(surface.vertices, s);
  if (factors[0] * factors[1] * factors[2] < 0)
    for (std::size_t t = 0; t < surface.triangles.size(); t += 3)
      std::swap(surface.triangles[t + 1], surface.triangles[t + 2]);
}

// Ids must be in range before windings can be looked at; everything that remains wrong is named by validate().
void check_mesh(TetMesh& mesh, const std::string& where, bool repair, std::vector<std::string>& notes) {
  const auto broken = [](const Defect& d) {
    return d.kind == DefectKind::incomplete_array || d.kind == DefectKind::index_out_of_range ||
           d.kind == DefectKind::non_finite_vertex;
  };
  if (repair) {
    const std::vector<Defect> defects = check(mesh);
    if (std::none_of(defects.begin(), defects.end(), broken)) {
      const std::vector<int> flipped = repair_winding(mesh);
      if (!flipped.empty())
        notes.push_back(fmt::format("{}: {} inverted tets were turned around, the first is tet {}", where,
                                    flipped.size(), flipped[0]));
    }
  }
  try {
    validate(mesh, where);
  } catch (const InputError& error) {
    const bool inverted = std::string(error.problem()).find("must be positive") != std::string::npos;
    throw InputError(where, error.problem() + (inverted ? "; \"repair\": true in the body does that" : ""));
  }
}

std::vector<double> centroids(const TetMesh& mesh) {
  std::vector<double> out;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    const auto c = corners(mesh, t);
    for (int k = 0; k < 3; ++k) out.push_back((c[0][k] + c[1][k] + c[2][k] + c[3][k]) / 4);
  }
  return out;
}

// A file's own materials hold where the scene says nothing; then they must cover the body.
void plan_file_materials(const BodyPlan& plan, Solid& solid, const Settings& s) {
  const TetMesh& mesh = solid.shape->mesh;
  std::vector<char> covered(static_cast<std::size_t>(mesh.tet_count()), 0);
  for (const FileMaterial& from : plan.file_materials) {
    Value fields{Value::Object{{"type", "neo_hookean"}, {"young", from.young}, {"poisson", from.poisson}}};
    fields.locate(s.value("mesh").where() + " (material \"" + from.name + "\" of the file)");
    const auto group = mesh.element_groups.find(from.group);
    Region region{group == mesh.element_groups.end() ? std::vector<int>() : group->second,
                  read_material(plan.source, &fields).material,
                  {}};
    for (const int t : region.tets) covered[t] = 1;
    if (!s.has("density")) region.density = from.density;
    solid.regions.push_back(std::move(region));
  }
  const auto missing = std::find(covered.begin(), covered.end(), char{0});
  if (missing != covered.end())
    s.value("mesh").fail(fmt::format(
        "the file's materials leave out {} of {} tets, the first is tet {}; give the body a \"material\"",
        std::count(covered.begin(), covered.end(), char{0}), covered.size(), missing - covered.begin()));
}

void plan_materials(const BodyPlan& plan, Solid& solid, const Settings& s) {
  const Value* material = s.has("material") ? &s.value("material") : nullptr;
  const MaterialChoice own = read_material(plan.source, material);
  solid.material = own.material;
  solid.density = s.has("density") ? s.number("density") : own.density > 0 ? own.density : default_density;
  if (material == nullptr && !plan.file_materials.empty()) plan_file_materials(plan, solid, s);
  if (!s.has("regions")) return;
  const TetMesh& mesh = solid.shape->mesh;
  const std::vector<double> centres = centroids(mesh);
  const SelectionSpace space{centres, &mesh.element_groups, "tets", fmt::format("body \"{}\"", plan.name)};
  for (const Value& item : s.value("regions").list()) {
    const Settings part = read_object("region", item);
    if (!part.has("material") && !part.has("density"))
      item.fail("the region changes nothing: give it a material or a density");
    Region region{select_some(part.value("select"), space), {}, {}};
    if (part.has("material"))
      region.material = read_material(plan.source, material, &part.value("material")).material;
    if (part.has("density")) region.density = part.number("density");
    solid.regions.push_back(std::move(region));
  }
}

void plan_fibre(Solid& solid, const Settings& s) {
  if (!s.has("fibre")) return;
  const Settings fibre = read_object("fibre", s.value("fibre"));
  const Vec3 direction = read_direction(fibre.value("direction"));
  const Value& stiffness = fibre.value("stiffness");
  const int tets = solid.shape->mesh.tet_count();
  if (stiffness.is_list() && static_cast<int>(stiffness.list().size()) != tets)
    stiffness.fail(fmt::format("a list of {} values, but the body has {} tets", stiffness.list().size(), tets));
  solid.fibre = Fibre{stiffness.is_list() ? PerElement(stiffness.numbers()) : stiffness.number(), {direction}};
}

// What files with other shapes of a body are read with.
struct ShapeFiles {
  const Settings& body;
  const std::string& folder;
  std::span<const int> elements;
  int corners;
  std::vector<std::string>& read;  // names
};

// `potential` with positions in place of the mesh files among its shapes, which are placed as the body is.
Value with_positions(const Value& potential, const ShapeFiles& files) {
  const Value* type = potential.is_object() ? potential.find("type") : nullptr;
  const auto* entry = type != nullptr && type->is_text() ? find_plugin<PotentialPlugin>(type->text()) : nullptr;
  const Value* shapes = entry != nullptr ? potential.find(entry->plugin.shapes) : nullptr;
  if (shapes == nullptr || !shapes->is_list()) return potential;
  Value list = *shapes;
  for (Value& shape : list.list()) {
    if (!shape.is_text()) continue;
    std::vector<double> x = read_positions(shape, files.folder, files.elements, files.corners);
    place(x, files.body);
    const std::string path = (std::filesystem::path(files.folder) / shape.text()).string();
    if (std::find(files.read.begin(), files.read.end(), path) == files.read.end()) files.read.push_back(path);
    Value::List rows;
    for (std::size_t i = 0; i < x.size(); i += 3) rows.push_back(Value::List{x[i], x[i + 1], x[i + 2]});
    Value positions(std::move(rows));
    positions.locate(shape.where());
    shape = std::move(positions);
  }
  Value out = potential;
  out.set(entry->plugin.shapes, std::move(list));
  return out;
}

std::vector<Choice> read_potentials(const Settings& s, const ShapeFiles& files) {
  std::vector<Choice> out;
  if (!s.has("potentials")) return out;
  for (const Value& item : s.value("potentials").list())
    out.push_back(choice_of(read_plugin("potential", with_positions(item, files))));
  return out;
}

std::optional<Inflation> read_inflation(const Settings& s) {
  if (!s.has("inflation")) return {};
  const Settings inflation = read_object("inflation", s.value("inflation"));
  return Inflation{inflation.number("target"), inflation.number("stiffness")};
}

PerElement per_element(const Value& v) { return v.is_list() ? PerElement(v.numbers()) : PerElement(v.number()); }

Choice read_bending(const Settings& s, const Choice& unless) {
  if (!s.has("bending")) return unless;
  const Value& v = s.value("bending");
  if (v.is_text() && (v.text() == "none" || v.text() == "automatic")) return v.text();
  return choice_of(read_plugin("bending", v));
}

// `s`: of a shell or a skin. `place`: for messages.
Skin read_skin(const Settings& s, const Value& place, const Choice& bending, const ShapeFiles& files) {
  Skin skin;
  double density = default_density;
  if (s.has("material") && is_none(s.value("material"))) {
    skin.material = "none";
  } else {
    const MaterialChoice own = read_material(place, s.has("material") ? &s.value("material") : nullptr);
    skin.material = own.material;
    if (own.density > 0) density = own.density;
  }
  if (s.has("thickness")) skin.thickness = per_element(s.value("thickness"));
  skin.density = s.has("density") ? s.number("density") : density;
  skin.bending = read_bending(s, bending);
  skin.potentials = read_potentials(s, files);
  if (s.has("warp")) skin.warp = read_direction(s.value("warp"));
  return skin;
}

// Everything but what a mesh does not depend on.
bool same_mesh(const Value& a, const Value& b) {
  static const std::set<std::string> others = {"name",    "material",   "regions", "fibre",           "density",
                                               "damping", "initial",    "bending", "surface_density", "thickness",
                                               "warp",    "potentials", "skin",    "preset",          "inflation"};
  const auto shape = [](const Value& body) {
    Value::Object out;
    for (const auto& [key, value] : body.object())
      if (!others.contains(key)) out.emplace_back(key, value);
    return Value(out).dump();
  };
  return shape(a) == shape(b);
}

void plan_mesh(BodyPlan& plan, Solid& solid, const Settings& s, const std::string& folder,
               std::vector<std::string>& notes) {
  SolidSource source = read_solid(s, folder);
  TetMesh& mesh = source.mesh;
  plan.file_materials = std::move(source.materials);
  plan.files = std::move(source.files);
  notes.insert(notes.end(), source.notes.begin(), source.notes.end());
  check_mesh(mesh, s.value(s.has("shape") ? "shape" : "mesh").where(), s.boolean("repair"), notes);
  place(mesh, s);
  place_surface(source.surface, s);
  solid.shape = solid_shape(std::move(mesh), std::move(source.surface));
}

// `before`: with the same mesh, or null.
Solid plan_solid(BodyPlan& plan, const Settings& s, const std::string& folder, std::vector<std::string>& notes,
                 const BodyPlan* before) {
  refuse(s, {"thickness", "surface_density", "bending", "warp"},
         "only shells have it; a solid may have a \"skin\"");
  refuse(s, {"preset"}, "only shells have it; a solid names a preset as its \"material\"");
  Solid solid;
  solid.name = plan.name;
  if (before != nullptr) {
    solid.shape = std::get<Solid>(before->body).shape;
    plan.file_materials = before->file_materials;
    plan.files = before->files;
  } else {
    plan_mesh(plan, solid, s, folder, notes);
  }
  plan_materials(plan, solid, s);
  plan_fibre(solid, s);
  const ShapeFiles files{s, folder, solid.shape->mesh.tets, 4, plan.files};
  solid.potentials = read_potentials(s, files);
  solid.inflation = read_inflation(s);
  if (s.has("skin")) solid.skin = read_skin(read_object("skin", s.value("skin")), s.value("skin"), "none", files);
  return solid;
}

const SheetPreset* sheet_preset(const Settings& s) {
  if (!s.has("preset")) return nullptr;
  for (const SheetPreset& preset : sheet_presets())
    if (preset.name == s.value("preset").text()) return &preset;
  return nullptr;  // the format has refused it
}

// The body with what it leaves to its preset.
Value with_preset(const Value& body) {
  const Settings s = read_object("body", body);
  const SheetPreset* preset = sheet_preset(s);
  if (preset == nullptr) return body;
  Value out = body;
  const auto add = [&](const char* key, Value value) {
    value.locate(body.where() + ".preset");
    if (!s.has(key)) out.set(key, std::move(value));
  };
  add("thickness", preset->thickness);
  if (!s.has("density")) add("surface_density", preset->surface_density);
  add("material",
      Value::Object{{"type", preset->material}, {"young", preset->young()}, {"poisson", preset->poisson}});
  return out;
}

// A mirrored sheet is turned around: it faces the same way.
Shell plan_shell(BodyPlan& plan, const Settings& s, const std::string& folder, std::vector<std::string>& notes,
                 const BodyPlan* before) {
  refuse(s, {"regions", "fibre", "skin"}, "only solids have it");
  if (s.has("density") && s.has("surface_density"))
    s.value("surface_density").fail("density is given too: one of them is wanted");
  Shell shell;
  shell.name = plan.name;
  if (before != nullptr) {
    shell.mesh = std::get<Shell>(before->body).mesh;
    plan.files = before->files;
  } else {
    SheetSource source = read_sheet(s, folder);
    plan.files = std::move(source.files);
    notes.insert(notes.end(), source.notes.begin(), source.notes.end());
    shell.mesh = std::move(source.mesh);
    try {
      validate(shell.mesh, s.value("shell").where());
    } catch (const InputError& error) {
      throw InputError(error.where(), error.problem() +
                                          "; \"resilin check\" lists all defects, and \"repair\": true in the body "
                                          "mends what needs no judgement");
    }
    place_surface(shell.mesh, s);
  }
  const SheetPreset* preset = sheet_preset(s);
  shell.skin =
      read_skin(s, plan.source,
                preset == nullptr ? Choice("automatic") : Choice("automatic", {{"stiffness", preset->bending}}),
                {s, folder, shell.mesh.triangles, 3, plan.files});
  shell.inflation = read_inflation(s);
  if (s.has("surface_density")) {
    std::vector<double> density = shell.skin.thickness.values;
    for (double& d : density) d = s.number("surface_density") / d;
    shell.skin.density = density.size() == 1 ? PerElement(density[0]) : PerElement(density);
  }
  return shell;
}

}  // namespace

SelectionSpace BodyPlan::vertices() const {
  const std::string owner = fmt::format("body \"{}\"", name);
  const auto of = [&](const auto& mesh) {
    return SelectionSpace{mesh.vertices, &mesh.vertex_groups, "vertices", owner};
  };
  if (const auto* solid = std::get_if<Solid>(&body)) return of(solid->shape->mesh);
  if (const auto* shell = std::get_if<Shell>(&body)) return of(shell->mesh);
  return of(std::get<Springs>(body).mesh);
}

BodyPlan plan_body(const Value& value, const std::string& name, const std::string& folder,
                   std::vector<std::string>& notes, const BodyPlan* before) {
  const Settings s = read_object("body", with_preset(value));
  BodyPlan plan;
  plan.name = name;
  plan.source = value;
  for (const Value* item : items(s.value("damping")))
    plan.damping.push_back(choice_of(read_plugin("damping", *item)));
  const BodyPlan* same = before != nullptr && same_mesh(value, before->source) ? before : nullptr;
  if (s.has("shell")) plan.body = plan_shell(plan, s, folder, notes, same);
  else if (s.has("shape") || s.has("mesh")) plan.body = plan_solid(plan, s, folder, notes, same);
  else plan.body = plan_springs(plan, s, folder, notes);
  return plan;
}

}  // namespace resilin
