// resilin resume DIR: goes on with a run from the newest checkpoint of its folder that can be read. Its frames, log and bits are
// those of a run that was never interrupted.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "command.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/scene.h"
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

RunPlan plan_resume(const ResumeArguments& arguments, const Shared& shared) {
  RunPlan plan;
  plan.folder = without_slashes(arguments.folder);
  Checkpoint from = find_checkpoint(plan.folder, plan.warnings);
  std::vector<Override> overrides;
  if (shared.frames >= 0) overrides.emplace_back("frames", std::to_string(shared.frames));
  plan.scene = parse_scene(from.scene, from.scene_file, overrides);
  if (plan.scene.frames < from.frame)
    throw InputError("--frames",
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
