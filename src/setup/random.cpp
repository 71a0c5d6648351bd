#include "setup/random.h"

#include <cmath>
#include <numbers>

namespace resilin::setup {

std::uint64_t Random::bits() {  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
double Random::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
}
double Random::normal() {
  const double u = uniform(1e-300, 1), v = uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}
void Random::rotation(double r[9]) {
  double q[4], n = 0;
  for (double& c : q) c = normal(), n += c * c;
  for (double& c : q) c /= std::sqrt(n);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int i = 0; i < 9; ++i) r[i] = m[i];
}

}  // namespace resilin::setup
