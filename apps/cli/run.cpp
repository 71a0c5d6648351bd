// resilin run [SCENE]: simulates a scene, shows progress, leaves a folder with frames, log and summary.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "resilin/errors.h"
#include "resilin/integrator.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "scene/format.h"
#include "scene_copy.h"
#include "simulate.h"

namespace resilin::cli {
namespace {

struct RunArguments {
  std::string scene = "default";
  std::string method, edits;
  bool overwrite = false, no_output = false, preview = false, realtime = false, linearise = false;
  int checkpoint_every = -1;  // not given
};

// Another solver keeps those settings of the scene's solver that it has itself (iterations, tolerance, ...).
Override switch_solver(const Scene& scene, const std::string& solver) {
  const SolverPlugin& wanted = plugin<SolverPlugin>("solver", solver, "--solver");
  Value::Object settings{{"type", solver}};
  const Value* old = scene.source.find("solver");
  if (old != nullptr && old->is_object())
    for (const auto& [key, value] : old->object())
      if (wanted.params.find(key) != nullptr) settings.emplace_back(key, value);
  return {"solver", Value(std::move(settings)).dump()};
}

// Wall-clock time of a stage, if frames are to take no longer than what they show.
double stage_budget(const Scene& scene) {
  const Value* chosen = scene.source.find("integrator");
  const PluginChoice integrator = read_plugin("integrator", chosen == nullptr ? Value() : *chosen);
  const int stages = find_plugin<IntegratorPlugin>(integrator.type)->plugin.make(integrator.settings)->stages();
  return scene.step / scene.substeps / std::max(1, stages);
}

// Every body whose mesh is a file may have elements of higher order.
void linearise_bodies(const Scene& scene, std::vector<Override>& overrides) {
  const Value::List& bodies = scene.source.find("bodies")->list();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].find("mesh") != nullptr) overrides.emplace_back(fmt::format("bodies[{}].linearise", i), "true");
}

Scene read_scene(const std::string& file, const RunArguments& arguments, const Shared& shared) {
  std::vector<Override> overrides;
  if (!shared.solver.empty()) overrides.push_back(switch_solver(load_scene(file), shared.solver));
  if (!arguments.method.empty()) overrides.emplace_back("solver.method", Value(arguments.method).dump());
  if (arguments.linearise) linearise_bodies(load_scene(file), overrides);
  for (const Override& item : shared.overrides()) overrides.push_back(item);
  if (shared.iterations >= 0) overrides.emplace_back("solver.iterations", std::to_string(shared.iterations));
  if (shared.frames >= 0) overrides.emplace_back("frames", std::to_string(shared.frames));
  if (arguments.realtime)
    overrides.emplace_back("solver.budget", Value(stage_budget(load_scene(file, overrides))).dump());
  return load_scene(file, overrides);
}

RunPlan plan_run(const RunArguments& arguments, const Shared& shared) {
  RunPlan plan;
  plan.scene = read_scene(arguments.scene, arguments, shared);
  for (const std::string& sentence : plan.scene.assumed) fmt::print(stderr, "resilin: assumed: {}\n", sentence);
  if (!arguments.edits.empty()) plan.edits = read_edits(read_file(arguments.edits), arguments.edits);
  make_meshes_absolute(plan.edits, plan.scene);
  plan.threads = std::max(0, shared.threads);
  plan.json = shared.json;
  plan.no_output = arguments.no_output;
  plan.preview = arguments.preview;
  plan.checkpoint_every = std::max(0, arguments.checkpoint_every);
  plan.output = {shared.out, arguments.overwrite};
  return plan;
}

}  // namespace

Command run_command() {
  const auto arguments = std::make_shared<RunArguments>();
  Command command{"run",
                  "Simulate a scene: progress, run log, frames, checkpoints, preview, summary",
                  {"set", "threads", "solver", "iterations", "frames", "out"},
                  {},
                  nullptr};
  command.arguments = {
      {"scene",
       "a scene's file, or the name of one that comes with Resilin (resilin list scene); none: the default scene; "
       "a mesh "
       "file (.obj, .msh, ...) is dropped on the ground",
       &arguments->scene},
      {"--overwrite", "move an existing output folder aside to NAME.old-K instead of refusing it",
       &arguments->overwrite},
      {"--no-output", "write nothing", &arguments->no_output},
      {"--checkpoint-every",
       "frames between checkpoints, from which `resilin resume` goes on; Ctrl-C writes one anyway",
       &arguments->checkpoint_every},
      {"--preview", "draw the last frame to preview.png", &arguments->preview},
      {"--linearise", "keep the corners of higher-order elements of mesh files instead of refusing them",
       &arguments->linearise},
      {"--method", "robust (the default) or paper: quasi_newton as Liu et al. 2017 have it", &arguments->method},
      {"--edits",
       "a file of edits to apply at their steps: [{\"step\": 20, \"edit\": \"kick\", \"velocity\": [0, 3, 0]}, "
       "...]",
       &arguments->edits},
      {"--realtime", "take no longer for a frame than it shows, and say what that costs in accuracy",
       &arguments->realtime}};
  command.run = [arguments](const Shared& shared) { return Run(plan_run(*arguments, shared)).execute(); };
  return command;
}

}  // namespace resilin::cli
