// Ten quasi-Newton iterations against one Newton iteration from the same states (Liu et al. 2017, Table I):
// relative errors against the minimum found by Newton to 1e-9, line searches, times. Newton projects element
// Hessians to positive semidefinite.
#pragma once
#include "lab/liu_scenes.h"

namespace resilin::lab {

struct ContestOptions {
  int iterations = 10, history = 5;
  int frames = 4, every = 8;       // states compared, and frames between them
  int reference_iterations = 200;  // of Newton, at most, for the minimum; whoever goes lowest is the minimum
};

/// Means over the compared frames, unless said otherwise.
struct Contest {
  int vertices = 0, elements = 0, frames = 0;
  double ours = 0, newton = 0;                  // relative errors
  double ours_seconds = 0, newton_seconds = 0;  // per frame
  double overhead = 0;                          // seconds per frame of L-BFGS besides its solve
  double searches = 0;                          // trial points per frame, over all frames
  std::vector<double> q;                        // the last frame
};

Contest contest(LiuScene scene, const ContestOptions& options);

}  // namespace resilin::lab
