// The second error measure of Brandt et al. 2018 (Figure 4): how well the right side of the global step, U^T sum
// measure k D^T p over all elements, is known from sampled ones.
#pragma once
#include <memory>
#include <vector>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/reduction.h"
#include "resilin/simulation.h"

namespace resilin::lab {

class RightSide {
 public:
  /// Of the elements of the model alone: obstacles, pins and loads count on neither side. `fitted`: as local steps
  /// of projective dynamics see it; false: as the gradient of the sampled function, which quasi-Newton sees.
  RightSide(Model model, const ReductionSettings& settings, double h, bool fitted = true);
  /// |sampled - whole| / |whole| with vertices at x, seen in the subspace.
  double error(const std::vector<double>& x);

 private:
  void stage(DynamicSystem& system, const std::vector<double>& q) const;
  bool fitted_;
  std::unique_ptr<Simulation> reduced_;
  ThreadPool pool_;
  DynamicSystem whole_;
  SymmetricMatrix matrix_;
};

}  // namespace resilin::lab
