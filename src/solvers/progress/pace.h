// Keeps a stage within its wall-clock budget: the next iteration is expected to take as long as those before it, of
// this stage and of former ones, and is not begun when it would end too late. What is done then depends on the
// machine: a run with a budget is not reproducible to the bit, unless the budget never binds. Used by the loops of
// all solvers.
#pragma once
#include <limits>

namespace resilin {

class Pace {
 public:
  /// A stage with so many seconds begins; 0: no limit.
  void begin(double budget) { budget_ = budget, last_ = -1; }
  /// At the top of the loop, `now` seconds into the stage: whether another iteration fits. The first one always
  /// does, since a stage left at its target would not feel any force.
  bool fits(double now) {
    if (budget_ == 0) return true;
    if (last_ >= 0) measured(now - last_);
    const bool first = last_ < 0;
    last_ = now;
    return first || now + iteration_ <= budget_;
  }
  double left(double now) const { return budget_ > 0 ? budget_ - now : std::numeric_limits<double>::infinity(); }

 private:
  // A mean that forgets: iterations grow dearer when line searches need more trials. One hiccup of the machine
  // counts little.
  void measured(double seconds) {
    if (iteration_ > 0 && seconds > most * iteration_) seconds = most * iteration_;
    iteration_ = iteration_ > 0 ? iteration_ + weight * (seconds - iteration_) : seconds;
  }
  static constexpr double weight = 0.2, most = 4;

  double budget_ = 0, last_ = -1, iteration_ = 0;
};

}  // namespace resilin
