// A Scene to a Model with its first state, and to a Simulation.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "potentials/damping/damping.h"
#include "potentials/fibre.h"
#include "potentials/spring.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "scene/actors.h"
#include "scene/body.h"
#include "scene/format.h"
#include "scene/initial.h"

namespace resilin {
namespace {

using Plans = std::vector<BodyPlan>;

Plans plan_bodies(const Scene& scene, const Value& bodies, std::vector<std::string>& notes, const Plans* before) {
  const std::string folder = std::filesystem::path(scene.file).parent_path().string();
  Plans plans;
  std::set<std::string> taken;
  for (const Value& value : bodies.list()) {
    const Value* given = value.find("name");
    const std::string name = given != nullptr ? given->text() : fmt::format("body{}", plans.size() + 1);
    if (!taken.insert(name).second) value.fail(fmt::format("another body is called \"{}\" already", name));
    const std::size_t i = plans.size();
    plans.push_back(
        plan_body(value, name, folder, notes, before != nullptr && i < before->size() ? &(*before)[i] : nullptr));
  }
  return plans;
}

void add_springs(Model& model, BodyPlan& plan) {
  Body body;
  body.name = plan.name;
  body.first_vertex = plan.first_vertex = model.add_vertices(plan.springs.mesh.vertices);
  body.vertex_count = plan.springs.mesh.vertex_count();
  for (int i = 0; i < body.vertex_count; ++i) model.mass[body.first_vertex + i] = plan.springs.mass[i];
  body.edges = plan.springs.mesh.edges;
  body.triangles = plan.springs.triangles;
  for (int& v : body.edges) v += body.first_vertex;
  for (int& v : body.triangles) v += body.first_vertex;
  model.bodies.push_back(std::move(body));
}

void add_bodies(Model& model, std::vector<BodyPlan>& plans) {
  for (BodyPlan& plan : plans) {
    if (!plan.solid) {
      add_springs(model, plan);
      continue;
    }
    if (plan.own_triangles.empty()) plan.own_triangles = boundary_triangles(plan.mesh);
    const int index = add_tet_body(model, plan.name, plan.mesh, plan.density, plan.own_triangles);
    plan.first_vertex = model.bodies[index].first_vertex;
    if (plan.surface.triangles.empty()) continue;
    if (plan.embedding.empty()) plan.embedding = embed(plan.mesh, plan.surface);
    model.bodies[index].embedded = plan.embedding;
  }
}

// The tets of all bodies that one term can hold: those of the same material type, with or without fibres. A damped body has its own.
struct Solids {
  std::vector<int> tets;
  std::vector<ElementSettings> settings;
  std::vector<double> fibre_stiffness;
  std::vector<std::array<double, 3>> fibre_direction;
  const MaterialPlugin* plugin = nullptr;
  const BodyPlan* damped = nullptr;
};

// Models on elements; those on vertices are added once per body.
void damp_elements(Model& model, const BodyPlan& plan, std::span<const int> indices) {
  const int term = static_cast<int>(model.terms.size()) - 1;
  for (const PluginChoice& choice : plan.damping)
    if (find_plugin<DampingPlugin>(choice.type)->plugin.damps != Damps::vertices)
      damp_term(model, term, choice.type, choice.settings, indices);
}

void damp_bodies(Model& model, const std::vector<BodyPlan>& plans) {
  for (std::size_t b = 0; b < plans.size(); ++b) {
    std::vector<int> ids(static_cast<std::size_t>(model.bodies[b].vertex_count));
    std::iota(ids.begin(), ids.end(), model.bodies[b].first_vertex);
    for (const PluginChoice& choice : plans[b].damping)
      if (find_plugin<DampingPlugin>(choice.type)->plugin.damps == Damps::vertices)
        damp_vertices(model, ids, choice.type, choice.settings);
  }
}

void add_solid_terms(Model& model, const std::vector<BodyPlan>& plans) {
  std::map<std::string, Solids> terms;
  for (std::size_t b = 0; b < plans.size(); ++b) {
    const BodyPlan& plan = plans[b];
    if (!plan.solid) continue;
    const bool fibres = !plan.fibre_stiffness.empty();
    const std::vector<int>& tets = model.bodies[b].tets;
    for (int t = 0; t < plan.mesh.tet_count(); ++t) {
      const MaterialChoice& material = plan.materials[plan.material_of[t]];
      Solids& term =
          terms[material.type + (fibres ? " with fibres" : "") + (plan.damping.empty() ? "" : " of " + plan.name)];
      term.plugin = material.plugin;
      if (!plan.damping.empty()) term.damped = &plan;
      term.tets.insert(term.tets.end(), tets.begin() + 4 * t, tets.begin() + 4 * t + 4);
      term.settings.push_back({&material.settings, t});
      if (!fibres) continue;
      term.fibre_stiffness.push_back(plan.fibre_stiffness[t]);
      term.fibre_direction.push_back(plan.fibre_direction);
    }
  }
  for (auto& [name, solids] : terms) {
    Term term{name, Elements::tets(model.rest, solids.tets), {solids.plugin->make(solids.settings)}};
    if (!solids.fibre_stiffness.empty())
      term.elastic.push_back(make_fibre(solids.fibre_stiffness, solids.fibre_direction));
    model.terms.push_back(std::move(term));
    if (solids.damped == nullptr) continue;
    std::vector<int> indices;
    for (const ElementSettings& element : solids.settings) indices.push_back(element.index);
    damp_elements(model, *solids.damped, indices);
  }
}

// The springs of all bodies for which `belongs`, in one term.
bool add_spring_term(Model& model, const std::vector<BodyPlan>& plans,
                     const std::function<bool(const BodyPlan&)>& belongs) {
  std::vector<int> edges;
  std::vector<double> stiffness, length;
  for (std::size_t b = 0; b < plans.size(); ++b) {
    if (plans[b].solid || !belongs(plans[b])) continue;
    edges.insert(edges.end(), model.bodies[b].edges.begin(), model.bodies[b].edges.end());
    stiffness.insert(stiffness.end(), plans[b].springs.stiffness.begin(), plans[b].springs.stiffness.end());
  }
  if (edges.empty()) return false;
  for (std::size_t e = 0; e < edges.size(); e += 2) {
    const auto along = [&](int k) { return model.rest[3 * edges[e + 1] + k] - model.rest[3 * edges[e] + k]; };
    length.push_back(std::hypot(along(0), along(1), along(2)));
  }
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(stiffness, length)}});
  return true;
}

void add_spring_terms(Model& model, const std::vector<BodyPlan>& plans) {
  add_spring_term(model, plans, [](const BodyPlan& plan) { return plan.damping.empty(); });
  for (const BodyPlan& plan : plans)
    if (!plan.damping.empty() &&
        add_spring_term(model, plans, [&](const BodyPlan& other) { return &other == &plan; }))
      damp_elements(model, plan, {});
}

std::array<double, 3> gravity_of(const Settings& s) {
  const bool stated = s.has("gravity");
  if (stated && s.value("gravity").is_list()) return s.value("gravity").vector3();
  std::array<double, 3> g{0, 0, 0};
  g[s.text("up")[0] - 'x'] = -(stated ? s.value("gravity").number() : 9.81);
  return g;
}

State first_state(const Model& model, const std::vector<BodyPlan>& plans) {
  State state;
  state.q = model.rest;
  state.v.assign(model.rest.size(), 0.0);
  for (std::size_t b = 0; b < plans.size(); ++b) {
    const Value* initial = plans[b].source.find("initial");
    if (initial == nullptr) continue;
    const Body& body = model.bodies[b];
    const std::size_t first = static_cast<std::size_t>(body.first_vertex),
                      count = static_cast<std::size_t>(body.vertex_count);
    apply_initial(*initial, std::span(model.mass).subspan(first, count),
                  std::span(state.q).subspan(3 * first, 3 * count),
                  std::span(state.v).subspan(3 * first, 3 * count));
  }
  return state;
}

// Errors that were thrown without knowing the scene get its file in front.
template <class Make>
auto located(const Scene& scene, Make&& make) {
  try {
    return make();
  } catch (const InputError& e) {
    if (e.where().starts_with(scene.file)) throw;
    throw InputError(e.where().empty() ? scene.file : scene.file + ": " + e.where(), e.problem());
  }
}

Model build(const Scene& scene, State& initial, std::vector<std::string>& notes, const Plans* before,
            Plans& plans) {
  const Settings s = read_object("scene", scene.source);
  plans = plan_bodies(scene, s.value("bodies"), notes, before);
  Model model;
  model.gravity = gravity_of(s);
  add_bodies(model, plans);
  add_solid_terms(model, plans);
  add_spring_terms(model, plans);
  damp_bodies(model, plans);
  initial = first_state(model, plans);
  add_pins(model, initial, plans, scene, s.value("pins"));
  add_forces(model, plans, s.value("forces"));
  add_obstacles(model, scene, s.value("obstacles"));
  model.validate();
  return model;
}

}  // namespace

Model build_model(const Scene& scene, State& initial, std::vector<std::string>* notes) {
  std::vector<std::string> ignored;
  Plans plans;
  return located(scene, [&] { return build(scene, initial, notes != nullptr ? *notes : ignored, nullptr, plans); });
}

namespace {

// What a solver is made of: all of it but when it stops, which is an option of the simulation.
std::string solver_text(const Value& chosen) {
  const PluginChoice choice = read_plugin("solver", chosen);
  Value::Object out{{"type", choice.type}};
  if (chosen.is_object())
    for (const auto& [key, value] : chosen.object())
      if (stop_params(1).find(key) == nullptr) out.emplace_back(key, value);
  return Value(out).dump();
}

Blueprint blueprint(const Scene& scene, std::vector<std::string>& notes, const Plans* before, Plans& plans) {
  const Settings s = read_object("scene", scene.source);
  const PluginChoice integrator = read_plugin("integrator", s.value("integrator"));
  const PluginChoice solver = read_plugin("solver", s.value("solver"));
  Blueprint out;
  out.model = located(scene, [&] { return build(scene, out.initial, notes, before, plans); });
  out.options.step = scene.step / scene.substeps;
  out.options.stop = stop_rule(solver.settings);
  out.integrator = find_plugin<IntegratorPlugin>(integrator.type)->plugin.make(integrator.settings);
  out.solver = find_plugin<SolverPlugin>(solver.type)->plugin.make(solver.settings);
  return out;
}

class SceneSource final : public ModelSource {
 public:
  SceneSource(Scene scene, Plans plans) : scene_(std::move(scene)), plans_(std::move(plans)) {}

  std::shared_ptr<const ModelSource> with(const std::string& path, const Value& value,
                                          Blueprint& out) const override {
    Scene next = parse_scene(text(), scene_.file, {{path, value.dump()}});
    std::vector<std::string> notes;
    Plans plans;
    out = blueprint(next, notes, &plans_, plans);
    const Settings old = read_object("scene", scene_.source), now = read_object("scene", next.source);
    if (solver_text(old.value("solver")) == solver_text(now.value("solver"))) out.solver = nullptr;
    if (old.value("integrator").dump() == now.value("integrator").dump()) out.integrator = nullptr;
    return std::make_shared<SceneSource>(std::move(next), std::move(plans));
  }
  std::string text() const override { return scene_.source.dump(); }

 private:
  Scene scene_;
  Plans plans_;
};

}  // namespace

std::unique_ptr<Simulation> build_simulation(const Scene& scene, int threads, std::vector<std::string>* notes) {
  std::vector<std::string> ignored;
  Plans plans;
  Blueprint parts = blueprint(scene, notes != nullptr ? *notes : ignored, nullptr, plans);
  parts.options.threads = threads;
  return located(scene, [&] {
    auto simulation = std::make_unique<Simulation>(std::move(parts.model), std::move(parts.integrator),
                                                   std::move(parts.solver), parts.options);
    simulation->set_state(std::move(parts.initial));
    simulation->set_source(std::make_shared<SceneSource>(scene, std::move(plans)));
    return simulation;
  });
}

}  // namespace resilin
