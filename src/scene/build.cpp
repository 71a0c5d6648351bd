// A Scene, told to a Builder: a Model with its first state, and a Simulation.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "resilin/watch.h"
#include "scene/actors.h"
#include "scene/body.h"
#include "scene/format.h"
#include "scene/initial.h"
#include "scene/obstacles.h"
#include "simulation/checks.h"

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

std::array<double, 3> gravity_of(const Settings& s) {
  const bool stated = s.has("gravity");
  if (stated && s.value("gravity").is_list()) return s.value("gravity").vector3();
  std::array<double, 3> g{0, 0, 0};
  g[s.text("up")[0] - 'x'] = -(stated ? s.value("gravity").number() : 9.81);
  return g;
}

void add_body(Builder& builder, const BodyPlan& plan) {
  const int body = std::visit([&](const auto& made) { return builder.add(made); }, plan.body);
  for (const Choice& damping : plan.damping) builder.damp(body, damping);
  const Value* initial = plan.source.find("initial");
  if (initial == nullptr) return;
  const auto copy = [](std::span<const double> from) { return std::vector<double>(from.begin(), from.end()); };
  std::vector<double> q = copy(builder.positions(body)), v = copy(builder.velocities(body));
  apply_initial(*initial, builder.masses(body), q, v);
  builder.place(body, q);
  builder.launch(body, v);
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

// Why the scene's solver or integrator cannot take contact between bodies; empty: they can. Asked with a spring for
// a model.
std::string contact_refusal(const Settings& s) {
  const PluginChoice integrator = read_plugin("integrator", s.value("integrator"));
  const PluginChoice solver = read_plugin("solver", s.value("solver"));
  Springs spring;
  spring.mesh.vertices = {0, 0, 0, 1, 0, 0}, spring.mesh.edges = {0, 1};
  Builder probe;
  probe.add(spring);
  probe.contact({});
  const Model model = std::move(probe).model();
  ThreadPool pool(1);
  try {
    if (s.has("reduction")) check_reducible(model);
    find_plugin<SolverPlugin>(solver.type)
        ->plugin.make(solver.settings)
        ->check(DynamicSystem(model, pool).problem());
    check_integrator(model, *find_plugin<IntegratorPlugin>(integrator.type)->plugin.make(integrator.settings));
  } catch (const InputError& refused) {
    return refused.problem();
  }
  return "";
}

// On unless the scene says otherwise, or what it is simulated with cannot take it: that is noted.
void add_default_contact(Builder& builder, const Plans& plans, const Settings& s, std::vector<std::string>& notes) {
  const auto has_surface = [](const BodyPlan& plan) {
    const auto* springs = std::get_if<Springs>(&plan.body);
    return springs == nullptr || !springs->triangles.empty();
  };
  if (plans.size() == 1 && !has_surface(plans[0])) return;
  const std::string refusal = contact_refusal(s);
  if (refusal.empty()) builder.contact({});
  else notes.push_back("bodies pass through each other and through themselves, contact is off: " + refusal);
}

Model build(const Scene& scene, State& initial, std::vector<std::string>& notes, const Plans* before,
            Plans& plans) {
  const Settings s = read_object("scene", scene.source);
  plans = plan_bodies(scene, s.value("bodies"), notes, before);
  Builder builder;
  builder.gravity(gravity_of(s));
  for (const BodyPlan& plan : plans) add_body(builder, plan);
  add_pins(builder, plans, scene, s.value("pins"));
  add_forces(builder, plans, s.value("forces"));
  add_obstacles(builder, scene, s.value("obstacles"));
  if (s.has("contact")) add_contact(builder, plans, s.value("contact"));
  else add_default_contact(builder, plans, s, notes);
  initial = builder.state();
  return std::move(builder).model();
}

// The file of a precomputed reduction, beside the scene.
std::optional<std::string> reduction_path(const Scene& scene) {
  const Value* reduction = scene.source.find("reduction");
  const Value* file = reduction != nullptr && reduction->is_object() ? reduction->find("file") : nullptr;
  if (file == nullptr) return std::nullopt;
  if (file->text().empty()) file->fail("wanted is the name of a file");
  return (std::filesystem::path(scene.file).parent_path() / file->text()).string();
}

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
  if (s.has("reduction")) {
    const Settings reduction = read_object("reduction", s.value("reduction"));
    out.options.reduction = reduction_settings(reduction);
    if (const auto file = reduction_path(scene)) out.options.reduction_store = reduction_file(*file);
  }
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
  std::vector<std::string> files() const override {
    std::vector<std::string> out;
    for (const BodyPlan& plan : plans_) out.insert(out.end(), plan.files.begin(), plan.files.end());
    for (std::string& file : obstacle_files(scene_)) out.push_back(std::move(file));
    if (auto file = reduction_path(scene_)) out.push_back(std::move(*file));
    return out;
  }

 private:
  Scene scene_;
  Plans plans_;
};

}  // namespace

Model build_model(const Scene& scene, State& initial, std::vector<std::string>* notes) {
  std::vector<std::string> ignored;
  Plans plans;
  return located(scene, [&] { return build(scene, initial, notes != nullptr ? *notes : ignored, nullptr, plans); });
}

std::unique_ptr<Simulation> build_simulation(const Scene& scene, int threads, std::vector<std::string>* notes) {
  std::vector<std::string> ignored;
  Plans plans;
  Blueprint parts = blueprint(scene, notes != nullptr ? *notes : ignored, nullptr, plans);
  parts.options.threads = threads;
  watch_begin("preparing the simulation");
  return located(scene, [&] {
    auto simulation = std::make_unique<Simulation>(std::move(parts.model), std::move(parts.integrator),
                                                   std::move(parts.solver), parts.options);
    simulation->set_state(std::move(parts.initial));
    simulation->set_source(std::make_shared<SceneSource>(scene, std::move(plans)));
    return simulation;
  });
}

}  // namespace resilin
