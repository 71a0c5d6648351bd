// The internal acceleration at the start of a step, for integrators with an explicit half. It is recovered from the
// stage that ended the step before, a = (v - v^p)/tau - M^-1 f_ext (Brown et al. Eq. 37): evaluating forces instead
// is unreliable where potentials are not smooth. Only a first step evaluates them, and any step whose state, step
// size or model was changed since.
#pragma once
#include "resilin/integrator.h"

namespace resilin {

class ForceHistory {
 public:
  /// Total acceleration M^-1 (f + f_ext) at the state `now`; `external` is M^-1 f_ext there.
  const std::vector<double>& start(const State& now, double h, Stepper& stepper,
                                   const std::vector<double>& external);
  /// After the last stage, before pins are put in place: next.q and next.v are its results, `external` that of its time.
  void keep(const Stage& stage, const std::vector<double>& velocity_start, const std::vector<double>& external,
            const State& next);
  /// After pins are in place.
  void commit(State& next, double h, Stepper& stepper) const;

 private:
  std::vector<double> acceleration_, internal_;
};

}  // namespace resilin
