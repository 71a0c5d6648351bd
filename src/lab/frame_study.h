// One frame of a scene, solved by several solvers from the same state: what the convergence plots of Liu et al.
// 2017 show. Their relative error needs the minimum; it is Newton's, or that of whoever went lower (Phi is not
// convex).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "lab/liu_scenes.h"

namespace resilin::lab {

class FrameStudy {
 public:
  static constexpr double step = 1.0 / 30;  // [s], the paper's

  /// The frame after `frames` steps of the scene by quasi-Newton.
  FrameStudy(LiuScene scene, int frames);
  /// The frame after `state` of the same scene.
  FrameStudy(LiuScene scene, const State& state);

  const State& state() const { return simulation_->state(); }
  DynamicSystem& system() { return simulation_->system(); }
  const Stage& stage() const { return stage_; }
  double minimum() const { return minimum_; }
  /// From the stage's guess, traced; `memory` is what the solver has kept from earlier frames.
  SolveReport solve(Solver& solver, int iterations, Memory memory = {});
  SolveReport solve(const std::string& solver, const Values& params, int iterations);
  std::vector<double> errors(const SolveReport& report) const { return relative_errors(report, minimum_); }
  /// Least wall time of a few warm solves of that many iterations, untraced [s].
  double seconds(const std::string& solver, const Values& params, int iterations, int repetitions);

 private:
  void begin();

  std::unique_ptr<Simulation> simulation_;
  Stage stage_;
  double minimum_ = 0;
};

}  // namespace resilin::lab
