#include "scene/motion.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scene/format.h"

namespace resilin {
namespace {

constexpr double forever = 1e9;  // [s]: end of a constant speed without a stop
constexpr double radians = std::numbers::pi / 180;

std::vector<std::array<double, 2>> read_keyframes(const Settings& s) {
  const auto keyframes = s.points("keyframes");
  const Value& v = s.value("keyframes");
  if (keyframes.empty()) v.fail("keyframes need at least one [time, value]");
  for (std::size_t i = 1; i < keyframes.size(); ++i)
    if (!(keyframes[i][0] > keyframes[i - 1][0]))
      v.list()[i].fail(fmt::format("times must ascend: {} follows {}", keyframes[i][0], keyframes[i - 1][0]));
  return keyframes;
}

void check_timing(const Settings& s) {
  if (s.has("frequency") != s.has("amplitude"))
    s.value(s.has("frequency") ? "frequency" : "amplitude").fail("amplitude and frequency go together");
  if (s.has("stop") && s.number("stop") <= (s.has("start") ? s.number("start") : 0))
    s.value("stop").fail(fmt::format("{} s is not after the start", s.number("stop")));
}

// From zero at the start, linearly; then it stays. A Signal alone would fall back to zero after its stop.
Signal ramp(const Settings& s, double speed) {
  const double start = s.has("start") ? s.number("start") : 0,
               stop = s.has("stop") ? s.number("stop") : start + forever;
  Signal out;
  out.keyframes = {{start, 0}, {stop, speed * (stop - start)}};
  return out;
}

// Starts at zero displacement; a stop anywhere but at zero displacement would make the vertices jump.
Signal sine(const Settings& s, double factor) {
  Signal out;
  out.constant = 0;
  out.amplitude = factor * s.number("amplitude");
  out.frequency = s.number("frequency");
  const double start = s.has("start") ? s.number("start") : 0;
  out.phase = -2 * std::numbers::pi * out.frequency * start;
  if (s.has("start")) out.start = start;
  if (!s.has("stop")) return out;
  const double halves = 2 * out.frequency * (s.number("stop") - start);
  if (std::abs(halves - std::round(halves)) > 1e-6)
    s.value("stop").fail(
        fmt::format("{} s: the motion would jump; a sine may stop after whole half periods, such as {} s",
                    s.number("stop"), start + std::max(1.0, std::round(halves)) / (2 * out.frequency)));
  out.stop = s.number("stop");
  return out;
}

// `unit`: of keyframes, amplitude and `speed` in those of the Motion (radians for degrees).
Signal read_amount(const Settings& s, double unit, double speed) {
  check_timing(s);
  if (s.has("amplitude")) return sine(s, unit);
  if (!s.has("keyframes")) return ramp(s, unit * speed);
  for (const char* key : {"start", "stop"})
    if (s.has(key))
      s.value(key).fail("cannot be combined with keyframes, which hold the times themselves: leave it out");
  Signal out;
  out.keyframes = read_keyframes(s);
  for (auto& [time, value] : out.keyframes) value *= unit;
  return out;
}

MotionStep read_step(const Value& value, const Vec3& center, double frame) {
  const Settings step = read_object("motion_step", value);
  MotionStep out;
  if (step.has("translate")) {
    const Settings s = read_object("translation", step.value("translate"));
    out.direction = read_direction(s.value("direction"));
    out.amount = read_amount(s, 1, s.has("speed") ? s.number("speed") : 0);
    return out;
  }
  const Settings s = read_object("turning", step.value("rotate"));
  out.kind = MotionStep::Kind::rotate;
  out.direction = read_axis(s.value("axis"));
  out.centre = s.has("center") ? s.vector3("center") : center;
  const double speed = s.has("speed_degrees")       ? s.number("speed_degrees")
                       : s.has("degrees_per_frame") ? s.number("degrees_per_frame") / frame
                                                    : 0;
  out.amount = read_amount(s, radians, speed);
  return out;
}

}  // namespace

Motion read_motion(const Value& value, const Vec3& center, double frame) {
  std::vector<MotionStep> steps;
  for (const Value* item : items(value)) steps.push_back(read_step(*item, center, frame));
  return Motion(std::move(steps));
}

Motion read_placement(const Settings& placement, double frame) {
  std::vector<MotionStep> steps;
  for (const Value* item : items(placement.value("rotate"))) {
    const Settings s = read_object("rotation", *item);
    MotionStep step{MotionStep::Kind::rotate, read_axis(s.value("axis")), {0, 0, 0}, {}};
    step.amount.constant = radians * s.number("degrees");
    steps.push_back(std::move(step));
  }
  const Vec3 at = placement.vector3("translate");
  if (at != Vec3{0, 0, 0}) steps.push_back({MotionStep::Kind::translate, at, {0, 0, 0}, {}});
  const Motion motion = read_motion(placement.value("motion"), at, frame);
  steps.insert(steps.end(), motion.steps().begin(), motion.steps().end());
  return Motion(std::move(steps));
}

Signal read_signal(const Value& value) {
  Signal out;
  if (value.is_null()) return out;
  const Settings s = read_object("signal", value);
  check_timing(s);
  if (s.has("start")) out.start = s.number("start");
  if (s.has("stop")) out.stop = s.number("stop");
  if (s.has("keyframes")) {
    for (const char* key : {"constant", "amplitude", "phase"})
      if (s.has(key))
        s.value(key).fail("cannot be combined with keyframes, which give the whole factor: leave it out");
    out.keyframes = read_keyframes(s);
    return out;
  }
  out.constant = s.has("constant") ? s.number("constant") : s.has("amplitude") ? 0 : 1;
  if (!s.has("amplitude")) return out;
  out.amplitude = s.number("amplitude");
  out.frequency = s.number("frequency");
  out.phase = s.number("phase") * radians;
  return out;
}

}  // namespace resilin
