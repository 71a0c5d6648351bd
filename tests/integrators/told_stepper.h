// A stepper without a model: stages end as told, and what was asked for is written down.
#pragma once
#include <vector>

#include "resilin/integrator.h"

namespace resilin::test {

class ToldStepper final : public Stepper {
 public:
  /// How stages end, in turn; after the last one all converge.
  explicit ToldStepper(std::vector<Status> ends = {}) : ends_(std::move(ends)) {}

  Status solve(Stage& stage, std::vector<double>& y) override {
    y = stage.guess;
    stages.push_back(stage);
    return stages.size() <= ends_.size() ? ends_[stages.size() - 1] : Status::converged;
  }
  Status linear_solve(Stage& stage, std::vector<double>& y) override { return solve(stage, y); }
  void external(double time, std::vector<double>& a) override {
    external_times.push_back(time);
    a.assign(3, 0.0);
  }
  void acceleration(double, const std::vector<double>&, const std::vector<double>&,
                    std::vector<double>& a) override {
    ++accelerations;
    a.assign(3, 0.0);
  }
  void prescribe(double time, std::vector<double>&, std::vector<double>&) override { prescribed = time; }
  const Revision& revision() const override { return model; }

  std::vector<Stage> stages;
  std::vector<double> external_times;
  int accelerations = 0;
  double prescribed = -1;  // the last time at which pins were put in place
  Revision model;

 private:
  std::vector<Status> ends_;
};

}  // namespace resilin::test
