#include "simulation/first_stage.h"

#include "objective/objective.h"

namespace resilin {
namespace {

// Takes the first stage that an integrator wants solved and ends the step there.
class FirstStage final : public Stepper {
 public:
  FirstStage(Simulation& simulation, Stage& stage) : objective_(simulation.objective()), stage_(stage) {}

  Status solve(Stage& stage, std::vector<double>& y) override {
    std::vector<double> ignored(stage.guess.size());
    if (!taken_) {
      stage_ = stage;
      objective_.coordinates().prescribe(stage.time, stage_.guess.data(), ignored.data());
      objective_.coordinates().prescribe(stage.time, stage_.target.data(), ignored.data());
    }
    taken_ = true;
    y = stage.guess;
    return Status::cancelled;
  }
  void external(double time, std::vector<double>& a) override {
    a.resize(static_cast<std::size_t>(objective_.size()));
    objective_.external(time, a.data());
  }
  Status linear_solve(Stage& stage, std::vector<double>& y) override { return solve(stage, y); }
  void acceleration(double time, const std::vector<double>& q, const std::vector<double>& v,
                    std::vector<double>& a) override {
    a.resize(q.size());
    objective_.acceleration(time, q.data(), v.data(), a.data());
  }
  const Revision& revision() const override { return objective_.revision(); }
  void prescribe(double time, std::vector<double>& q, std::vector<double>& v) override {
    objective_.coordinates().prescribe(time, q.data(), v.data());
  }

 private:
  Objective& objective_;
  Stage& stage_;
  bool taken_ = false;
};

}  // namespace

Stage first_stage(Integrator& integrator, Simulation& simulation) {
  Stage stage;
  FirstStage stepper(simulation, stage);
  State next = simulation.state();
  integrator.step(simulation.state(), next, simulation.options().step, stepper);
  return stage;
}

}  // namespace resilin
