// Where the seconds of a stage go. One clock, owned by the Problem: at any moment one phase is charged, so that
// times are exclusive and sum to the whole. Solvers and their parts name the phase of a scope.
#pragma once
#include <array>
#include <chrono>
#include <limits>
#include <utility>

#include "resilin/solver.h"

namespace resilin {

/// `paused`: measurements that are no part of the method.
enum class Phase { other, local, global, line_search, coarse, history, contact, paused };

class Profiler {
 public:
  void restart() {
    seconds_ = {};
    now_ = Phase::other;
    since_ = Clock::now();
  }
  /// Until the end of a scope; what it interrupts goes on afterwards.
  class Scope {
   public:
    Scope(Profiler& profiler, Phase phase) : profiler_(profiler), before_(profiler.change(phase)) {}
    ~Scope() { profiler_.change(before_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Profiler& profiler_;
    Phase before_;
  };
  /// Since restart, without pauses.
  double seconds() const {
    double sum = now_ == Phase::paused ? 0 : std::chrono::duration<double>(Clock::now() - since_).count();
    for (std::size_t i = 0; i < seconds_.size(); ++i)
      if (static_cast<Phase>(i) != Phase::paused) sum += seconds_[i];
    return sum;
  }
  Phases phases() {
    change(now_);
    return {.local = of(Phase::local),
            .global = of(Phase::global),
            .line_search = of(Phase::line_search),
            .coarse = of(Phase::coarse),
            .history = of(Phase::history),
            .contact = of(Phase::contact),
            .other = of(Phase::other)};
  }

 private:
  using Clock = std::chrono::steady_clock;
  double& of(Phase phase) { return seconds_[static_cast<std::size_t>(phase)]; }
  Phase change(Phase next) {
    const auto now = Clock::now();
    of(now_) += std::chrono::duration<double>(now - since_).count();
    since_ = now;
    return std::exchange(now_, next);
  }

  Clock::time_point since_ = Clock::now();
  Phase now_ = Phase::other;
  std::array<double, 8> seconds_{};
};

/// The wall-clock budget of a solve: optional work that would take much of what is left does not pay.
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
