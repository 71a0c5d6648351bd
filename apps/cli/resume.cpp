// resilin resume DIR: goes on with a run from the newest checkpoint of its folder that can be read. Its frames, log
// and bits are those of a run that was never interrupted.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "command.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/scene.h"
#include "scene_copy.h"
#include "simulate.h"

namespace resilin::cli {
namespace {

struct ResumeArguments {
  std::string folder;
  int checkpoint_every = -1;  // as before
  bool preview = false;
};

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

Checkpoint find_checkpoint(const std::string& folder, std::vector<std::string>& warnings) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) throw InputError(folder, "is not the folder of a run");
  FoundCheckpoint found = newest_checkpoint(folder);
  for (const std::string& damage : found.damage)
    warnings.push_back(fmt::format("{}; going on from {}", damage, found.file));
  if (found.checkpoint.made_by != checkpoint_maker())
    warnings.push_back(fmt::format("{} was made by resilin {}, this is {}: the rest may differ in its last bits",
                                   found.file, found.checkpoint.made_by, checkpoint_maker()));
  for (const std::string& warning : warnings) fmt::print(stderr, "resilin: warning: {}\n", warning);
  return std::move(found.checkpoint);
}

// The scene that was run. More frames may be asked for by --frames or in scene.json; whoever changed anything else
// there wants another run.
Scene read_scene(const Checkpoint& from, const std::string& folder, int frames) {
  const Scene as_run = parse_scene(from.scene, from.scene_file);
  const std::string file = folder + "/scene.json";
  Value now = as_run.source;
  if (std::filesystem::exists(file)) now = parse_json(read_file(file), file);
  const Value* wanted = now.is_object() ? now.find("frames") : nullptr;
  Value compared = as_run.source;
  if (wanted != nullptr) compared.set("frames", *wanted);
  if (const auto changed = first_difference(compared, now))
    throw InputError(
        file, fmt::format("{} was changed since the run began; run the changed scene anew with: resilin run {}; "
                          "or delete the file to go on with the scene as it was, which the checkpoint holds",
                          changed->empty() ? "it" : *changed, shell_word(file)));
  if (frames >= 0) compared.set("frames", frames);
  return parse_scene(compared.dump(), from.scene_file);
}

RunPlan plan_resume(const ResumeArguments& arguments, const Shared& shared) {
  RunPlan plan;
  plan.folder = without_slashes(arguments.folder);
  Checkpoint from = find_checkpoint(plan.folder, plan.warnings);
  plan.scene = read_scene(from, plan.folder, shared.frames);
  if (plan.scene.frames < from.frame)
    throw InputError(shared.frames >= 0 ? "--frames" : plan.folder + "/scene.json: frames",
                     fmt::format("{} is less than the {} frames that are done", plan.scene.frames, from.frame));
  plan.threads = std::max(0, shared.threads);
  plan.json = shared.json;
  plan.preview = arguments.preview;
  plan.checkpoint_every = arguments.checkpoint_every >= 0 ? arguments.checkpoint_every : from.every;
  plan.edits = read_edits(from.planned, plan.folder);
  plan.from = std::move(from);
  return plan;
}

}  // namespace

Command resume_command() {
  const auto arguments = std::make_shared<ResumeArguments>();
  Command command{"resume", "Go on with a run from its newest checkpoint", {"threads", "frames"}, {}, nullptr};
  command.arguments = {
      {"folder", "the folder of the run", &arguments->folder, true},
      {"--checkpoint-every", "frames between checkpoints; not given: as before", &arguments->checkpoint_every},
      {"--preview", "draw the last frame to preview.png", &arguments->preview}};
  command.run = [arguments](const Shared& shared) { return Run(plan_resume(*arguments, shared)).execute(); };
  return command;
}

}  // namespace resilin::cli
