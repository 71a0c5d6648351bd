// Prescribed motions and time-dependent amounts: what pins and obstacles follow and forces are scaled by.
#pragma once
#include <array>
#include <vector>

namespace resilin {

class Stamp;

/// A number that depends on time: constant + amplitude sin(2 pi frequency t + phase), or keyframes, linear in
/// between and constant outside. Zero before `start` and after `stop`.
struct Signal {
  double constant = 1, amplitude = 0, frequency = 0, phase = 0;
  std::vector<std::array<double, 2>> keyframes;  // (time, value), ascending
  double start = -1e300, stop = 1e300;

  double at(double time) const;
  double rate(double time) const;  // derivative; one-sided (from the right) at a keyframe
  bool varies() const;
  void stamp(Stamp& out) const;
};

/// x(t) = R(t) (x0 - centre) + centre + t-dependent translation. Each step is applied after the ones before it.
struct MotionStep {
  enum class Kind { translate, rotate } kind = Kind::translate;
  std::array<double, 3> direction{0, 0, 0};  // translate: metres per unit of signal; rotate: the axis
  std::array<double, 3> centre{0, 0, 0};     // rotate: a point of the axis
  Signal amount;                             // translate: factor; rotate: radians
};

class Motion {
 public:
  Motion() = default;
  explicit Motion(std::vector<MotionStep> steps) : steps_(std::move(steps)) {}
  /// False: everything is where it starts.
  bool places() const { return !steps_.empty(); }
  /// It depends on time.
  bool moves() const;
  const std::vector<MotionStep>& steps() const { return steps_; }
  /// Position and velocity at `time` of a vertex that starts at x0.
  void at(double time, const double* x0, double* x, double* v) const;
  void stamp(Stamp& out) const;

 private:
  std::vector<MotionStep> steps_;
};

}  // namespace resilin
