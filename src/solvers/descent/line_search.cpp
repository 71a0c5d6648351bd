#include "solvers/descent/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace resilin {

LineSearch::LineSearch(const Settings& s)
    : enabled(s.boolean("line_search")),
      gamma(s.number("gamma")),
      parabola(s.text("search") == "parabola"),
      wolfe(s.text("search") == "strong_wolfe") {
  if (wolfe && gamma >= curvature) s.value("gamma").fail("with search strong_wolfe it must be less than 0.9");
}

Params LineSearch::params(double most_gamma) {
  return {boolean("line_search", true,
                  "true: shorten steps until the objective falls; without it nonlinear materials can diverge"),
          choice("search", {"parabola", "armijo", "strong_wolfe"},
                 "how the step length is found. parabola: backtracking to the minimum of a parabola; armijo: by "
                 "halves; strong_wolfe: bracketing and zoom"),
          number("gamma", "", 0.3, {0, most_gamma, true, most_gamma == 1},
                 "fraction of the expected decrease that a step must reach (Armijo condition)")};
}

void Descending::take(const Evaluation::Part& here) {
  value = here.value(), inertia = here.inertia, potential = here.potential;
  square = here.gradient_square, precision = here.precision, round_off = here.round_off();
}

double Descending::left_to_gain() const {
  if (pasts < static_cast<int>(past.size())) return -slope;
  const auto back = [&](int i) { return past[(pasts - 1 - i) % past.size()]; };
  const double newer = back(window) - back(0), older = back(2 * window) - back(window);
  const double ratio = older > 0 ? std::min(newer / older, 0.9) : 0.9;
  return std::max(-slope, 0.25 * newer * ratio / (1 - ratio));
}

// Steps shortened at single vertices need not lead downhill any more: then all vertices of the island are shortened
// alike.
void make_step(Problem& problem, const std::vector<double>& from, const std::vector<double>& gradient,
               std::vector<Descending>& bodies, DescentWorkspace& w, std::vector<double>& to) {
  Vectors& vectors = problem.space().vectors();
  const auto length = [&](int c) { return bodies[c].alpha; };
  vectors.step(from.data(), length, w.direction.data(), to.data());
  for (Descending& body : bodies) body.gain = body.alpha * body.slope;
  if (!limits_steps(problem)) return;
  w.limited = problem.limit_step(from.data(), to.data(), w.part);
  if (!w.limited.any()) return;
  w.taken.resize(from.size());
  vectors.add(to.data(), -1, from.data(), w.taken.data());
  const Vectors::Pair pair{gradient.data(), w.taken.data()};
  vectors.dots(std::span(&pair, 1), w.dots);
  bool uphill = false;
  for (std::size_t c = 0; c < bodies.size(); ++c) {
    if (!(w.part[c] < 1)) continue;
    bodies[c].gain = w.dots[c];
    if (w.dots[c] < 0) {
      w.part[c] = 1;
      continue;
    }
    bodies[c].alpha *= w.part[c], bodies[c].gain = bodies[c].alpha * bodies[c].slope;
    uphill = true;
  }
  if (!uphill) return;
  vectors.step(from.data(), length, w.direction.data(), w.taken.data());
  vectors.copy(w.taken.data(), to.data(), [&](int c) { return w.part[c] < 1; });
}

namespace {

using Progress = Descending::Progress;

// Phi and its gradient at y + alpha d of the active components.
void try_step(Problem& problem, const std::vector<double>& y, DescentWorkspace& w, bool first) {
  const Profiler::Scope phase(problem.profiler(), first ? Phase::local : Phase::line_search);
  make_step(problem, y, w.gradient, w.bodies, w, w.trial);
  w.here = problem.evaluate(w.trial.data(), w.trial_gradient.data(), std::move(w.here));
}

struct Search {
  Problem& problem_;
  const std::vector<double>& y_;
  const LineSearch& search_;
  DescentWorkspace& w_;
};

class Backtracking : private Search {
 public:
  explicit Backtracking(const Search& search) : Search(search) {}

  int run() {
    for (std::size_t c = 0; c < w_.bodies.size(); ++c) w_.active[c] = w_.bodies[c].state == Progress::running;
    w_.running = w_.active;
    int evaluations = 0;
    for (; evaluations <= search_.most; ++evaluations) {
      problem_.space().set_active(w_.active);
      if (problem_.space().components().active_count() == 0) break;
      try_step(problem_, y_, w_, evaluations == 0);
      for (std::size_t c = 0; c < w_.bodies.size(); ++c)
        if (w_.active[c] != 0) judge(static_cast<int>(c), w_.bodies[c]);
    }
    go_back();
    return evaluations;
  }

 private:
  void judge(int c, Descending& body) {
    const double value = w_.here.of(c).value(), square = w_.here.of(c).gradient_square;
    const bool finite = std::isfinite(value) && std::isfinite(square);
    ++body.trials;
    const bool as_it_is = !search_.enabled || body.polishing;
    // X11: when polishing only the gradient can still tell better from worse.
    const bool better = body.polishing
                            ? square <= body.fall * body.square
                            : as_it_is || value <= body.value + search_.gamma * body.gain + body.round_off;
    body.accepted = finite && better;
    if (body.accepted) body.take(w_.here.of(c));
    if (body.accepted || as_it_is) w_.active[c] = 0;
    else body.alpha *= shrink(body, value, finite);
  }
  // Where the parabola through value, slope and trial is least, within a tenth and a half.
  double shrink(const Descending& body, double value, bool finite) const {
    if (!search_.parabola || !finite) return search_.shrink;
    const double rise = value - body.value - body.gain;
    return std::clamp(-0.5 * body.gain / rise, 0.1, 0.5);
  }
  // Those that have found no step stay where they were.
  void go_back() {
    problem_.space().set_active(w_.running);
    const auto stayed = [&](int c) { return !w_.bodies[c].accepted; };
    problem_.space().vectors().copy(y_.data(), w_.trial.data(), stayed);
    problem_.space().vectors().copy(w_.gradient.data(), w_.trial_gradient.data(), stayed);
  }
};

// One length for all components: it is there for comparisons.
class WolfeSearch : private Search {
 public:
  explicit WolfeSearch(const Search& search) : Search(search) {
    for (int c = 0; c < std::ssize(w_.bodies); ++c) {
      const Descending& body = w_.bodies[c];
      if (body.state != Progress::running || !problem_.space().components().leads(c)) continue;
      value_ += body.value, slope_ += body.slope, allowance_ += body.round_off;
      first_ = std::min(first_, body.alpha);
    }
  }

  // Alg. 3.5: lengthen until the step is good or an interval holds a good one.
  int run() {
    Point before{0, value_, slope_};
    for (double alpha = first_; evaluations_ < search_.most; alpha *= 2) {
      const Point now = at(alpha);
      if (too_high(now) || (evaluations_ > 1 && now.value >= before.value)) return zoom(before, now);
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
    for (Descending& body : w_.bodies) body.alpha = alpha;
    try_step(problem_, y_, w_, evaluations_++ == 0);
    const double value = w_.here.value();
    if (!std::isfinite(value) || !std::isfinite(w_.here.gradient_norm()))
      return {alpha, std::numeric_limits<double>::infinity(), 0};
    return {alpha, value, problem_.space().vectors().dot(w_.trial_gradient.data(), w_.direction.data())};
  }
  bool too_high(const Point& p) const {
    return !(p.value <= value_ + search_.gamma * p.alpha * slope_ + allowance_);
  }
  bool flat(const Point& p) const { return std::abs(p.slope) <= -search_.curvature * slope_; }

  // Alg. 3.6: `low` satisfies the sufficient decrease and has the lower value.
  int zoom(Point low, Point high) {
    while (evaluations_ < search_.most) {
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
  int finish(const Point& p) {
    const bool accepted = p.alpha > 0 && std::isfinite(p.value);
    if (w_.bodies[0].alpha != p.alpha) at(p.alpha);
    for (std::size_t c = 0; c < w_.bodies.size(); ++c) {
      Descending& body = w_.bodies[c];
      if (body.state != Progress::running) continue;
      body.trials = evaluations_, body.accepted = accepted;
      if (accepted) body.take(w_.here.of(static_cast<int>(c)));
    }
    return evaluations_;
  }

  double value_ = 0, slope_ = 0, allowance_ = 0, first_ = 1;
  int evaluations_ = 0;
};

}  // namespace

int line_search(Problem& problem, const std::vector<double>& y, const LineSearch& search, DescentWorkspace& w) {
  for (Descending& body : w.bodies) body.trials = 0, body.accepted = false;
  const bool polishing =
      std::any_of(w.bodies.begin(), w.bodies.end(), [](const Descending& body) { return body.polishing; });
  // Strong Wolfe wants the slope at the end of the step, which contact may have bent.
  if (search.enabled && search.wolfe && !polishing && !limits_steps(problem))
    return WolfeSearch({problem, y, search, w}).run();
  return Backtracking({problem, y, search, w}).run();
}

}  // namespace resilin
