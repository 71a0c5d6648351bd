#include "integrators/force_history.h"

namespace resilin {
namespace {

bool holds(const std::vector<double>* kept, const std::vector<double>& values) {
  return kept != nullptr && *kept == values;
}

}  // namespace

const std::vector<double>& ForceHistory::start(const State& now, double h, Stepper& stepper,
                                               const std::vector<double>& external) {
  const Memory& memory = now.history;
  const std::uint64_t stamp = stepper.revision().function_at(h);
  const auto* kept = memory.find("force.a", stamp);
  const bool applies =
      kept != nullptr && holds(memory.find("force.q", stamp), now.q) && holds(memory.find("force.v", stamp), now.v);
  if (applies) acceleration_ = *kept;
  else stepper.acceleration(now.time, now.q, now.v, acceleration_);
  for (std::size_t i = 0; i < acceleration_.size(); ++i) acceleration_[i] += external[i];
  return acceleration_;
}

void ForceHistory::keep(const Stage& stage, const std::vector<double>& velocity_start,
                        const std::vector<double>& external, const State& next) {
  internal_.resize(next.v.size());
  for (std::size_t i = 0; i < next.v.size(); ++i)
    internal_[i] = (next.v[i] - velocity_start[i]) / stage.tau - external[i];
}

void ForceHistory::commit(State& next, double h, Stepper& stepper) const {
  const std::uint64_t stamp = stepper.revision().function_at(h);
  next.history.keep("force.a", stamp) = internal_;
  next.history.keep("force.q", stamp) = next.q;
  next.history.keep("force.v", stamp) = next.v;
}

}  // namespace resilin
