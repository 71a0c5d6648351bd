// Seconds by parts: each lap ends one and begins the next.
#pragma once
#include <chrono>
#include <utility>

namespace resilin {

class Stopwatch {
 public:
  /// Seconds since the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace resilin
