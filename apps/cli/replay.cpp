// resilin replay DIR: runs the scene of a run again with the edits of its log, writes nothing and compares the last
// state.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "command.h"
#include "report/run_report.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/scene.h"
#include "simulate.h"

namespace resilin::cli {
namespace {

const Value& member(const Value& object, const std::string& name) {
  const Value* found = object.find(name);
  if (found == nullptr) object.fail(fmt::format("\"{}\" is missing: this is not the summary of a run", name));
  return *found;
}

// Those that were refused changed nothing.
std::vector<EditRecord> logged_edits(const std::string& log) {
  std::vector<EditRecord> out;
  for (const Value& line : read_log(read_file(log)))
    if (const Value* edits = line.find("edits"))
      for (const Value& edit : edits->list())
        if (edit.find("refused") == nullptr) out.push_back(read_record(edit));
  return out;
}

int replay(const std::string& folder, const Shared& shared) {
  if (!std::filesystem::is_directory(folder)) throw InputError(folder, "is not the folder of a run");
  Value summary = parse_json(read_file(folder + "/summary.json"), folder + "/summary.json");
  summary.locate(folder + "/summary.json");
  const int frames = member(summary, "frames").integer();
  RunPlan plan;
  plan.scene = load_scene(folder + "/scene.json", {{"frames", std::to_string(frames)}});
  plan.threads = std::max(0, shared.threads);
  plan.json = shared.json;
  plan.no_output = true;
  plan.edits = logged_edits(folder + "/run.jsonl");
  const std::size_t edits = plan.edits.size();
  Run run(std::move(plan));
  if (const int status = run.execute(); status != done) return status;
  const std::string wanted = member(summary, "state_hash").text(), found = fmt::format("{:016x}", run.state_hash());
  if (found == wanted) {
    fmt::print(stderr, "the same: {} frames and {} edits give state {} again\n", frames, edits, found);
    return done;
  }
  fmt::print(stderr, "resilin: another state: {} in place of {}{}\n", found, wanted,
             frames == 0 ? "" : "; another version, build or machine may give other bits");
  return failed;
}

}  // namespace

Command replay_command() {
  const auto folder = std::make_shared<std::string>();
  Command command{
      "replay", "Repeat a run with the edits of its log and compare the last state", {"threads"}, {}, nullptr};
  command.arguments = {{"folder", "the folder of the run", folder.get(), true}};
  command.run = [folder](const Shared& shared) { return replay(*folder, shared); };
  return command;
}

}  // namespace resilin::cli
