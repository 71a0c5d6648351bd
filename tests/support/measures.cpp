#include "support/measures.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/vec3.h"

namespace resilin::test {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, difference);
  }
  return largest;
}

double mean_distance(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i += 3)
    sum += std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
  return 3 * sum / static_cast<double>(a.size());
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size());
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::array<double, 3> momentum(std::span<const double> mass, const std::vector<double>& x) {
  std::array<double, 3> sum{};
  for (std::size_t i = 0; i < x.size(); ++i) sum[i % 3] += mass[i / 3] * x[i];
  return sum;
}

std::array<double, 3> mean(const std::vector<double>& x) {
  Body all;
  all.vertex_count = static_cast<int>(x.size() / 3);
  return mean(x, all);
}

std::array<double, 3> mean(const std::vector<double>& x, const Body& body) {
  std::array<double, 3> sum{};
  const auto first = 3 * static_cast<std::size_t>(body.first_vertex),
             end = first + 3 * static_cast<std::size_t>(body.vertex_count);
  for (std::size_t i = first; i < end; ++i) sum[i % 3] += x[i] / body.vertex_count;
  return sum;
}

double tet_volume(const std::vector<double>& x, const Body& body) {
  double sum = 0;
  for (std::size_t t = 0; t < body.tets.size(); t += 4) {
    const auto at = [&](std::size_t i) { return vertex_at(x, body.tets[t + i]); };
    sum += resilin::dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0)) / 6;
  }
  return sum;
}

}  // namespace resilin::test
