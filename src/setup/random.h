// Pseudo-random numbers that are the same on every machine.
#pragma once
#include <cstdint>

namespace resilin::setup {

class Random {
 public:
  // Not a multiple of the increment of bits(): then neighbouring seeds would give the same numbers, shifted by one.
  explicit Random(std::uint64_t seed) : state_(seed * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du) {}
  std::uint64_t bits();
  double uniform(double low = 0, double high = 1);
  double normal();
  /// Row-major rotation, uniform.
  void rotation(double r[9]);

 private:
  std::uint64_t state_;
};

}  // namespace resilin::setup
