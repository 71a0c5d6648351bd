// An integrator turns a time step into stages (implicit solves) and combines them. It knows neither terms nor
// solvers. Implicit integrators are recipes: stages as data, which a simulation runs and others read.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  /// One Newton step on the stage from its guess, without a search: y = guess - H^-1 grad Phi(guess), H made
  /// positive definite.
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
  /// The first stage of that step, before pins are put in place. None: the integrator is explicit.
  virtual std::optional<Stage> first_stage(const State& /*now*/, double /*h*/, Stepper& /*stepper*/) { return {}; }
  /// Global order of accuracy on smooth problems; the contract tests measure it.
  virtual int order() const = 0;
  /// Implicit solves per step; 0: explicit, for small steps only.
  virtual int stages() const { return 0; }
  /// Its stages are minimised, by the solver. Else it cannot take contact, whose forces have limits.
  virtual bool minimises() const { return stages() > 0; }
};

/// Arrays that stages are combined from. x_n, v_n: the state at the start of the step; a_n: its acceleration M^-1
/// (f + f_ext); x_{n-1}, v_{n-1}: the state one step earlier; x_s, v_s: the result of the stage before.
enum class StageArray { x_n, v_n, a_n, x_before, v_before, x_stage, v_stage };

/// first_factor * first + second_factor * second.
struct Combination {
  double first_factor = 1;
  StageArray first = StageArray::x_n;
  double second_factor = 0;
  StageArray second = StageArray::x_n;
};

/// One implicit stage: minimise with target = origin + tau v^p + tau^2 M^-1 f_ext; the velocity is then (y -
/// origin)/tau (Brown et al. Eq. 31).
struct StageRecipe {
  double end = 1;                // time of its result: the start of the step + end h
  double tau = 0;                // [s]
  Combination origin, velocity;  // velocity: v^p
  bool linearised = false;       // one Newton step from x_n instead of a minimisation
};

/// A whole step as data.
struct StepRecipe {
  std::vector<StageRecipe> stages;
  /// The end of the step, from its start and the result of the last stage.
  Combination position = {1, StageArray::x_stage}, velocity = {1, StageArray::v_stage};
  bool uses(StageArray array) const;
};

/// An integrator that is a recipe.
class StagedIntegrator : public Integrator {
 public:
  virtual StepRecipe recipe(double h) const = 0;
  /// The step that stands in where the state one step earlier is not known.
  virtual StepRecipe starting_recipe(double h) const { return recipe(h); }
  int stages() const override { return static_cast<int>(recipe(1).stages.size()); }
  bool minimises() const override { return !recipe(1).stages.front().linearised; }
  Status step(const State& now, State& next, double h, Stepper& stepper) final;
  std::optional<Stage> first_stage(const State& now, double h, Stepper& stepper) final;

 private:
  const StepRecipe& begin_step(const State& now, double h, Stepper& stepper);
  void begin_stage(const StageRecipe& stage, const State& now, Stepper& stepper);
  void end_stage();
  void find_acceleration(const State& now, std::uint64_t stamp, Stepper& stepper);
  void remember(const State& now, State& next, std::uint64_t stamp) const;
  const std::vector<double>& array(StageArray which, const State& now) const;
  void combine(const Combination& recipe, const State& now, std::vector<double>& to) const;

  double h_ = 0;  // that the recipes are for
  StepRecipe recipe_, starting_recipe_;
  Stage stage_;
  std::vector<double> velocity_start_, external_;  // v^p and M^-1 f_ext of the stage
  std::vector<double> q_, v_;                      // the stage's result
  std::vector<double> acceleration_, internal_;    // at the start of the step; M^-1 f at its end
  const std::vector<double>*x_before_ = nullptr, *v_before_ = nullptr;  // in the memory of the step
};

struct IntegratorPlugin {
  std::string doc;
  Params params;
  std::function<std::unique_ptr<Integrator>(const Settings&)> make;
};

/// A plugin without parameters of one recipe; `starting` as StagedIntegrator::starting_recipe, null: the recipe.
IntegratorPlugin recipe_integrator(std::string doc, int order, StepRecipe (*recipe)(double h),
                                   StepRecipe (*starting)(double h) = nullptr);

}  // namespace resilin
