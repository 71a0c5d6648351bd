#include "run_output.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <random>

#include "document.h"
#include "report/run_report.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "scene_copy.h"

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

RunOutput::RunOutput(const Scene& scene, const OutputRequest& request, const Simulation& simulation)
    : name_(file_name(scene.name)),
      every_(scene.output_every),
      frames_(scene.frames),
      index_time_(std::chrono::steady_clock::now()) {
  check(scene, request);
  std::string moved;
  folder_ = output_folder(scene, request).create(&moved);
  create_folder(folder_ + "/frames");
  choose_formats(scene, simulation.model());
  log_ = std::make_unique<RunLog>(folder_ + "/run.jsonl");
  scene_ = copy_scene(scene, simulation.source()->files(), folder_, moved);
  write_file(folder_ + "/scene.json", pretty(scene_));
}

RunOutput::RunOutput(const Scene& scene, const std::string& folder, int frame, const Simulation& simulation)
    : folder_(folder),
      name_(file_name(scene.name)),
      scene_(scene.source),
      every_(scene.output_every),
      frames_(scene.frames),
      index_time_(std::chrono::steady_clock::now()) {
  choose_formats(scene, simulation.model());
  log_ = std::make_unique<RunLog>(folder_ + "/run.jsonl", RunLog::Open::go_on);  // from here on nobody else writes
  create_folder(folder_ + "/frames");
  for (const char* part : {"", "/frames"}) remove_temporary_files(folder_ + part);
  drop_frames(frame);
  go_on_with_log(frame);
  if (!animation_->go_on([&](std::int64_t f) { return f <= frame && is_written(f); }, frame))
    warning_ = fmt::format("{}/{}.positions, the frames so far, is lost: the animation begins after frame {}",
                           folder_, name_, frame);
  write_file(folder_ + "/scene.json", pretty(scene_));
}

void RunOutput::choose_formats(const Scene& scene, const Model& model) {
  std::vector<FormatPlugin> whole;
  for (const std::string& name : scene.formats) {
    const FormatPlugin& format = plugin<FormatPlugin>("format", name, scene.file);
    if (can_write_frames(format)) sequences_.push_back({format, {}});
    else whole.push_back(format);
  }
  animation_ = std::make_unique<RunSequence>(folder_ + "/" + name_, std::move(whole), scene.up == "z", model);
}

// Frames that are simulated again, and the one at which the run was interrupted if it would not have been written
// otherwise.
void RunOutput::drop_frames(int after) {
  std::error_code error;
  std::vector<fs::path> dropped;
  for (fs::directory_iterator i(folder_ + "/frames", error), end; !error && i != end; i.increment(error)) {
    const std::string stem = i->path().stem().string();
    if (!stem.starts_with(name_ + "_")) continue;
    const char *first = stem.data() + name_.size() + 1, *last = stem.data() + stem.size();
    long frame = 0;
    if (const auto [rest, bad] = std::from_chars(first, last, frame); bad != std::errc() || rest != last) continue;
    if (frame > after || !is_written(frame)) dropped.push_back(i->path());
  }
  for (const fs::path& file : dropped) fs::remove(file, error);
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

std::string RunOutput::write_checkpoint(const Simulation& simulation, const std::string& planned_edits, int frame,
                                        int every) {
  log_->sync();  // what the checkpoint relies on is on the disk before it
  animation_->sync();
  Checkpoint checkpoint;
  checkpoint.scene = scene_.dump();
  checkpoint.scene_file = "scene.json";
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
  if (!element_fields_) element_fields_ = std::make_unique<ElementFields>(simulation.model());
  const Frame frame{
      &simulation.model(),
      &simulation.positions(),
      &simulation.velocities(),
      number,
      state.time,
      sequences_.empty() ? nullptr : &element_fields_->evaluate(simulation.whole_system(), simulation.positions())};
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

double RunOutput::expected_bytes(const Simulation& simulation, int frames_done) {
  const double frames = (frames_ - frames_done + every_ - 1) / every_, vertices = simulation.model().vertex_count();
  double bytes = frames * 24 * vertices * (has_animation() ? 2 : 0);
  if (frames * (vertices + simulation.model().element_count()) < 1e6)
    return bytes;  // a few hundred megabytes at most
  // What stands still packs better than what moves: the frame that is measured is a shaken one.
  std::vector<double> positions = simulation.positions(), velocities(positions.size());
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> shake(-1e-6, 1e-6);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += velocities[i] = shake(random);
  if (!element_fields_) element_fields_ = std::make_unique<ElementFields>(simulation.model());
  const Frame frame{&simulation.model(),
                    &positions,
                    &velocities,
                    0,
                    0.1,
                    &element_fields_->evaluate(simulation.whole_system(), positions)};
  for (const Sequence& sequence : sequences_)
    bytes += frames * static_cast<double>(frame_contents(sequence.format, frame).size());
  return bytes;
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
  animation_->write();
  write_file(folder_ + "/summary.json", summary);
}

void RunOutput::tidy() {
  if (checkpoint_files(folder_).empty()) animation_->forget();
}

void RunOutput::write_report(const Scene& scene, const Value& summary, const std::string& picture) const {
  const std::vector<Value> log = read_log(read_file(folder_ + "/run.jsonl"));
  write_file(folder_ + "/report.html", run_report_html(scene, summary, log, picture));
}

}  // namespace resilin::cli
