// The folder of one run: frames/ in every format of the scene, their index, the run log, the scene as it was run
// and the summary. An existing folder is never overwritten; a resumed run goes on in its own.
//
//   out/NAME/ scene.json  run.jsonl  NAME.pvd  summary.json  report.html  checkpoint_00012.rck  preview.png
//   frames/NAME_00000.vtu ...
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/element_fields.h"
#include "io/run_log.h"
#include "output_folder.h"
#include "resilin/io.h"
#include "resilin/scene.h"
#include "run_sequence.h"

namespace resilin::cli {

class RunOutput {
 public:
  /// Throws InputError for what can be seen without creating anything: call it before the costly part.
  static void check(const Scene& scene, const OutputRequest& request);
  /// Creates the folder, with the scene and its meshes, and proves that it can be written.
  RunOutput(const Scene& scene, const OutputRequest& request, const Simulation& simulation);
  /// Goes on after `frame` in the folder of an earlier run: its log is cut there, and of its frames those up to
  /// there stay that a run without a break would have written. What a killed process left half written is deleted.
  RunOutput(const Scene& scene, const std::string& folder, int frame, const Simulation& simulation);

  const std::string& folder() const { return folder_; }
  /// What the user should know of a resumed folder, or "".
  const std::string& warning() const { return warning_; }
  /// Whether a file with the whole animation is written at the end.
  bool has_animation() const { return !animation_->empty(); }
  /// Writes the files of a frame when it is one of those that the scene wants, or when `always`.
  void write_frame(const Simulation& simulation, int number, bool always = false);
  /// The state between two frames at which a run had to stop; returns what it was called.
  std::string write_last_good(const Simulation& simulation, int number);
  /// The state at the end of a frame as a file to resume from; returns what it is called.
  std::string write_checkpoint(const Simulation& simulation, const std::string& planned_edits, int frame,
                               int every);
  /// About how many bytes the frames from now on will take, and the animation made of them.
  double expected_bytes(const Simulation& simulation, int frames_done);
  void log(const Value& line) { log_->append(line); }
  void finish(const std::string& summary);
  /// Deletes the positions of all frames if there is no checkpoint to go on from.
  void tidy();
  /// report.html, from the summary, the log and a picture (PNG) of the last frame; after finish().
  void write_report(const Scene& scene, const Value& summary, const std::string& picture) const;

 private:
  struct Sequence {
    FormatPlugin format;
    std::vector<std::pair<double, std::string>> files;  // (time, name relative to the folder)
  };
  void write_files(const Simulation& simulation, int number, const std::string& label);
  void write_indices();
  void go_on_with_log(int frame);
  void choose_formats(const Scene& scene, const Model& model);
  bool is_written(std::int64_t frame) const { return frame % every_ == 0 || frame == frames_; }
  void drop_frames(int after);

  std::string folder_, name_, warning_;
  Value scene_;  // as scene.json has it
  int every_, frames_;
  int last_written_ = -1;
  std::vector<Sequence> sequences_;
  std::unique_ptr<RunSequence> animation_;  // formats of one file for all frames
  std::unique_ptr<ElementFields> element_fields_;
  std::unique_ptr<RunLog> log_;
  std::chrono::steady_clock::time_point index_time_;
};

}  // namespace resilin::cli
