// A run in progress: the loop over frames that `run` and `resume` share, with what it shows, logs and writes.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "progress.h"
#include "resilin/checkpoint.h"
#include "resilin/scene.h"
#include "resilin/watch.h"
#include "run_output.h"
#include "run_summary.h"
#include "terminal.h"

namespace resilin::cli {

/// What to run and what to leave behind.
struct RunPlan {
  Scene scene;
  int threads = 0;
  bool json = false;
  bool no_output = false, preview = false;
  int checkpoint_every = 0;           // frames; 0: only when interrupted
  OutputRequest output;               // of a new run
  std::string folder;                 // of a resumed run
  std::optional<Checkpoint> from;     // what a resumed run starts from
  std::vector<EditRecord> edits;      // to be posted at their steps
  std::vector<std::string> warnings;  // about that
};

class Run {
 public:
  explicit Run(RunPlan plan);
  /// Exit status of the command.
  int execute();
  /// Of the state at the end.
  std::uint64_t state_hash() const { return hash(simulation_->state()); }

 private:
  void print_header() const;
  bool post_edits();
  void build();
  Watch watch();
  bool simulate_frame(int number, FrameRecord& record);
  void note_interruption(int number);
  void note_rejected_step(int number, bool between_frames);
  bool exploded() const;
  void check_explosion(int number);
  void loop(Progress& progress);
  void note_energy(int steps);
  void note_contact(int number);
  void checkpoint(int number);
  void write_preview();
  void write_report(const Value& summary);
  Value write_results();
  std::string how_to_go_on() const;
  void warn(const std::string& warning);
  void warn_of_size();
  Value document();
  void print_end() const;
  int frames_done() const { return first_ + summary_.frames(); }

  RunPlan plan_;
  Terminal terminal_;
  Activity activity_;
  std::atomic<bool> may_stop_ = true;  // now: nothing would be lost but the frame that was begun
  const Scene& scene_;
  std::string solver_, integrator_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<RunOutput> output_;
  std::unique_ptr<Ledger> ledger_;  // where something is written
  RunSummary summary_;
  std::vector<std::array<int, 2>> overlapping_;  // bodies whose overlap was told
  State frame_start_;                            // of a frame of several steps
  std::size_t next_edit_ = 0;
  int first_ = 0;  // frames that were done before
  double first_time_ = 0;
  std::string status_ = "done", failure_, checkpoint_, preview_, picture_;
  double setup_seconds_ = 0, loop_seconds_ = 0;
};

}  // namespace resilin::cli
