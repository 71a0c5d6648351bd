// Bars that drop, shake, spin, twist or start at random, in four materials and any size: where two-level
// quasi-Newton is measured against the paper's method and others. All from the same states of a converged past, on
// the same Objective.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "lab/setup.h"

namespace resilin::lab {

struct BarCase {
  std::string scene = "drop";            // drop, shake, spin, twist, random, scrambled
  std::string material = "neo_hookean";  // neo_hookean, corotated, spline, polynomial
  int vertices = 1500;                   // about
  double young = 1e6;                    // [Pa]; mu of the polynomial material is five times this
  double step = 1.0 / 30;                // [s]
  double scatter = 0.5;                  // [cells], random: every coordinate is moved by up to this
  double fit_stiffness = 0;              // [Pa], k of the constant Hessian; 0: that of the material
  std::string name() const;
};
/// All but scrambled: vertices anywhere in the bar's box, as in Liu et al. 2017 5; energies are far from convex
/// there.
const std::vector<std::string>& bar_scenes();
const std::vector<std::string>& bar_materials();

/// At the start of the case.
std::unique_ptr<Simulation> start_bar(const BarCase& c, const std::string& solver, const Values& params);

struct Method {
  std::string name, solver;
  Values params;
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

/// By method, at states of `past`, which is advanced; on its Objective, in stages of backward Euler.
std::vector<Needed> needed(Simulation& past, const std::vector<Method>& methods, const NeededOptions& options);
/// From a converged past.
std::vector<Needed> needed(const BarCase& c, const std::vector<Method>& methods, const NeededOptions& options);

/// A run with a fixed number of iterations per frame against the converged one.
struct OwnTrajectory {
  double error = 0;  // root mean square distance over vertices and frames, over the body's size
  double shape = 0;  // the same after the rigid motion that makes it least, frame by frame
  bool finite = true;
  double ms = 0;  // per frame, median
};
struct OwnTrajectories {
  std::vector<OwnTrajectory> runs;  // by method
  /// The same distance for a second converged run, by another solver: where it is not small, there are several ways
  /// to go on from a state, all of them minima, and no run can be called wrong by less than that.
  double ambiguity = 0;
};
OwnTrajectories own_trajectories(const BarCase& c, const std::vector<Method>& methods, int frames);

/// Scene A: the twisting bar of the gallery, neo-Hookean with the constants of "rubber". `solver`: JSON.
std::unique_ptr<Simulation> scene_a(const std::string& solver);

}  // namespace resilin::lab
