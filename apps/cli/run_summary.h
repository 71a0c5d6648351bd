// What a run amounts to: timings, iterations, convergence. Fed frame by frame, shown at the end, written as JSON.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "resilin/ledger.h"
#include "resilin/params.h"
#include "resilin/simulation.h"

namespace resilin::cli {

/// One frame: the sum of its steps, with the status of the worst.
struct FrameRecord {
  int frame = 0;
  Status status = Status::converged;
  int steps = 0;  // that were committed
  int iterations = 0, line_searches = 0, factorisations = 0;
  double residual = 0, first_residual = 0;  // [N], of the last stage
  double infeasibility = 0;                 // how deep a vertex was inside of a hard obstacle [m]
  double error = -1;                        // of the worst component [1/s^2]; negative: not measured
  int worst = -1;                           // that component
  double step = 0;                          // [s] of the frame
  Phases phases;
  double seconds = 0;
  std::vector<EditRecord> edits;
  void add(const StepReport& step);
};

/// A line of the run log.
Value log_line(const FrameRecord& frame, Simulation& simulation, const Ledger& ledger);
Value energy_value(const Energy& energy);

/// A connected component as a person knows it.
struct ComponentName {
  std::string body;
  double size = 1;  // [m]
};

class RunSummary {
 public:
  explicit RunSummary(std::vector<ComponentName> names = {}) : names_(std::move(names)) {}
  void add(const FrameRecord& frame);
  /// Energy that the frames have made or lost, and the largest that was there [J].
  void add_energy(double made, double lost, double stored);
  /// After a frame: the gap between bodies, infinite when none are near, and the depth of each component in
  /// obstacles [m].
  void add_contact(int frame, double gap, const std::vector<double>& depths);
  /// Bodies pass through each other or, when both are the same, through themselves: contact between them is off.
  void add_overlap(int frame, const std::string& body, const std::string& other);
  int frames() const { return static_cast<int>(frame_seconds_.size()); }
  int not_converged() const { return not_converged_; }
  double seconds() const { return total_.seconds; }
  double median_ms() const { return quantile_ms(0.5); }
  /// Timings, iterations and convergence as members of the document of `run --json`.
  void describe(Value& document) const;
  /// Whether the result can be relied on: every frame converged, and there is no doubt.
  bool trusted() const { return not_converged_ == 0 && doubts().empty(); }
  /// Findings that the error of the solver does not measure, as sentences.
  std::vector<std::string> doubts() const;
  /// How far off the result may be, what became of the energy, and what helps if it was cut short.
  std::string verdict(const std::string& solver, const SimulationOptions& options) const;

 private:
  std::string error_sentence() const;
  std::string energy_sentence() const;
  std::string contact_sentence() const;
  double quantile_ms(double q) const;
  int count(Status status) const { return counts_[static_cast<std::size_t>(status)]; }

  std::vector<double> frame_seconds_;
  FrameRecord total_;
  std::vector<int> counts_ = std::vector<int>(6, 0);
  int not_converged_ = 0;
  std::vector<ComponentName> names_;
  FrameRecord worst_;                              // the frame with the largest error
  std::vector<std::pair<double, double>> errors_;  // error and length of each frame
  double made_ = 0, lost_ = 0, stored_ = 0;
  double gap_ = std::numeric_limits<double>::infinity(), depth_ = 0, infeasibility_ = 0;
  /// The component that was deepest in an obstacle, relative to its size.
  struct Deepest {
    double metres = 0, relative = 0;
    int component = -1, frame = 0;
  };
  Deepest deepest_;
  std::vector<std::string> overlaps_;  // sentences
};

/// What to try when a step was not finite.
std::string not_finite_advice(const std::string& solver, int substeps, int iterations);

}  // namespace resilin::cli
