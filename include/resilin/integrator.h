// An integrator turns a time step into stages (implicit solves) and combines them. It knows neither terms nor solvers.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "resilin/params.h"
#include "resilin/solver.h"
#include "resilin/state.h"

namespace resilin {

/// What an integrator can ask for. Arrays are 3n.
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Minimises the stage; y receives the result, in which pinned vertices stand where the stage's time wants them.
  virtual Status solve(Stage& stage, std::vector<double>& y) = 0;
  /// M^-1 f_ext(t): gravity and external forces.
  virtual void external(double time, std::vector<double>& a) = 0;
  /// One Newton step on the stage from its guess, without a search: y = guess - H^-1 grad Phi(guess), H made positive definite.
  virtual Status linear_solve(Stage& stage, std::vector<double>& y) = 0;
  /// Internal acceleration -M^-1 (grad V(q) + dR/dv(q, v)): potentials and damping.
  virtual void acceleration(double time, const std::vector<double>& q, const std::vector<double>& v,
                            std::vector<double>& a) = 0;
  /// Puts pinned vertices where `time` wants them, with their velocities.
  virtual void prescribe(double time, std::vector<double>& q, std::vector<double>& v) = 0;
  /// Of the model: what an integrator remembers of another one does not apply.
  virtual const Revision& revision() const = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Writes `next` from `now`. not_finite means that `next` must not be used.
  virtual Status step(const State& now, State& next, double h, Stepper& stepper) = 0;
  /// Global order of accuracy on smooth problems; the contract tests measure it.
  virtual int order() const = 0;
  /// Implicit solves per step; 0: explicit, for small steps only.
  virtual int stages() const { return 1; }
  /// Its stages are minimised, by the solver. Else it cannot take contact, whose forces have limits.
  virtual bool minimises() const { return stages() > 0; }
};

struct IntegratorPlugin {
  std::string doc;
  Params params;
  std::function<std::unique_ptr<Integrator>(const Settings&)> make;
};

}  // namespace resilin
