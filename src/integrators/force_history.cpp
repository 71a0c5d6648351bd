#include "integrators/force_history.h"

namespace resilin {
namespace {

const std::vector<double>* find(const Memory& memory, const char* name) {
  const auto at = memory.arrays.find(name);
  return at == memory.arrays.end() ? nullptr : &at->second;
}

bool holds(const Memory& memory, const char* name, const std::vector<double>& values) {
  const auto* kept = find(memory, name);
  return kept != nullptr && *kept == values;
}

}  // namespace

const std::vector<double>& ForceHistory::start(const State& now, double h, Stepper& stepper,
                                               const std::vector<double>& external) {
  const Memory& memory = now.history;
  const auto* kept = find(memory, "force.a");
  const bool applies = kept != nullptr && memory.h == h && memory.revision == stepper.revision() &&
                       holds(memory, "force.q", now.q) && holds(memory, "force.v", now.v);
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
  next.history.h = h;
  next.history.revision = stepper.revision();
  next.history.arrays["force.a"] = internal_;
  next.history.arrays["force.q"] = next.q;
  next.history.arrays["force.v"] = next.v;
}

}  // namespace resilin
