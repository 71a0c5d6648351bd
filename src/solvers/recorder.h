// Seconds by phase and the trace of iterations, for every solver. What measuring costs does not count.
#pragma once
#include <chrono>
#include <vector>

#include "resilin/solver.h"

namespace resilin {

/// Seconds of the enclosing scope are added to `to`.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& to) : to_(to), start_(std::chrono::steady_clock::now()) {}
  ~PhaseTimer() { to_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double& to_;
  std::chrono::steady_clock::time_point start_;
};

/// Writes the trace; its own work does not count.
class Recorder {
 public:
  Recorder(Solver& solver, SolveReport& report);
  /// `record.seconds` is set here.
  void record(IterationRecord record, const std::vector<double>& y);
  double seconds() const;
  /// The clock stands while what is returned lives: for measurements that are no part of the method.
  PhaseTimer pause() { return PhaseTimer(paused_); }

 private:
  Solver& solver_;
  SolveReport& report_;
  std::chrono::steady_clock::time_point start_;
  double paused_ = 0;
};

}  // namespace resilin
