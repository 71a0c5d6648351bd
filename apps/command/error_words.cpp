#include "error_words.h"

#include <fmt/format.h>

#include <cmath>

namespace resilin::cli {

double likely_error(double acceleration, double step, double span) {
  return acceleration * std::sqrt(step / 3) * std::pow(span, 1.5);
}

std::string percent(double share) {
  return 100 * share < 10     ? fmt::format("{:.1g} %", 100 * share)
         : 100 * share < 1000 ? fmt::format("{:.0f} %", 100 * share)
                              : fmt::format("{:.1g} sizes", share);
}

}  // namespace resilin::cli
