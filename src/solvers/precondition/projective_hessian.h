// The initial Hessian of quasi_newton by default, as one expression (docs/theory/trust.md):
//
//   Smoothed(LowRank(Coarse(ObstacleLevel(Factor))))
//
// the constant Hessian; contact with obstacles; the true Hessian on smooth functions; mean motions of interfaces
// between bodies; smoothing where bodies touch. This class decides when each of them takes in a new point, and
// which of them are left out.
#pragma once
#include <vector>

#include "solvers/precondition/coarse_space.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/initial_hessian.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/precondition/obstacle_level.h"
#include "solvers/precondition/smoothed.h"
#include "solvers/precondition/stiffness_fit.h"

namespace resilin {

class ProjectiveHessian final : public InitialHessian {
 public:
  struct Options {
    int modes, after;  // of the coarse level; the iteration after which it is linearised
    bool contact, interfaces;
  };
  ProjectiveHessian(const InnerSolve& inner, const StiffnessFit& fit, Options options);

  int begin(Problem& problem, const std::vector<double>& y, Memory& memory) override;
  void iterate(Problem& problem, const std::vector<double>& y, int iterations) override;
  void solve(Problem&, const std::vector<double>&, double, const double* r, double* d) override {
    on_pairs_.apply(r, d);
  }
  bool measures(int /*component*/, int iterations) const override {
    return iterations >= (modes_ == 0 ? 1 : options_.after);
  }
  bool needs_vertices() const override { return false; }
  void searched(int component, bool cut) override;
  bool simplify(int component) override;

 private:
  // The coarse level of a component that was cut too often is left out for so many stages. In the state, for
  // resumed runs.
  struct Pause {
    double &left, &length, &survived;
  };
  Pause pause(int component);
  void recall_pauses(const Problem& problem, Memory& memory);
  void set_interfaces(Problem& problem, const std::vector<double>& y);
  void linearise(Problem& problem, const std::vector<double>& y);

  Options options_;
  StiffnessFit fit_;
  Factor factor_;
  LowRank drags_;  // in place of obstacles_ where contact is left out
  ObstacleLevel obstacles_;
  Coarse coarse_;
  LowRank interfaces_;
  Smoothed on_pairs_;
  int modes_ = 0;                                 // of the stage
  bool by_rows_ = false, by_interfaces_ = false;  // contact with obstacles, of bodies
  bool plain_ = false;                            // the constant Hessian alone, until the next stage
  bool dropped_ = false;                          // a coarse level, since interfaces_ was set
  std::size_t pairs_in_rows_ = 0;                 // when interfaces_ was set
  double cost_ = 0;                               // seconds of the last linearise
  std::vector<double>* kept_ = nullptr;           // numbers of pauses
  std::vector<int> score_;                        // by component, of this stage
};

}  // namespace resilin
