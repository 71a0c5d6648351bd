// The wall-clock budget of a solve: optional work that would take much of what is left does not pay.
#pragma once
#include <limits>

#include "problem/profiler.h"

namespace resilin {

class Budget {
 public:
  explicit Budget(const Profiler& profiler) : profiler_(profiler) {}
  /// A solve with so many seconds begins, on the profiler's clock; 0: no limit.
  void begin(double seconds) { seconds_ = seconds; }
  double seconds() const { return seconds_; }
  double left() const {
    return seconds_ > 0 ? seconds_ - profiler_.seconds() : std::numeric_limits<double>::infinity();
  }

 private:
  const Profiler& profiler_;
  double seconds_ = 0;
};

}  // namespace resilin
