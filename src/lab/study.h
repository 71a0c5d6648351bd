// Solvers against each other: a Study is a stage, the least value of Phi that any solve has found there, and solves
// from its guess; a Method is a solver with its settings; a SolveReport is what it did. Errors are relative to the
// minimum (Eq. 12 of Liu et al. 2017). Phi is not convex: a solve that ends below the reference lowers the minimum.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "setup/one_stage.h"

namespace resilin::lab {

using setup::OneStage;
using Study = OneStage;

// ---- iterations and time to an error

struct Method {
  std::string name, solver;
  Values params = {};
  int iterations = 150;  // at most
  bool repeated = true;  // false: its times are only shown, and one solve must do
  bool dear = false;     // only in the last compared frame, unprepared, and no further than the smallest target
};

constexpr std::array<double, 3> error_targets = {1e-2, 1e-3, 1e-4};
/// Where curves end, and with them solves that are only timed.
constexpr double least_error = 1e-6;

/// Means over the compared frames: those in which the stage does not begin at its minimum. A target that is not
/// reached counts with all iterations done.
struct Needed {
  std::array<double, 3> iterations{}, ms{};
  std::array<int, 3> missed{};  // frames in which the target was not reached
  int compared = 0;             // frames
  bool finite = true;
  /// Relative error and milliseconds after 0, 1, ... iterations, medians over the compared frames, down to
  /// least_error.
  std::vector<double> curve_error, curve_ms;
};

struct NeededOptions {
  int frames = 9, every = 3;  // frames of a converged past, and every which of them is compared
  int repeat = 3;             // of timed solves, in turn; the least time of each iteration counts
  int reference = 600;  // iterations that the reference may take; 0: no reference, the methods find the minimum
  double past = 1e-6;   // tolerance of the past of a BarCase
  int past_iterations = 400;  // per frame at most
};

/// By method, at states of `past`, which is advanced; in stages of backward Euler.
std::vector<Needed> needed(Simulation& past, const std::vector<Method>& methods, const NeededOptions& options);

// ---- trajectories against a converged run

/// A run with a fixed number of iterations per frame against the converged one.
struct OwnTrajectory {
  double error = 0;  // root mean square distance over vertices and frames, over the body's size
  double shape = 0;  // the same after the rigid motion that makes it least, frame by frame
  bool finite = true;
  double ms = 0;  // per frame, median
};
/// By run, frame by frame beside the converged one.
std::vector<OwnTrajectory> own_trajectories(Simulation& converged,
                                            const std::vector<std::unique_ptr<Simulation>>& runs, int frames);

}  // namespace resilin::lab
