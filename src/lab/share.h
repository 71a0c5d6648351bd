// A claim over a range of settings: the share of them at which it holds is what an experiment judges, so that no
// single setting, chosen after a look, decides.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lab/experiment.h"

namespace resilin::lab {

/// The geometric mean of ratios; 1 when none was seen.
class GeometricMean {
 public:
  void see(double ratio) { sum_ += std::log(ratio), ++count_; }
  int count() const { return count_; }
  double value() const { return std::exp(sum_ / std::max(1, count_)); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

/// `body` for each of the settings, with the progress told after each; `name`: of a setting.
template <class List, class Name, class Body>
void for_each_setting(Findings& findings, const List& settings, Name name, Body body) {
  int done = 0;
  for (const auto& one : settings) {
    body(one);
    findings.progress(++done, static_cast<int>(std::size(settings)), name(one));
  }
}

class Share {
 public:
  /// One more setting. A comparison with NaN is false: the claim does not hold there.
  void see(bool holds) { held_ += holds, ++all_; }
  /// NaN when no setting was seen: then its row fails.
  double value() const {
    return all_ > 0 ? static_cast<double>(held_) / all_ : std::numeric_limits<double>::quiet_NaN();
  }
  /// The claim holds at `least` of the settings, or more.
  void judge(const std::string& claim, double least, Findings& findings, const std::string& note = "") const {
    findings.at_least(claim + ": share of settings", least, value(), counts(note));
  }
  void report(const std::string& claim, Findings& findings, const std::string& note = "") const {
    findings.report(claim + ": share of settings", value(), counts(note));
  }

 private:
  std::string counts(const std::string& note) const {
    return fmt::format("{} of {}{}{}", held_, all_, note.empty() ? "" : "; ", note);
  }
  int held_ = 0, all_ = 0;
};

}  // namespace resilin::lab
