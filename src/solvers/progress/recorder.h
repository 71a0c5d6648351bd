// The trace of iterations, for every solver. What measuring costs does not count.
#pragma once
#include <vector>

#include "problem/problem.h"
#include "resilin/solver.h"

namespace resilin {

class Recorder {
 public:
  /// Its clock begins now.
  Recorder(Solver& solver, const Problem& problem, SolveReport& report);
  /// Somebody wants records.
  bool on() const { return solver_.tracing || solver_.observe; }
  /// `record.seconds` is set here.
  void record(IterationRecord record, const std::vector<double>& y);

 private:
  Solver& solver_;
  Profiler& profiler_;
  SolveReport& report_;
  double start_;
};

}  // namespace resilin
