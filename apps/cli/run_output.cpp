#include "run_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "document.h"
#include "report/run_report.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

OutputFolder output_folder(const Scene& scene, const OutputRequest& request) {
  return {scene.name, "run.jsonl", request};
}

}  // namespace

void RunOutput::check(const Scene& scene, const OutputRequest& request) {
  for (const std::string& format : scene.formats) {
    const FormatPlugin& chosen = plugin<FormatPlugin>("format", format, scene.file + ": output.formats");
    if (!can_write_frames(chosen) && !chosen.write_sequence)
      throw InputError(scene.file + ": output.formats", fmt::format("\"{}\" cannot hold frames", format));
  }
  output_folder(scene, request).check();
}

RunOutput::RunOutput(const Scene& scene, const OutputRequest& request)
    : name_(file_name(scene.name)), every_(scene.output_every), index_time_(std::chrono::steady_clock::now()) {
  check(scene, request);
  folder_ = output_folder(scene, request).create();
  create_folder(folder_ + "/frames");
  choose_formats(scene, -1);
  log_ = std::make_unique<RunLog>(folder_ + "/run.jsonl");
  write_file(folder_ + "/scene.json", pretty(scene.source));
}

RunOutput::RunOutput(const Scene& scene, const std::string& folder, int frame)
    : folder_(folder),
      name_(file_name(scene.name)),
      every_(scene.output_every),
      index_time_(std::chrono::steady_clock::now()) {
  choose_formats(scene, frame);
  log_ = std::make_unique<RunLog>(folder_ + "/run.jsonl", RunLog::Open::go_on);
  create_folder(folder_ + "/frames");
  go_on_with_log(frame);
  write_file(folder_ + "/scene.json", pretty(scene.source));
}

void RunOutput::choose_formats(const Scene& scene, int keep_frame) {
  std::vector<FormatPlugin> whole;
  for (const std::string& name : scene.formats) {
    const FormatPlugin& format = plugin<FormatPlugin>("format", name, scene.file);
    if (can_write_frames(format)) sequences_.push_back({format, {}});
    else whole.push_back(format);
  }
  animation_ = std::make_unique<RunSequence>(folder_ + "/" + name_, std::move(whole), scene.up == "z", keep_frame);
}

// Keeps the whole lines up to `frame`, and takes the times of the frames from them for the index.
void RunOutput::go_on_with_log(int frame) {
  const std::string text = read_file(folder_ + "/run.jsonl");
  std::vector<std::pair<int, double>> frames = {{0, 0.0}};
  std::size_t keep = 0;
  for (std::size_t end; (end = text.find('\n', keep)) != std::string::npos; keep = end + 1) {
    try {
      const Value line = parse_json(text.substr(keep, end - keep), "run.jsonl");
      const Value *number = line.find("frame"), *time = line.find("time");
      if (number == nullptr || time == nullptr || number->integer() > frame) break;
      frames.emplace_back(number->integer(), time->number());
    } catch (const InputError&) {
      break;  // a line that is damaged, and all after it
    }
  }
  log_->cut(keep);
  for (Sequence& sequence : sequences_)
    for (const auto& [number, time] : frames) {
      const std::string file = fmt::format("frames/{}_{:05}{}", name_, number, sequence.format.extension);
      if (!is_there(folder_ + "/" + file)) continue;
      sequence.files.emplace_back(time, file);
      if (number == frame) last_written_ = frame;
    }
}

std::string RunOutput::write_checkpoint(const Scene& scene, const Simulation& simulation,
                                        const std::string& planned_edits, int frame, int every) {
  log_->sync();  // what the checkpoint relies on is on the disk before it
  std::error_code error;
  const fs::path absolute = fs::absolute(scene.file, error);
  Checkpoint checkpoint;
  checkpoint.scene = scene.source.dump();
  checkpoint.scene_file = error ? scene.file : absolute.lexically_normal().string();
  checkpoint.made_by = checkpoint_maker();
  checkpoint.model = fingerprint(simulation.model());
  checkpoint.frame = frame;
  checkpoint.every = every;
  checkpoint.state = simulation.state();
  checkpoint.edits = write_edits(simulation.edits());
  checkpoint.planned = planned_edits;
  return add_checkpoint(folder_, checkpoint);
}

void RunOutput::write_files(const Simulation& simulation, int number, const std::string& label) {
  const State& state = simulation.state();
  if (!is_finite(state)) return;  // never a NaN on disk
  if (!tet_fields_) tet_fields_ = std::make_unique<TetFields>(simulation.model());
  const Frame frame{
      &simulation.model(),
      &simulation.positions(),
      &simulation.velocities(),
      number,
      state.time,
      sequences_.empty() ? nullptr : &tet_fields_->evaluate(simulation.objective(), simulation.positions())};
  animation_->add(simulation, number);
  for (Sequence& sequence : sequences_) {
    const std::string file = fmt::format("frames/{}_{}{}", name_, label, sequence.format.extension);
    write_file(folder_ + "/" + file, frame_contents(sequence.format, frame));
    sequence.files.emplace_back(state.time, file);
  }
  // Now and then, so that a long run can be looked at while it goes on.
  const auto now = std::chrono::steady_clock::now();
  if (now - index_time_ < std::chrono::seconds(2)) return;
  write_indices();
  index_time_ = now;
}

void RunOutput::write_frame(const Simulation& simulation, int number, bool always) {
  if (number == last_written_ || (number % every_ != 0 && !always)) return;
  write_files(simulation, number, fmt::format("{:05}", number));
  last_written_ = number;
}

std::string RunOutput::write_last_good(const Simulation& simulation, int number) {
  write_files(simulation, number, "last_good");
  return sequences_.empty() ? folder_ : folder_ + "/" + sequences_.front().files.back().second;
}

void RunOutput::write_indices() {
  for (const Sequence& sequence : sequences_) {
    if (!sequence.format.write_index) continue;
    write_file(folder_ + "/" + name_ + sequence.format.index_extension,
               sequence.format.write_index(sequence.files));
  }
}

void RunOutput::finish(const std::string& summary) {
  log_->close();
  write_indices();
  animation_->finish();
  write_file(folder_ + "/summary.json", summary);
}

void RunOutput::write_report(const Scene& scene, const Value& summary, const std::string& picture) const {
  const std::vector<Value> log = lab::read_log(read_file(folder_ + "/run.jsonl"));
  write_file(folder_ + "/report.html", lab::run_report_html(scene, summary, log, picture));
}

}  // namespace resilin::cli
