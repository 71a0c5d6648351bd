// Every scene of the gallery as it stands against its converged run.
#include "lab/toolkit.h"
#include "lab/trust_scenes.h"
#include "lab/trust_study.h"
#include "resilin/integrator.h"

namespace resilin {
namespace {

bool is_explicit(const Scene& scene) { return make_integrator(lab::type_of(scene, "integrator"))->stages() == 0; }

// PBD and XPBD do not end at the minimum, however long they run.
bool minimises(const Scene& scene) {
  return plugin<SolverPlugin>("solver", lab::type_of(scene, "solver"), scene.name).minimises;
}

std::string own_solver(const Scene& scene) {
  const Value* given = scene.source.find("solver");
  if (given == nullptr) return lab::default_solver();
  return given->is_object() ? given->dump() : Value(Value::Object{{"type", *given}}).dump();
}

struct Bound {
  double error = 0.02, cpu = 0;  // cpu 0: nothing is asked
};
Bound bound_of(const std::string& name) {
  if (name == "twisting_bar") return {2e-4, 1.3};
  if (name == "cantilever") return {2e-3, 1.2};
  return {};
}

void judge(const Settings& s, const Scene& scene, Findings& findings) {
  State ignored;
  const bool large = build_model(scene, ignored).vertex_count() > lab::newton_limit;
  const int frames = std::min(s.integer(large ? "large_frames" : "frames"), scene.frames);
  const Bound bound = bound_of(scene.name);
  const auto c = lab::compare_to_converged(scene, own_solver(scene), frames, bound.error);
  const std::string name = scene.name + ": ";
  if (large) findings.differs_because(name + lab::large_reference_text());
  if (minimises(scene)) c.judge(name, bound.error, findings);
  else findings.report(name + "error / size", c.error, "its solver does not end at the minimum; " + c.note());
  findings.report(name + "CPU over the paper's", c.cpu_ratio(),
                  bound.cpu > 0 ? fmt::format("asked: at most {}", bound.cpu) : "");
  findings.table_row(lab::cells("{} | {} | {} | {:.2g} -> {:.2g} | {} -> {} | {} of {} | {} | {:.2f}", scene.name,
                                c.ours.vertices(), frames, 100 * c.paper_error, 100 * c.error, c.paper.evaluations,
                                c.ours.evaluations, c.ours.unconverged(), c.ours.statuses.size(),
                                c.reference.unconverged(), c.cpu_ratio()));
}

void run(const Settings& s, Findings& findings) {
  std::vector<Scene> scenes;
  for (const auto& [name, description] : gallery())
    if (name.find(s.text("scenes")) != std::string::npos) scenes.push_back(load_scene(name));
  lab::begin_table(findings, "Gallery: the paper's -> as it stands",
                   "scene | vertices | frames | error [%] | evaluations | not converged | the reference's | CPU x");
  const auto name = [](const Scene& scene) { return scene.name; };
  lab::for_each_setting(findings, scenes, name, [&](const Scene& scene) {
    if (is_explicit(scene)) findings.report(scene.name + ": left out", 0, "explicit: nothing is solved");
    else judge(s, scene, findings);
  });
}

}  // namespace

ExperimentPlugin experiment_trust_gallery() {
  return {.title = "Default solver: errors on the gallery",
          .source = "trust",
          .doc =
              "Every scene of the gallery with its own settings against the converged run: error, and time over "
              "ten iterations of the paper's method.",
          .params = {text("scenes", "", "only those with this in their names"),
                     integer("frames", 30, between(1, 10000), "per run"),
                     integer("large_frames", 10, between(1, 10000),
                             "per run of scenes with more vertices than Newton is taken for")},
          .quick = Quick{.set = {{"scenes", "shaken_bar"}}, .slow = true},
          .run = run};
}

}  // namespace resilin
