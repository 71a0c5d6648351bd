// Hands and obstacles that act by the target of a stage, the state that inertia alone would carry a body to (Brandt
// et al. 2018, Appendix A). Once per stage and of sampled vertices only, so that it costs as little on a fine mesh
// as on a coarse one, and nothing is added to the constant matrix. Owned by a subspace with Interaction::target.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "linear/linear_solver.h"
#include "reduction/position_subspace.h"
#include "resilin/model.h"
#include "resilin/reduction.h"
#include "resilin/state.h"

namespace resilin {

class MovedTarget {
 public:
  /// `mass`: of the vertices; `pattern`: of U^T M U. Both the subspace and the pool must outlive it.
  MovedTarget(const PositionSubspace& positions, std::span<const double> mass, const SymmetricMatrix& pattern,
              const ReductionSettings& settings, ThreadPool& pool);
  /// The model has changed; `sampled`: vertices whose positions are known in a step, ascending.
  void update(const Model& model, std::span<const int> sampled);
  /// Hands first, then obstacles. The target and the guess move alike.
  void move(const Model& model, Stage& stage);

 private:
  // An obstacle and the sampled vertices that can touch it.
  struct Region {
    const Potential* potential;
    std::unique_ptr<Kernel> kernel;
    std::vector<int> entry;  // in sampled_
  };
  // A vertex that a drag holds.
  struct Held {
    int vertex;
    double stiffness;
    std::array<double, 3> at;
  };
  void pack_drags(const Model& model);
  void collect_drags(const Model& model, double time);
  void pull(Stage& stage);
  bool push_out(const Region& region, const Stage& stage);
  void factorise();

  const PositionSubspace& positions_;
  std::vector<double> mass_;
  const SymmetricMatrix& pattern_;
  ReductionSettings settings_;
  ThreadPool& pool_;
  std::vector<int> sampled_;
  double weight_ = 0;  // of a sampled vertex [kg]
  PartialLift lift_;
  std::unique_ptr<LinearSolver> solver_;  // of the interpolation
  std::vector<Region> regions_;
  struct Drag {
    std::shared_ptr<const Potential> potential;
    std::unique_ptr<Kernel> kernel;
  };
  std::vector<Drag> drags_;  // of Model::listed
  std::vector<Held> held_;
  std::vector<double> columns_, capacity_, pull_, change_;
  AlignedVector<double> wanted_, before_, gap_;  // sampled vertices in rows of 4
};

}  // namespace resilin
