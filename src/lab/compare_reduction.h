// Full, in the subspace with all elements, and hyper-reduced (Brandt et al. 2018) against each other: a scene with
// "reduction" in three ways, along the frames of a converged reference of all vertices. Used by compare.
#pragma once
#include <memory>
#include <vector>

#include "lab/compare.h"
#include "lab/right_side.h"

namespace resilin::lab {

/// The scene without its "reduction".
Scene without_reduction(Scene scene);
bool has_reduction(const Scene& scene);

/// One of the ways, with the errors of every frame that it has seen.
class ReducedRun {
 public:
  /// Simulates with the scene's own solver.
  ReducedRun(const Scene& scene, Unknowns unknowns, int threads);

  Unknowns unknowns() const { return unknowns_; }
  Simulation& simulation() const { return *simulation_; }
  double setup_seconds() const { return setup_seconds_; }
  /// Elements that an iteration evaluates.
  int elements() const;
  /// The reference has come to the end of a frame: goes there, too.
  void see(const Simulation& reference, int substeps);
  /// What the solver would have to solve here in place of a stage of all vertices: the nearest one.
  Stage reduced(const Stage& stage) const;

  /// Of its steps: the median [s].
  double step_seconds() const;

  // Of each frame.
  std::vector<double> projection;  // what the subspace cannot show of the reference: normalised L2 (Table 2)
  std::vector<double> right_side;  // error of the right side from samples (Fig. 4); of hyper-reduced ones alone
  std::vector<double> distance;    // of its own run from the reference, normalised as the projection
  std::vector<double> seconds;     // of its own steps

 private:
  Unknowns unknowns_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<RightSide> right_side_;
  double setup_seconds_ = 0;
};

}  // namespace resilin::lab
