// The speed of a running simulation relative to real time.
#pragma once
#include <chrono>
#include <deque>
#include <optional>

namespace resilin::viewer {

/// Simulated time over wall time in a sliding window. A mean of the rates of single frames would be dominated by
/// the shortest ones.
class SpeedMeter {
 public:
  using Clock = std::chrono::steady_clock;
  explicit SpeedMeter(Clock::duration window = std::chrono::seconds(1)) : window_(window) {}

  /// A frame of `simulated` seconds began at `start` and ended at `end`. Waiting since the frame before counts.
  void add_frame(double simulated, Clock::time_point start, Clock::time_point end) {
    if (frames_.empty()) begin_ = start;
    frames_.push_back({simulated, end});
    sum_ += simulated;
    while (frames_.size() > 1 && frames_.front().end <= end - window_) {
      sum_ -= frames_.front().simulated;
      begin_ = frames_.front().end;
      frames_.pop_front();
    }
  }
  /// A pause: its wall time does not count.
  void clear() {
    frames_.clear();
    sum_ = 0;
  }
  /// Nothing before the first frame.
  std::optional<double> speed() const {
    if (frames_.empty()) return {};
    const double wall = std::chrono::duration<double>(frames_.back().end - begin_).count();
    return wall > 0 ? std::optional(sum_ / wall) : std::nullopt;
  }

 private:
  struct Frame {
    double simulated;
    Clock::time_point end;
  };
  Clock::duration window_;
  Clock::time_point begin_;  // of the oldest frame in the window
  std::deque<Frame> frames_;
  double sum_ = 0;
};

}  // namespace resilin::viewer
