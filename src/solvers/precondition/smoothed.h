// Gauss-Seidel where bodies touch each other, on the vertices of pairs in contact: forwards before and backwards
// after the operator inside, which knows the mean motions of interfaces only. The rest is local, and friction has
// much of it. Symmetric and positive definite where the operator inside overestimates the inverse.
#pragma once
#include <vector>

#include "problem/problem.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/mean_step.h"
#include "solvers/precondition/obstacle_level.h"
#include "solvers/precondition/vertex_smoother.h"

namespace resilin {

class Smoothed final : public Operator {
 public:
  Smoothed(Operator& inner, Factor& factor) : inner_(inner), factor_(factor) {}
  /// A stage begins: nothing is in contact.
  void begin(Problem& problem);
  /// Without smoothing, until the next begin.
  void leave_out() { vertices_.clear(); }
  /// These pairs are in contact, and so are the vertices that `obstacles` has seen last: its rows may be older,
  /// which smoothing makes good. Null: there are no obstacles. Vertices that were in contact in this stage stay.
  void update(const std::vector<PairStiffness>& pairs, const ObstacleLevel* obstacles);
  void apply(const double* r, double* d) override;

 private:
  void take_vertices(const std::vector<PairStiffness>& pairs);
  void find_mean_steps();

  Operator& inner_;
  Factor& factor_;
  Problem* problem_ = nullptr;  // of the stage
  std::vector<int> vertices_;   // ascending
  std::vector<VertexSmoother::Point> points_, touching_;
  VertexSmoother smoother_;
  std::vector<char> held_, held_then_;  // components in contact with an obstacle; when free_ was found
  std::vector<int> islands_;            // then
  std::vector<std::vector<int>> free_;  // vertices of islands that nothing holds
  MeanStep mean_step_;
  std::vector<double> load_;
};

}  // namespace resilin
