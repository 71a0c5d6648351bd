#include "solvers/descent/descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace resilin {
namespace {

using Progress = Descending::Progress;
constexpr int deep_cut = 6;         // trial points of the first line search that make the guess suspicious
constexpr double certainly = 1e-3;  // of the tolerance: small enough whatever the direction is worth
constexpr double ulp = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

class Descent::Run {
 public:
  Run(Descent& descent, Problem& problem, std::vector<double>& y, const StopRule& stop, DescentMethod& method,
      Solver& solver)
      : descent_(descent),
        options_(descent.options_),
        best_start_(descent.options_.best_start && !problem.space().vertex_mass().empty()),
        w_(descent.work_),
        rigid_start_(descent.rigid_start_),
        problem_(problem),
        vectors_(problem.space().vectors()),
        y_(y),
        method_(method),
        recorder_(solver, problem, report_),
        iterations_(stop, problem, w_.pace, report_) {}

  SolveReport run() {
    begin();
    while (report_.status == Status::iteration_limit && any_running() && iterations_.go_on()) iterate();
    end();
    return std::move(report_);
  }

 private:
  int count() const { return static_cast<int>(w_.bodies.size()); }
  bool any_running() const {
    return std::any_of(w_.bodies.begin(), w_.bodies.end(),
                       [](const Descending& b) { return b.state == Progress::running; });
  }
  template <class Visit>
  void each_active(Visit visit) const {
    for (int c = 0; c < count(); ++c)
      if (w_.active[c] != 0) visit(c);
  }
  template <class Wanted>
  bool activate(Wanted wanted) {
    for (int c = 0; c < count(); ++c) w_.active[c] = wanted(c) ? 1 : 0;
    problem_.space().set_active(w_.active);
    return problem_.space().components().active_count() > 0;
  }
  bool activate_running() {
    return activate([&](int c) { return w_.bodies[c].state == Progress::running; });
  }
  double residual() const { return std::sqrt(sum(&Descending::square)); }
  double value() const { return sum(&Descending::value); }
  // Over islands.
  double sum(double Descending::*of) const {
    double total = 0;
    for (int c = 0; c < count(); ++c)
      if (problem_.space().components().leads(c)) total += w_.bodies[c].*of;
    return total;
  }

  void begin() {
    for (auto* v : {&w_.gradient, &w_.trial_gradient, &w_.direction, &w_.trial, &w_.start_gradient, &w_.rigid_trial,
                    &w_.rigid_gradient})
      v->resize(problem_.space().size());
    w_.bodies.assign(problem_.space().components().count(), {});
    w_.active.assign(w_.bodies.size(), 1);
    w_.rigid.assign(w_.bodies.size(), {});
    w_.from_guess.reserve(w_.bodies.size()), w_.contested.reserve(w_.bodies.size());
    method_.start(problem_, y_, report_);
    if (limits_steps(problem_)) advance_start();
    w_.limited = {};
    problem_.refresh(y_.data(), w_.limited);
    evaluate(y_, w_.gradient);
    for (int c = 0; c < count(); ++c) w_.bodies[c].take(w_.here.of(c));
    report_.first_residual = residual();
    record(0, 1);
    report_.status = Status::iteration_limit;
    for (int c = 0; c < count(); ++c)
      if (w_.bodies[c].square <= std::pow(floor(c), 2))
        w_.bodies[c].state = Progress::converged, w_.bodies[c].error = 0;
    keep_finished();
    if (activate_running() && best_start_) choose_start();
    if (!std::isfinite(value()) || !std::isfinite(residual())) report_.status = Status::not_finite;
  }

  void find_rigid_start() {
    descent_.rigid_.find(problem_, y_, rigid_start_);
    descent_.anchor_ = rigid_start_;
  }
  // Where contact lets the guess be reached from the rigid motion of its island, which is safe.
  void advance_start() {
    find_rigid_start();
    if (problem_.advance_start(rigid_start_.data(), y_.data())) rigid_start_ = y_;
  }

  void evaluate(const std::vector<double>& at, std::vector<double>& gradient) {
    const Profiler::Scope phase(problem_.profiler(), Phase::local);
    w_.here = problem_.evaluate(at.data(), gradient.data(), std::move(w_.here));
    ++report_.evaluations;
  }
  void record(double step_length, int evaluations) {
    IterationRecord r;
    r.inertia = sum(&Descending::inertia), r.potential = sum(&Descending::potential);
    r.objective = value(), r.force_residual = residual(), r.step_length = step_length, r.evaluations = evaluations;
    recorder_.record(r, y_);
  }

  // ---- the start

  // Phi may be lower at the best rigid motion: then a step is taken from both points, and the lower of the results
  // is gone on from. Phi at the points themselves picks worse: a cloth that has flown freely is far above one that
  // has not moved, and nearer to the end.
  void choose_start() {
    if (!limits_steps(problem_)) find_rigid_start();  // else known
    if (!activate([&](int c) { return w_.active[c] != 0 && !(w_.bodies[c].value <= descent_.rigid_.bound(c)); }))
      return finish_start();
    evaluate(rigid_start_, w_.start_gradient);
    each_active([&](int c) { w_.rigid[c].take(w_.here.of(c)); });
    const bool contested =
        activate([&](int c) { return w_.active[c] != 0 && !(w_.bodies[c].value <= w_.rigid[c].value); });
    if (contested && iterations_.go_on()) contest();
    finish_start();
  }
  void finish_start() {
    activate_running();
    report_.first_residual = residual();
  }

  // One step from y_ and one from the rigid start, on active components.
  void contest() {
    const int before = report_.evaluations;
    w_.contested = w_.active;
    if (!first_step(rigid_start_, w_.start_gradient, w_.rigid, w_.rigid_trial, w_.rigid_gradient)) return;
    w_.from_guess = w_.bodies;
    const bool both = first_step(y_, w_.gradient, w_.from_guess, w_.trial, w_.trial_gradient);
    for (int c = 0; c < count(); ++c) {
      if (w_.contested[c] == 0) continue;
      const bool guess_wins = both && w_.from_guess[c].accepted && w_.from_guess[c].value < w_.rigid[c].value;
      w_.bodies[c] = guess_wins ? w_.from_guess[c] : w_.rigid[c];
      w_.contested[c] = guess_wins ? 1 : 2;
    }
    take_rigid_start();
    if (!iterations_.last()) {
      const Profiler::Scope phase(problem_.profiler(), Phase::history);
      method_.accepted(y_, w_.trial, w_.gradient, w_.trial_gradient, problem_);
    }
    vectors_.copy(w_.trial.data(), y_.data());
    vectors_.copy(w_.trial_gradient.data(), w_.gradient.data());
    ++report_.iterations;
    record(1, report_.evaluations - before);
  }
  // Where the step from there has won.
  void take_rigid_start() {
    const auto won = [&](int c) { return w_.contested[c] == 2; };
    const auto stepped = [&](int c) { return won(c) && w_.bodies[c].accepted; };
    vectors_.copy(rigid_start_.data(), y_.data(), won);
    vectors_.copy(w_.start_gradient.data(), w_.gradient.data(), won);
    vectors_.copy(rigid_start_.data(), w_.trial.data(), won);
    vectors_.copy(w_.start_gradient.data(), w_.trial_gradient.data(), won);
    vectors_.copy(w_.rigid_trial.data(), w_.trial.data(), stepped);
    vectors_.copy(w_.rigid_gradient.data(), w_.trial_gradient.data(), stepped);
  }

  // The full step from a point whose values stand in `bodies`; they become those of its end where Phi has fallen
  // enough.
  bool first_step(const std::vector<double>& from, const std::vector<double>& gradient,
                  std::vector<Descending>& bodies, std::vector<double>& to, std::vector<double>& to_gradient) {
    if (!method_.direction(problem_, from, gradient, 0, w_.direction, report_)) return false;
    find_slopes(gradient, bodies);
    for (int c = 0; c < count(); ++c) bodies[c].alpha = first_length(c, bodies[c]);
    make_step(problem_, from, gradient, bodies, w_, to);
    evaluate(to, to_gradient);
    ++report_.line_searches;
    each_active([&](int c) {
      Descending& body = bodies[c];
      body.trials = 1;
      body.error = iterations_.error(c, -body.slope);
      body.accepted = std::isfinite(w_.here.of(c).gradient_square) &&
                      w_.here.of(c).value() <= body.value + options_.search.gamma * body.gain + body.round_off;
      if (body.accepted) body.take(w_.here.of(c));
    });
    return true;
  }

  // ---- iterations

  // Of Phi along the direction.
  void find_slopes(const std::vector<double>& gradient, std::vector<Descending>& bodies) {
    const double* d = w_.direction.data();
    const Vectors::Pair pairs[] = {{gradient.data(), d}, {d, d}};
    vectors_.dots(pairs, w_.dots);
    each_active([&](int c) {
      bodies[c].slope = w_.dots[2 * c];
      bodies[c].length = std::sqrt(w_.dots[2 * c + 1] / problem_.space().island(c).vertices);
    });
  }
  // A crushed element can ask for a step of many body lengths: nothing that long is ever right, so begin with one
  // length.
  double first_length(int c, const Descending& body) const {
    return options_.search.enabled ? std::min(1.0, problem_.space().island(c).size / body.length) : 1;
  }

  void iterate() {
    if (!activate_running()) return;
    if (report_.iterations > 0 && problem_.refresh(y_.data(), std::exchange(w_.limited, {}))) begin_again();
    if (iterations_.balanced(residual())) return finish_all();
    if (!method_.direction(problem_, y_, w_.gradient, report_.iterations, w_.direction, report_)) return;
    find_slopes(w_.gradient, w_.bodies);
    if (judge()) return iterate();  // some have dropped what made directions useless, and nothing has been moved
    keep_finished();
    if (report_.status != Status::iteration_limit || !activate_running()) return;
    const int evaluations = line_search(problem_, y_, options_.search, w_);
    report_.evaluations += evaluations, report_.line_searches += evaluations;
    if (report_.iterations == 0 && !best_start_) mistrust_guess();
    take_steps(evaluations);
  }
  // Phi is another function now, or components have met and are one island now; y is where it was.
  void begin_again() {
    method_.function_changed();
    const auto islands = problem_.space().components().islands();
    for (int c = 0; c < count(); ++c)
      for (int other = 0; other < count(); ++other)
        if (islands[c] == islands[other] && w_.bodies[other].state == Progress::running)
          w_.bodies[c].state = Progress::running;
    activate_running();
    evaluate(y_, w_.gradient);
    each_active([&](int c) { w_.bodies[c].take(w_.here.of(c)), w_.bodies[c].pasts = 0; });
  }
  // Finds the components that are accurate or cannot go on. True: ask for another direction.
  bool judge() {
    bool again = false;
    for (int c = 0; c < count(); ++c) {
      Descending& body = w_.bodies[c];
      if (body.state != Progress::running) continue;
      if (!(body.slope < 0) && body.square > 0) {
        const bool finite = std::isfinite(body.slope);
        if (finite ? method_.restart(c) : method_.simplify(c)) again = true;
        else if (!finite) report_.status = Status::not_finite;
        else body.state = Progress::stalled;
        continue;
      }
      const double left = body.left_to_gain();
      body.error = iterations_.error(c, left);
      const bool measured =
          method_.measures(c, report_.iterations) || body.error <= certainly * iterations_.tolerance();
      if (body.square <= std::pow(floor(c), 2) || (measured && iterations_.accurate(c, left, body.potential)))
        body.state = Progress::converged;
      body.polishing = options_.search.enabled && -body.slope <= body.precision;
      body.fall = iterations_.by_error() ? 0.81 : 0.98;  // slow steps still fall to a gradient that is asked for
      body.alpha = first_length(c, body);
    }
    return again && report_.status == Status::iteration_limit;
  }
  // What rounding of the positions leaves of the forces.
  double floor(int c) const {
    const double tau = problem_.stage().tau;
    return ulp * problem_.space().island(c).mass * problem_.space().island(c).size / (tau * tau);
  }
  void finish_all() {
    for (Descending& body : w_.bodies)
      if (body.state == Progress::running) body.state = Progress::converged;
  }
  // Points of finished components stand in both of the vectors that iterations swap.
  void keep_finished() {
    vectors_.copy(y_.data(), w_.trial.data(), [&](int c) { return w_.bodies[c].state != Progress::running; });
  }

  // Of many bodies that touch, one cut says nothing about each.
  bool alone(int c) const { return problem_.space().island(c).mass == problem_.space().component_mass(c); }

  void take_steps(int evaluations) {
    double shortest = 1;
    bool any = false;
    for (int c = 0; c < count(); ++c) {
      Descending& body = w_.bodies[c];
      if (body.state != Progress::running) continue;
      if (body.accepted) {
        any = true, shortest = std::min(shortest, body.alpha);
        if (alone(c)) method_.searched(c, body.trials > 1);
      } else if (!options_.search.enabled && !body.polishing) {
        report_.status = Status::not_finite;
      } else if ((body.polishing && iterations_.by_error()) || !method_.restart(c)) {
        // Round-off may keep the energy of a stiff body from being as exact as wanted: its acceleration is.
        const bool accurate = body.polishing && iterations_.by_error() && body.error <= iterations_.tolerance();
        body.state = accurate ? Progress::converged : Progress::stalled;
      }
    }
    if (!any) return;
    if (!iterations_.last()) {  // else there is no further direction
      const Profiler::Scope phase(problem_.profiler(), Phase::history);
      method_.accepted(y_, w_.trial, w_.gradient, w_.trial_gradient, problem_);
    }
    y_.swap(w_.trial);
    w_.gradient.swap(w_.trial_gradient);
    for (Descending& body : w_.bodies) body.note_value();
    ++report_.iterations;
    record(shortest, evaluations);
  }

  // Elements were crushed or turned over in free flight: the rigid motion has the bounded energy of the stage's
  // origin.
  void mistrust_guess() {
    if (!options_.search.enabled || problem_.space().vertex_mass().empty() || !activate([&](int c) {
          return w_.bodies[c].state == Progress::running && w_.bodies[c].trials >= deep_cut;
        }))
      return void(activate_running());
    if (!limits_steps(problem_)) find_rigid_start();  // else known
    evaluate(rigid_start_, w_.start_gradient);
    each_active([&](int c) {
      Descending& body = w_.bodies[c];
      w_.active[c] = w_.here.of(c).value() < body.value ? 1 : 0;
      if (w_.active[c] == 0) return;
      body.take(w_.here.of(c));
      body.accepted = true, body.alpha = 0;
    });
    // No pair comes of it: y and its gradient move along.
    const auto moved = [&](int c) { return w_.active[c] != 0; };
    for (auto* to : {&y_, &w_.trial}) vectors_.copy(rigid_start_.data(), to->data(), moved);
    for (auto* to : {&w_.gradient, &w_.trial_gradient}) vectors_.copy(w_.start_gradient.data(), to->data(), moved);
    // The gradient of a crushed start may be larger by any factor: relative to that everything would be converged.
    report_.first_residual = std::min(report_.first_residual, residual());
    activate_running();
  }

  // ---- the end

  void end() {
    w_.errors.clear();
    bool stalled = false, running = false;
    for (const Descending& body : w_.bodies) {
      w_.errors.push_back(body.error);
      stalled = stalled || body.state == Progress::stalled, running = running || body.state == Progress::running;
    }
    // A component may stall at round-off while the gradient of all has fallen as far as was asked.
    stalled = stalled && !iterations_.balanced(residual());
    note_errors(w_.errors, report_);
    if (!running && report_.status != Status::not_finite)
      report_.status = stalled ? Status::stalled : Status::converged;
    const bool usable = report_.status != Status::not_finite && report_.status != Status::cancelled;
    if (best_start_ && usable && (running || stalled))
      descent_.guard_.apply(problem_, descent_.anchor_, y_, w_, report_);
    report_.residual = residual();
    report_.objective = value();
    activate([](int) { return true; });
  }

  Descent& descent_;
  const DescentOptions& options_;
  const bool best_start_;  // rigid motions are those of vertices: a subspace has none
  DescentWorkspace& w_;
  std::vector<double>& rigid_start_;
  Problem& problem_;
  Vectors& vectors_;
  std::vector<double>& y_;
  DescentMethod& method_;
  SolveReport report_;
  Recorder recorder_;
  Iterations iterations_;
};

SolveReport Descent::run(Problem& problem, std::vector<double>& y, const StopRule& stop, DescentMethod& method,
                         Solver& solver) {
  return Run(*this, problem, y, stop, method, solver).run();
}

}  // namespace resilin
