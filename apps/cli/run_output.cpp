#include "run_output.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "document.h"
#include "resilin/checkpoint.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool is_empty_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_empty(path, error) && !error;
}

/// True when this call made it: two runs at once do not share a folder.
bool create(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (!error && fs::create_directory(path, error)) return true;
  if (error)
    throw InputError(path.string(), fmt::format("the output folder cannot be created: {}", error.message()));
  return false;
}

fs::path requested(const Scene& scene, const OutputRequest& request) {
  std::string folder = request.folder.empty() ? "out/" + file_name(scene.name) : request.folder;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

// Only what looks like an earlier run is ever moved: `--out ~ --overwrite` must not rename a home folder.
void move_aside(const fs::path& path) {
  if (!is_there(path / "run.jsonl"))
    throw InputError(path.string(),
                     "exists and is not the folder of an earlier run; --overwrite does not touch it");
  for (int k = 1;; ++k) {
    const fs::path aside = fmt::format("{}.old-{}", path.string(), k);
    if (is_there(aside)) continue;
    std::error_code error;
    fs::rename(path, aside, error);
    if (error)
      throw InputError(path.string(),
                       fmt::format("cannot be moved aside to {}: {}", aside.string(), error.message()));
    return;
  }
}

fs::path create_folder(const Scene& scene, const OutputRequest& request) {
  const fs::path base = requested(scene, request);
  if (request.overwrite && is_there(base) && !is_empty_folder(base)) move_aside(base);
  if (!request.folder.empty()) {
    if (!create(base) && !is_empty_folder(base))
      throw InputError(base.string(), "the output folder exists already");
    return base;
  }
  if (create(base)) return base;
  for (int k = 2;; ++k) {
    const fs::path next = fmt::format("{}-{}", base.string(), k);
    if (create(next)) return next;
  }
}

}  // namespace

std::string file_name(const std::string& scene_name) {
  std::string out = scene_name.empty() ? "scene" : scene_name;
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  if (out.front() == '.' || out.front() == '-') out.front() = '_';
  return out.substr(0, 120);
}

void RunOutput::check(const Scene& scene, const OutputRequest& request) {
  for (const std::string& format : scene.formats) {
    const FormatPlugin& chosen = plugin<FormatPlugin>("format", format, scene.file + ": output.formats");
    if (!can_write_frames(chosen) && !chosen.write_sequence)
      throw InputError(scene.file + ": output.formats", fmt::format("\"{}\" cannot hold frames", format));
  }
  const fs::path folder = requested(scene, request);
  if (request.folder.empty() || request.overwrite || !is_there(folder) || is_empty_folder(folder)) return;
  throw InputError(
      folder.string(),
      "the output folder exists already; choose another --out, or --overwrite to move the old one aside");
}

RunOutput::RunOutput(const Scene& scene, const OutputRequest& request)
    : name_(file_name(scene.name)), every_(scene.output_every), index_time_(std::chrono::steady_clock::now()) {
  check(scene, request);
  const fs::path folder = create_folder(scene, request);
  folder_ = folder.string();
  create(folder / "frames");
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
  create(fs::path(folder_) / "frames");
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
      if (!is_there(fs::path(folder_) / file)) continue;
      sequence.files.emplace_back(time, file);
      if (number == frame) last_written_ = frame;
    }
}

std::string RunOutput::write_checkpoint(const Scene& scene, const Simulation& simulation, int frame, int every) {
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
  return add_checkpoint(folder_, checkpoint);
}

void RunOutput::write_files(const Simulation& simulation, int number, const std::string& label) {
  const State& state = simulation.state();
  if (!is_finite(state)) return;  // never a NaN on disk
  if (!tet_fields_) tet_fields_ = std::make_unique<TetFields>(simulation.model());
  const Frame frame{&simulation.model(), &state, number, state.time,
                    sequences_.empty() ? nullptr : &tet_fields_->evaluate(simulation.objective(), state)};
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

}  // namespace resilin::cli
