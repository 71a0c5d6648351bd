#include "solvers/descent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "objective/vectors.h"
#include "potentials/dissipation.h"
#include "resilin/errors.h"

namespace resilin {

Params stop_params() {
  return {integer("iterations", 10, between(1, 1000000), "iterations per stage at most"),
          number("tolerance", "", 1e-3, between(0, 1), "stop when |gradient| has fallen by this factor"),
          number("budget", "s", 0, at_least(0), "wall-clock budget per stage, kept by foresight; 0 means none")};
}

StopRule stop_rule(const Settings& s) {
  StopRule rule;
  rule.iterations = s.integer("iterations");
  rule.tolerance = s.number("tolerance");
  rule.seconds = s.number("budget");
  return rule;
}

Recorder::Recorder(Solver& solver, SolveReport& report)
    : solver_(solver), report_(report), start_(std::chrono::steady_clock::now()) {}

double Recorder::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() - paused_;
}

void Recorder::record(const Objective& objective, double value, double residual, double step_length, int evaluations,
                      const std::vector<double>& y) {
  if (!solver_.tracing && !solver_.observe) return;
  const double now = seconds();
  {
    const PhaseTimer pause(paused_);
    if (solver_.tracing)
      report_.trace.push_back({value, objective.inertia(), objective.potential(), residual, step_length, evaluations, now});
    if (solver_.observe) solver_.observe(y);
  }
}

void require_smooth(const Objective& objective, const std::string& solver) {
  for (const Term& term : objective.model().terms)
    for (const auto& potential : term.potentials)
      if (const auto* damping = dynamic_cast<const Dissipation*>(potential.get()); damping != nullptr && !damping->smooth())
        throw InputError("solver", fmt::format("{} cannot take \"{}\" of term \"{}\": its force jumps at rest; use admm, or a "
                                               "smoothing above 0",
                                               solver, damping->name(), term.name));
}

// One unit in the last place of the positions, times the inertia that it costs: scales with the problem's own units.
double residual_floor(const Objective& objective) {
  const double weight = 1 / (objective.tau() * objective.tau());
  return 8 * std::numeric_limits<double>::epsilon() * weight * objective.total_mass() * objective.model_size();
}

namespace {

constexpr int deep_cut = 6;  // trial points of the first line search that make the start suspicious

// The stage's origin, with every floating component moved by its mean ballistic step: keeps momentum (E81) and the shape that had
// a bounded energy. Pinned vertices stay where y has them.
void gentle_start(const Objective& objective, const Stage& stage, const std::vector<double>& y, std::vector<double>& start) {
  start = stage.origin;
  const auto& mass = objective.model().mass;
  for (const auto& component : objective.floating_components())
    for (int k = 0; k < 3; ++k) {
      double moved = 0, total = 0;
      for (const int v : component) total += mass[v], moved += mass[v] * (stage.target[3 * v + k] - stage.origin[3 * v + k]);
      for (const int v : component) start[3 * v + k] += moved / total;
    }
  for (int v = 0; v < objective.vertices(); ++v)
    if (objective.free_index()[v] < 0) std::copy_n(&y[3 * v], 3, &start[3 * v]);
}

}  // namespace

SolveReport descend(Objective& objective, const Stage& stage, std::vector<double>& y, const StopRule& stop, const LineSearch& search,
                    DescentMethod& method, DescentWorkspace& w, Solver& solver) {
  const auto size = static_cast<std::size_t>(objective.size());
  for (auto* v : {&w.gradient, &w.trial_gradient, &w.direction, &w.trial, &w.start, &w.start_gradient}) v->resize(size);
  SolveReport report;
  Recorder recorder(solver, report);
  double value;
  {
    const PhaseTimer timer(report.phases.local);
    value = objective.evaluate(y.data(), w.gradient.data());
  }
  report.evaluations = 1;
  double residual = objective.gradient_norm();
  report.first_residual = residual;
  recorder.record(objective, value, residual, 0, 1, y);
  const double floor = residual_floor(objective);
  w.pace.begin(stop.seconds);
  report.status = std::isfinite(value) && std::isfinite(residual) ? Status::iteration_limit : Status::not_finite;

  while (report.status == Status::iteration_limit) {
    if (residual <= stop.tolerance * report.first_residual || residual <= floor) report.status = Status::converged;
    else if (report.iterations >= stop.iterations) break;
    else if (!w.pace.fits(recorder.seconds())) report.status = Status::time_limit;
    else if (stop.cancel != nullptr && stop.cancel->load()) report.status = Status::cancelled;
    if (report.status != Status::iteration_limit) break;

    method.seconds_left = w.pace.left(recorder.seconds());
    if (!method.direction(objective, y, w.gradient, w.direction, report)) break;
    const auto [slope, squares] = sum_chunks<2>(objective.pool(), objective.size(), w.sums, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      return std::array<double, 2>{chunk_dot(w.gradient.data() + b, w.direction.data() + b, e - b),
                                   chunk_dot(w.direction.data() + b, w.direction.data() + b, e - b)};
    });
    if (!(slope < 0)) {
      if (method.restart()) continue;
      report.status = std::isfinite(slope) ? Status::line_search_failed : Status::not_finite;
      break;
    }
    // X11: when what is left to gain is below the round-off of Phi, only the gradient can still tell better from worse.
    const bool polishing = search.enabled && -slope <= objective.precision();
    LineSearch one = search;
    if (polishing) one.enabled = false;
    // A crushed element can ask for a step of many body lengths: nothing that long is ever right, so begin with one length.
    const double length = std::sqrt(squares / objective.vertices());
    if (search.enabled) one.first = std::min(1.0, objective.model_size() / length);
    const Trial trial = line_search(objective, {y, value, slope, objective.round_off()}, one, w, report);
    if (polishing && !(trial.accepted && objective.gradient_norm() <= 0.9 * residual)) {
      ++report.evaluations;
      report.status = Status::converged;
      break;
    }
    report.evaluations += trial.evaluations;
    report.line_searches += trial.evaluations;
    if (!trial.accepted && !(search.enabled && report.iterations == 0)) {
      if (search.enabled && method.restart()) {
        value = objective.evaluate(y.data(), w.gradient.data());
        ++report.evaluations;
        continue;
      }
      report.status = search.enabled ? Status::line_search_failed : Status::not_finite;
      break;
    }
    if (report.iterations == 0 && trial.evaluations >= deep_cut) {
      gentle_start(objective, stage, y, w.start);
      const double gentle = objective.evaluate(w.start.data(), w.start_gradient.data());
      ++report.evaluations;
      if (gentle < (trial.accepted ? trial.value : value)) {
        y.swap(w.start);
        w.gradient.swap(w.start_gradient);
        value = gentle;
        residual = objective.gradient_norm();
        // The gradient of a crushed start may be larger by any factor: relative to that everything would be converged.
        report.first_residual = std::min(report.first_residual, residual);
        ++report.iterations;
        recorder.record(objective, value, residual, 0, trial.evaluations + 1, y);
        continue;
      }
      if (trial.accepted) objective.evaluate(w.trial.data(), w.trial_gradient.data()), ++report.evaluations;
    }
    if (!trial.accepted) {
      report.status = Status::line_search_failed;
      break;
    }
    if (report.iterations + 1 < stop.iterations) {  // else nobody asks for another direction
      const PhaseTimer timer(report.phases.other);
      method.accepted(y, w.trial, w.gradient, w.trial_gradient, objective.pool());
    }
    y.swap(w.trial);
    w.gradient.swap(w.trial_gradient);
    value = trial.value;
    residual = objective.gradient_norm();
    ++report.iterations;
    recorder.record(objective, value, residual, trial.alpha, trial.evaluations, y);
  }
  report.residual = residual;
  report.objective = value;
  return report;
}

}  // namespace resilin
