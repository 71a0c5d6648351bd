#include "lab/study.h"

#include <atomic>

#include "lab/toolkit.h"
#include "simd/mat3.h"
#include "simd/polar3.h"
#include "simulation/solve_stage.h"

namespace resilin::lab {

// ---- iterations and time to an error ---------------------------------------------------------------------------

namespace {

// What a method did from one state.
struct Solved {
  SolveReport report;                   // of the longest solve
  std::vector<double> seconds, errors;  // by iteration; seconds: the least of all solves so far
};

struct Contestant {
  const Method& method;
  std::unique_ptr<Solver> solver;
  std::vector<Solved> frames = {};
};

// One solve from the stage's guess: to the end, or where the minimum is known until the error is small enough.
void solve(Contestant& c, Study& study, std::optional<double> minimum) {
  Solved& into = c.frames.back();
  std::atomic<bool> enough = false;
  const double small = c.method.dear ? error_targets.back() : least_error;
  double first = std::numeric_limits<double>::quiet_NaN();
  c.solver->observe = [&](const std::vector<double>&,
                          const IterationRecord& record) {  // the clock stands meanwhile
    if (std::isnan(first)) first = record.objective;
    enough = minimum && record.objective - *minimum <= small * (first - *minimum);
  };
  std::vector<double> y;
  SolveReport report = study.solve(
      *c.solver, {.iterations = c.method.iterations, .gradient = minimum ? 0 : 1e-6, .cancel = &enough}, y);
  c.solver->observe = nullptr;
  const std::size_t both = std::min(report.trace.size(), into.seconds.size());
  for (std::size_t k = 0; k < both; ++k) into.seconds[k] = std::min(into.seconds[k], report.trace[k].seconds);
  for (std::size_t k = both; k < report.trace.size(); ++k) into.seconds.push_back(report.trace[k].seconds);
  if (report.trace.size() >= into.report.trace.size()) into.report = std::move(report);
}

// All methods from one state. The minimum is the lowest point that the reference or a repeated method finds; these
// go all the way once, and whatever else is timed ends when it is close. Free flight, with nothing to do, is not
// counted.
void compare_frame(std::vector<Contestant>& all, Study study, bool last, const NeededOptions& options,
                   Solver& reference) {
  std::vector<double> y;
  double minimum = std::numeric_limits<double>::infinity();
  if (options.reference > 0)
    minimum = study.solve(reference, {.iterations = options.reference, .gradient = 1e-8}, y).objective;
  for (Contestant& c : all) {
    if (!c.method.repeated) continue;
    c.frames.emplace_back();
    solve(c, study, std::nullopt);
    minimum = Least::of({minimum, c.frames.back().report.objective});
  }
  if (all[0].frames.back().report.iterations == 0) {
    for (Contestant& c : all)
      if (c.method.repeated) c.frames.pop_back();
    return;
  }
  for (int i = 1; i < options.repeat; ++i)
    for (Contestant& c : all)
      if (c.method.repeated) solve(c, study, minimum);
  for (Contestant& c : all) {
    if (!c.method.repeated && (last || !c.method.dear)) c.frames.emplace_back(), solve(c, study, minimum);
    if (!c.frames.empty() && c.frames.back().errors.empty())
      c.frames.back().errors = relative_errors(c.frames.back().report, minimum);
  }
}

// A solve that ended stays where it was.
void add_curve(const Contestant& c, Needed& into) {
  std::size_t longest = 0;
  for (const Solved& one : c.frames) longest = std::max(longest, one.errors.size());
  for (std::size_t k = 0; k < longest; ++k) {
    std::vector<double> errors, ms;
    for (const Solved& one : c.frames) {
      errors.push_back(one.errors[std::min(k, one.errors.size() - 1)]);
      ms.push_back(1e3 * one.seconds[std::min(k, one.seconds.size() - 1)]);
    }
    into.curve_error.push_back(median(std::move(errors)));
    into.curve_ms.push_back(median(std::move(ms)));
    if (into.curve_error.back() <= least_error) return;
  }
}

Needed summary(const Contestant& c) {
  Needed out;
  out.compared = static_cast<int>(c.frames.size());
  for (const Solved& one : c.frames) {
    const std::size_t last = one.errors.size() - 1;
    for (std::size_t t = 0; t < error_targets.size(); ++t) {
      const std::size_t at = static_cast<std::size_t>(iterations_to(one.errors, error_targets[t]));
      out.iterations[t] += static_cast<double>(std::min(at, last)) / out.compared;
      out.ms[t] += 1e3 * one.seconds[std::min(at, last)] / out.compared;
      out.missed[t] += at > last ? 1 : 0;
    }
    out.finite = out.finite && one.report.status != Status::not_finite;
  }
  add_curve(c, out);
  return out;
}

}  // namespace

std::vector<Needed> needed(Simulation& past, const std::vector<Method>& methods, const NeededOptions& options) {
  std::vector<Contestant> all;
  for (const Method& method : methods) {
    all.push_back({method, lab::make_solver(method.solver, method.params)});
    all.back().solver->tracing = true;
  }
  const auto reference = lab::make_solver("quasi_newton", {{"coarse_modes", 5}, {"linear_solver", "cholesky"}});
  bool warm = false;
  for (int frame = 1; frame <= options.frames; ++frame) {
    advance(past);
    if (frame % options.every != 0) continue;
    Study study(past);
    std::vector<double> y;
    for (Contestant& c : all)  // makes factors and all else that a steady run pays for once
      if (!warm && !c.method.dear) study.solve(*c.solver, {.iterations = 1}, y);
    warm = true;
    compare_frame(all, std::move(study), frame + options.every > options.frames, options, *reference);
  }
  std::vector<Needed> out;
  for (const Contestant& c : all) out.push_back(summary(c));
  return out;
}

// ---- trajectories against a converged run ----------------------------------------------------------------------

namespace {

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
  return sum;
}

std::vector<double> centred(std::vector<double> q) {
  double mean[3] = {};
  for (std::size_t i = 0; i < q.size(); ++i) mean[i % 3] += 3 * q[i] / static_cast<double>(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] -= mean[i % 3];
  return q;
}

// Of a to b, moved as a rigid body to where they are nearest: the rotation is the polar factor of sum a b^T.
double squared_distance_of_shapes(const std::vector<double>& a, const std::vector<double>& b) {
  const auto from = centred(b), to = centred(a);
  double covariance[9] = {}, rotation[9];
  for (std::size_t v = 0; v < to.size(); v += 3)
    for (int k = 0; k < 9; ++k) covariance[k] += to[v + k / 3] * from[v + k % 3];
  polar3(covariance, rotation);
  std::vector<double> turned(from.size());
  for (std::size_t v = 0; v < to.size(); v += 3) apply(rotation, &from[v], &turned[v]);
  return squared_distance(to, turned);
}

}  // namespace

std::vector<OwnTrajectory> own_trajectories(Simulation& converged,
                                            const std::vector<std::unique_ptr<Simulation>>& runs, int frames) {
  std::vector<OwnTrajectory> out(runs.size());
  std::vector<std::vector<double>> seconds(runs.size());
  for (int frame = 0; frame < frames; ++frame) {
    advance(converged);
    for (std::size_t m = 0; m < runs.size(); ++m) {
      const StepReport report = runs[m]->step();
      out[m].finite = out[m].finite && report.status != Status::not_finite;
      seconds[m].push_back(report.seconds);
      out[m].error += squared_distance(runs[m]->positions(), converged.positions());
      out[m].shape += squared_distance_of_shapes(runs[m]->positions(), converged.positions());
    }
  }
  for (std::size_t m = 0; m < runs.size(); ++m) {
    for (double* sum : {&out[m].error, &out[m].shape})
      *sum = std::sqrt(*sum / (frames * runs[m]->model().vertex_count())) / runs[m]->model().size();
    out[m].ms = 1e3 * median(std::move(seconds[m]));
  }
  return out;
}

}  // namespace resilin::lab
