#include "solvers/line_search.h"

#include <cmath>
#include <limits>

#include "objective/vectors.h"
#include "solvers/descent.h"

namespace resilin {

LineSearch::LineSearch(const Settings& s)
    : enabled(s.boolean("line_search")), gamma(s.number("gamma")), wolfe(s.text("search") == "strong_wolfe") {
  if (wolfe && gamma >= curvature) s.value("gamma").fail("with search strong_wolfe it must be less than 0.9");
}

Params LineSearch::params(double most_gamma) {
  return {boolean("line_search", true, "without it a general material may explode"),
          choice("search", {"armijo", "strong_wolfe"},
                 "backtracking, or bracketing and zoom with the strong Wolfe conditions"),
          number("gamma", "", 0.3, {0, most_gamma, true, most_gamma == 1},
                 "sufficient decrease that a step must bring")};
}

namespace {

// Phi and its gradient at y + alpha d; false when they are not finite.
bool try_step(Objective& objective, const std::vector<double>& y, Trial& t, DescentWorkspace& w,
              SolveReport& report) {
  const PhaseTimer timer(t.evaluations == 0 ? report.phases.local : report.phases.line_search);
  for_chunks(objective.pool(), objective.size(), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
    for (std::ptrdiff_t k = b; k < e; ++k) w.trial[k] = y[k] + t.alpha * w.direction[k];
  });
  t.value = objective.evaluate(w.trial.data(), w.trial_gradient.data());
  ++t.evaluations;
  return std::isfinite(t.value) && std::isfinite(objective.gradient_norm());
}

Trial armijo(Objective& objective, const SearchStart& start, const LineSearch& search, DescentWorkspace& w,
             SolveReport& report) {
  Trial t{start.value, search.first, 0, false};
  for (int i = 0; i <= search.most; ++i, t.alpha *= search.shrink) {
    const bool finite = try_step(objective, start.y, t, w, report);
    t.accepted = finite && (!search.enabled ||
                            t.value <= start.value + search.gamma * t.alpha * start.slope + start.allowance);
    if (t.accepted || !search.enabled) break;
  }
  return t;
}

class WolfeSearch {
 public:
  WolfeSearch(Objective& objective, const SearchStart& start, const LineSearch& search, DescentWorkspace& w,
              SolveReport& report)
      : objective_(objective), start_(start), search_(search), w_(w), report_(report) {}

  // Alg. 3.5: lengthen until the step is good or an interval holds a good one.
  Trial run() {
    Point before{0, start_.value, start_.slope};
    for (double alpha = search_.first; trial_.evaluations < search_.most; alpha *= 2) {
      const Point now = at(alpha);
      if (too_high(now) || (trial_.evaluations > 1 && now.value >= before.value)) return zoom(before, now);
      if (flat(now)) return finish(now);
      if (now.slope >= 0) return zoom(now, before);
      before = now;
    }
    return finish(before);
  }

 private:
  struct Point {
    double alpha, value, slope;
  };

  Point at(double alpha) {
    trial_.alpha = alpha;
    if (!try_step(objective_, start_.y, trial_, w_, report_))
      return {alpha, std::numeric_limits<double>::infinity(), 0};
    const auto slope =
        sum_chunks<1>(objective_.pool(), objective_.size(), w_.sums, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
          return std::array<double, 1>{chunk_dot(w_.trial_gradient.data() + b, w_.direction.data() + b, e - b)};
        });
    return {alpha, trial_.value, slope[0]};
  }
  bool too_high(const Point& p) const {
    return !(p.value <= start_.value + search_.gamma * p.alpha * start_.slope + start_.allowance);
  }
  bool flat(const Point& p) const { return std::abs(p.slope) <= -search_.curvature * start_.slope; }

  // Alg. 3.6: `low` satisfies the sufficient decrease and has the lower value.
  Trial zoom(Point low, Point high) {
    while (trial_.evaluations < search_.most) {
      const Point middle = at(0.5 * (low.alpha + high.alpha));
      if (too_high(middle) || middle.value >= low.value) {
        high = middle;
        continue;
      }
      if (flat(middle)) return finish(middle);
      if (middle.slope * (high.alpha - low.alpha) >= 0) high = low;
      low = middle;
    }
    return finish(low);
  }

  // Goes back to the point when another one was tried after it.
  Trial finish(const Point& p) {
    trial_.accepted = p.alpha > 0 && std::isfinite(p.value);
    if (trial_.accepted && trial_.alpha != p.alpha) at(p.alpha);
    return trial_;
  }

  Objective& objective_;
  const SearchStart& start_;
  const LineSearch& search_;
  DescentWorkspace& w_;
  SolveReport& report_;
  Trial trial_{0, 0, 0, false};
};

}  // namespace

Trial line_search(Objective& objective, const SearchStart& start, const LineSearch& search, DescentWorkspace& w,
                  SolveReport& report) {
  if (search.enabled && search.wolfe) return WolfeSearch(objective, start, search, w, report).run();
  return armijo(objective, start, search, w, report);
}

}  // namespace resilin
