// Coulomb's cone at every contact of every stage, on obstacles and between bodies: what experiments ask of
// friction. Tangential forces are those of the friction that the objective had, at the last iterate of the stage.
#pragma once
#include <memory>
#include <vector>

#include "contact/friction/friction.h"
#include "resilin/simulation.h"
#include "setup/worst.h"

namespace resilin::setup {

/// How far contacts are outside of the cone, over all stages so far; -1: nothing touched.
struct ConeExcess {
  // |f_t| / (mu f_n) - 1 with the normal force of the stage's start, which the objective has: the worst contact
  Worst lagged = -1.0;  // house: frozen from the start of the stage
  // sum of |f_t| - mu f_n where that is positive, with normal forces of the stage's end, over the sum of mu f_n
  // there or at its start, whichever is larger: a single contact may have none any more, and where bodies part all
  // have none
  Worst last = -1.0;
  // |limit / (mu f_n) - 1|, f_n measured anew from the energy of the obstacle where the stage began: whether the
  // objective lags what it says
  Worst limit = 0.0;
  double last_sum = 0;                      // of `last` over the stages in which something touched
  long stages = 0, contacts = 0, slid = 0;  // summed; slid: at the limit
};

/// Watches a simulation from now on, as its solver's observer. `friction`: mu of obstacles and of bodies, one for
/// all. Obstacles stand, or move along themselves.
class ConeWatch {
 public:
  ConeWatch(Simulation& simulation, double friction);
  ConeWatch(const ConeWatch&) = delete;
  ConeWatch& operator=(const ConeWatch&) = delete;
  /// After every step.
  void observe();
  const ConeExcess& excess() const { return excess_; }

 private:
  void note(const std::vector<double>& y);
  void finish();
  void see(const Term& friction, const Term* pushing);

  Simulation& simulation_;
  double friction_;
  ConeExcess excess_;
  // The contact of the stage that is being solved, where it began, and its last iterate: afterwards contact is that
  // of the new state.
  std::vector<std::vector<Term>> terms_;
  std::vector<double> start_, last_;
  double time_ = 0;  // of the step's start
};

}  // namespace resilin::setup
