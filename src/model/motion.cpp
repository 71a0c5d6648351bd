#include "resilin/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/stamp.h"

namespace resilin {

double Signal::at(double time) const {
  if (time < start || time > stop) return 0;
  if (!keyframes.empty()) {
    if (time <= keyframes.front()[0]) return keyframes.front()[1];
    for (std::size_t i = 1; i < keyframes.size(); ++i) {
      const auto& [t0, v0] = keyframes[i - 1];
      const auto& [t1, v1] = keyframes[i];
      if (time < t1) return v0 + (v1 - v0) * (time - t0) / (t1 - t0);
    }
    return keyframes.back()[1];
  }
  return constant + amplitude * std::sin(2 * std::numbers::pi * frequency * time + phase);
}

double Signal::rate(double time) const {
  if (time < start || time > stop) return 0;
  if (!keyframes.empty()) {
    for (std::size_t i = 1; i < keyframes.size(); ++i) {
      const auto& [t0, v0] = keyframes[i - 1];
      const auto& [t1, v1] = keyframes[i];
      if (time >= t0 && time < t1) return (v1 - v0) / (t1 - t0);
    }
    return 0;
  }
  const double w = 2 * std::numbers::pi * frequency;
  return amplitude * w * std::cos(w * time + phase);
}

bool Signal::varies() const {
  if (start > -1e300 || stop < 1e300) return true;
  return keyframes.empty() ? amplitude != 0 : keyframes.size() > 1;
}

bool Motion::moves() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const MotionStep& step) { return step.amount.varies(); });
}

namespace {

void cross(const double* a, const double* b, double* out) {
  const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  for (int k = 0; k < 3; ++k) out[k] = c[k];
}

// Rodrigues: r cos + (n x r) sin + n (n.r)(1 - cos).
void turn(const double* n, double angle, const double* r, double* out) {
  double nr[3];
  cross(n, r, nr);
  const double c = std::cos(angle), s = std::sin(angle), d = n[0] * r[0] + n[1] * r[1] + n[2] * r[2];
  const double turned[3] = {r[0] * c + nr[0] * s + n[0] * d * (1 - c), r[1] * c + nr[1] * s + n[1] * d * (1 - c),
                            r[2] * c + nr[2] * s + n[2] * d * (1 - c)};
  for (int k = 0; k < 3; ++k) out[k] = turned[k];
}

}  // namespace

void Motion::at(double time, const double* x0, double* x, double* v) const {
  for (int k = 0; k < 3; ++k) x[k] = x0[k], v[k] = 0;
  for (const MotionStep& step : steps_) {
    const double amount = step.amount.at(time), rate = step.amount.rate(time);
    if (step.kind == MotionStep::Kind::translate) {
      for (int k = 0; k < 3; ++k) x[k] += amount * step.direction[k], v[k] += rate * step.direction[k];
      continue;
    }
    const double length = std::hypot(step.direction[0], step.direction[1], step.direction[2]);
    double n[3], r[3], spin[3];
    for (int k = 0; k < 3; ++k) n[k] = step.direction[k] / length, r[k] = x[k] - step.centre[k];
    turn(n, amount, r, r);
    turn(n, amount, v, v);
    cross(n, r, spin);
    for (int k = 0; k < 3; ++k) x[k] = step.centre[k] + r[k], v[k] += rate * spin[k];
  }
}

void Signal::stamp(Stamp& out) const {
  for (const double number : {constant, amplitude, frequency, phase, start, stop}) out.add(number);
  for (const auto& [time, value] : keyframes) out.add(time), out.add(value);
}

void Motion::stamp(Stamp& out) const {
  for (const MotionStep& step : steps_) {
    out.add(static_cast<int>(step.kind));
    for (int k = 0; k < 3; ++k) out.add(step.direction[k]), out.add(step.centre[k]);
    step.amount.stamp(out);
  }
}

}  // namespace resilin
