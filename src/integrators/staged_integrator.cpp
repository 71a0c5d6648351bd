// How a recipe is run.
//
// An explicit half of a step needs the acceleration at its start. It is recovered from the stage that ended the
// step before, a = (v - v^p)/tau - M^-1 f_ext (Brown et al. Eq. 37): evaluating forces instead is unreliable where
// potentials are not smooth. Forces are evaluated in a first step only, and in a step whose state, step size or
// model was changed since.
#include "resilin/integrator.h"

namespace resilin {
namespace {

bool unusable(Status status) { return status == Status::not_finite || status == Status::cancelled; }

bool is_state(const Memory& memory, const std::string& owner, std::uint64_t stamp, const State& now) {
  const auto *q = memory.find(owner + ".q", stamp), *v = memory.find(owner + ".v", stamp);
  return q != nullptr && v != nullptr && *q == now.q && *v == now.v;
}

class RecipeIntegrator final : public StagedIntegrator {
 public:
  using Recipe = StepRecipe (*)(double h);
  RecipeIntegrator(int order, Recipe usual, Recipe starting) : order_(order), recipe_(usual), starting_(starting) {}
  int order() const override { return order_; }
  StepRecipe recipe(double h) const override { return recipe_(h); }
  StepRecipe starting_recipe(double h) const override { return starting_(h); }

 private:
  int order_;
  Recipe recipe_, starting_;
};

}  // namespace

IntegratorPlugin recipe_integrator(std::string doc, int order, StepRecipe (*recipe)(double h),
                                   StepRecipe (*starting)(double h)) {
  return {std::move(doc), {}, [=](const Settings&) {
            return std::make_unique<RecipeIntegrator>(order, recipe, starting != nullptr ? starting : recipe);
          }};
}

bool StepRecipe::uses(StageArray array) const {
  const auto in = [&](const Combination& c) {
    return c.first == array || (c.second_factor != 0 && c.second == array);
  };
  for (const StageRecipe& stage : stages)
    if (in(stage.origin) || in(stage.velocity)) return true;
  return in(position) || in(velocity);
}

Status StagedIntegrator::step(const State& now, State& next, double h, Stepper& stepper) {
  const StepRecipe& recipe = begin_step(now, h, stepper);
  stage_.begin_at(now.time, now.q);
  Status status = Status::converged;
  for (std::size_t i = 0; i < recipe.stages.size(); ++i) {
    const StageRecipe& stage = recipe.stages[i];
    if (i > 0) {
      stepper.prescribe(stage_.time, q_, v_);
      stage_.begin_at(stage_.time, q_);
    }
    begin_stage(stage, now, stepper);
    const Status solved = stage.linearised ? stepper.linear_solve(stage_, q_) : stepper.solve(stage_, q_);
    if (status == Status::converged || unusable(solved)) status = solved;
    if (unusable(solved)) return status;
    end_stage();
  }
  combine(recipe.position, now, next.q);
  combine(recipe.velocity, now, next.v);
  stepper.prescribe(now.time + h, next.q, next.v);
  remember(now, next, stepper.revision().function_at(h));
  return status;
}

std::optional<Stage> StagedIntegrator::first_stage(const State& now, double h, Stepper& stepper) {
  const StepRecipe& recipe = begin_step(now, h, stepper);
  stage_.begin_at(now.time, now.q);
  begin_stage(recipe.stages.front(), now, stepper);
  return stage_;
}

const StepRecipe& StagedIntegrator::begin_step(const State& now, double h, Stepper& stepper) {
  if (h != h_) h_ = h, recipe_ = recipe(h), starting_recipe_ = starting_recipe(h);
  const std::uint64_t stamp = stepper.revision().function_at(h);
  const bool known = is_state(now.history, "bdf2", stamp, now);
  x_before_ = known ? now.history.find("bdf2.q_before", stamp) : nullptr;
  v_before_ = known ? now.history.find("bdf2.v_before", stamp) : nullptr;
  const bool starts = recipe_.uses(StageArray::x_before) && (x_before_ == nullptr || v_before_ == nullptr);
  const StepRecipe& chosen = starts ? starting_recipe_ : recipe_;
  if (chosen.uses(StageArray::a_n)) find_acceleration(now, stamp, stepper);
  return chosen;
}

void StagedIntegrator::find_acceleration(const State& now, std::uint64_t stamp, Stepper& stepper) {
  stepper.external(now.time, external_);
  const auto* kept = is_state(now.history, "force", stamp, now) ? now.history.find("force.a", stamp) : nullptr;
  if (kept != nullptr) acceleration_ = *kept;
  else stepper.acceleration(now.time, now.q, now.v, acceleration_);
  for (std::size_t i = 0; i < acceleration_.size(); ++i) acceleration_[i] += external_[i];
}

void StagedIntegrator::begin_stage(const StageRecipe& stage, const State& now, Stepper& stepper) {
  const double tau = stage.tau;
  combine(stage.origin, now, stage_.origin);
  combine(stage.velocity, now, velocity_start_);
  stage_.time = now.time + stage.end * h_;
  stage_.tau = tau;
  stage_.velocity = now.v;
  stepper.external(stage_.time, external_);
  const std::size_t n = stage_.origin.size();
  stage_.target.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    stage_.target[i] = stage_.origin[i] + tau * (velocity_start_[i] + tau * external_[i]);
  stage_.external = external_;
  stage_.guess = stage.linearised ? now.q : stage_.target;
}

void StagedIntegrator::end_stage() {
  v_.resize(q_.size()), internal_.resize(q_.size());
  for (std::size_t i = 0; i < q_.size(); ++i) {
    v_[i] = (q_[i] - stage_.origin[i]) / stage_.tau;
    internal_[i] = (v_[i] - velocity_start_[i]) / stage_.tau - external_[i];
  }
}

void StagedIntegrator::remember(const State& now, State& next, std::uint64_t stamp) const {
  Memory& memory = next.history;
  const auto keep = [&](const std::string& name, const std::vector<double>& values) {
    memory.keep(name, stamp) = values;
  };
  if (recipe_.uses(StageArray::a_n)) keep("force.a", internal_), keep("force.q", next.q), keep("force.v", next.v);
  if (!recipe_.uses(StageArray::x_before)) return;
  keep("bdf2.q_before", now.q), keep("bdf2.v_before", now.v);
  keep("bdf2.q", next.q), keep("bdf2.v", next.v);
}

const std::vector<double>& StagedIntegrator::array(StageArray which, const State& now) const {
  switch (which) {
    case StageArray::x_n: return now.q;
    case StageArray::v_n: return now.v;
    case StageArray::a_n: return acceleration_;
    case StageArray::x_before: return *x_before_;
    case StageArray::v_before: return *v_before_;
    case StageArray::x_stage: return q_;
    case StageArray::v_stage: break;
  }
  return v_;
}

void StagedIntegrator::combine(const Combination& recipe, const State& now, std::vector<double>& to) const {
  const std::vector<double>& first = array(recipe.first, now);
  to.resize(first.size());
  const double a = recipe.first_factor, b = recipe.second_factor;
  if (b == 0) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = a * first[i];
    return;
  }
  const std::vector<double>& second = array(recipe.second, now);
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = b * second[i] + a * first[i];
}

}  // namespace resilin
