// The worst of many measured values, for rows that judge by it. std::max drops a NaN; here one NaN stays, so that
// its row fails. What has seen nothing is NaN too: a row that measured nothing does not pass.
#pragma once
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>

namespace resilin::setup {

template <class Before>
class Extreme {
 public:
  Extreme() = default;
  Extreme(double first) { see(first); }

  template <class Range = std::initializer_list<double>>
  static double of(const Range& values) {
    Extreme out;
    for (const double x : values) out.see(x);
    return out;
  }

  void see(double x) {
    if (empty_ || std::isnan(x) || Before()(value_, x)) value_ = x;  // a NaN compares false: it stays
    empty_ = false;
  }
  operator double() const { return value_; }

 private:
  bool empty_ = true;
  double value_ = std::numeric_limits<double>::quiet_NaN();
};

/// The largest value seen.
using Worst = Extreme<std::less<>>;
/// The smallest value seen.
using Least = Extreme<std::greater<>>;

}  // namespace resilin::setup
