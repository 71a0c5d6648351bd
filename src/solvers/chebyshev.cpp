// Chebyshev semi-iterative acceleration of descent on the constant Hessian (Wang 2015, as in Liu et al. 2017, Alg.
// 3), on the shared loop:
//   q = -A^-1 g(x_k),   d = omega (x_k + q - x_(k-1)) + x_(k-1) - x_k = omega q + (omega - 1)(x_k - x_(k-1))
// with omega = 1 for the first S steps, then 2/(2 - rho^2), then 4/(4 - rho^2 omega). rho estimates the spectral
// radius of 1 - A^-1 H: too large makes the iteration overshoot, too small makes it slow. A direction that is not
// one of descent drops the acceleration for a step.
//
// Unless rho is given it is found on the first frames: by bisection, the largest one with which the line search has
// no more to cut than without acceleration; the smallest of those frames is kept.
#include <cmath>

#include "resilin/solver.h"
#include "solvers/descent/descent.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/interface_rows.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/requirements.h"

namespace resilin {
namespace {

class Method final : public DescentMethod {
 public:
  Method(const std::string& linear, int plain) : factor_(linear), plain_(plain) {}

  bool begin(Problem& problem, SolveReport& report) {
    const Profiler::Scope phase(problem.profiler(), Phase::global);
    if (factor_.prepare(problem)) ++report.factorisations;
    drags_.set(problem, drag_rows(problem), factor_.version());
    return factor_.ok();
  }
  void begin(double radius, std::size_t size) {
    radius_ = radius;
    waiting_ = std::max(plain_, 1);  // X8: there is no x_(k-1) yet at the first step
    omega_ = 1;
    step_.assign(size, 0.0);
  }
  int plain() const { return plain_; }

  bool direction(Problem& problem, const std::vector<double>& y, const std::vector<double>& g, int,
                 std::vector<double>& d, SolveReport&) override {
    {
      const Profiler::Scope phase(problem.profiler(), Phase::global);
      Linearisation& at = problem.linearise(y.data());
      std::vector<RankOneStiffness> rows = at.rank_one();
      add_interface_rows(problem, y.data(), at.pairs(), rows);
      with_rows_.set(problem, std::move(rows));
      with_rows_.apply(g.data(), d.data());
    }
    const double rho2 = radius_ * radius_;
    if (waiting_ > 0) omega_ = 1;
    else omega_ = omega_ == 1 ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega_);
    const Scaled momentum{omega_ - 1, step_.data()};
    problem.space().vectors().combine(-omega_, d.data(), std::span(&momentum, 1), d.data());
    return true;
  }
  void accepted(const std::vector<double>& from, const std::vector<double>& to, const std::vector<double>&,
                const std::vector<double>&, Problem& problem) override {
    if (waiting_ > 0) --waiting_;
    problem.space().vectors().add(to.data(), -1, from.data(), step_.data());
  }
  void function_changed() override { restart(0); }
  bool restart(int) override {
    const bool had = omega_ > 1;
    omega_ = 1, waiting_ = std::max(waiting_, 1);
    return had;
  }

 private:
  Factor factor_;
  LowRank drags_{factor_}, with_rows_{drags_};
  int plain_;  // S
  double radius_ = 0, omega_ = 1;
  int waiting_ = 0;  // steps that are still plain
  std::vector<double> step_;
};

// Trial solves write no traces.
class Untraced final : public Solver {
  SolveReport minimise(Problem&, std::vector<double>&, Memory&, const StopRule&) override { return {}; }
};

class Chebyshev final : public Solver {
 public:
  explicit Chebyshev(const Settings& s)
      : radius_(s.number("spectral_radius")),
        training_frames_(s.integer("training_frames")),
        method_(s.text("linear_solver"), s.integer("plain_iterations")),
        descent_({LineSearch(s), s.text("start") == "best"}),
        training_({LineSearch(), false}) {}

  void check(const Problem& problem) const override { require_smooth(problem, "chebyshev"); }
  bool needs_vertices() const override { return false; }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) override {
    SolveReport before;
    if (!method_.begin(problem, before)) {
      before.status = Status::not_finite;
      return before;
    }
    const double radius = radius_ > 0 ? radius_ : trained_radius(problem, y, memory, stop);
    method_.begin(radius, y.size());
    SolveReport report = descent_.run(problem, y, stop, method_, *this);
    report.factorisations += before.factorisations;
    return report;
  }

  // Memory holds the estimate and the frames it is from: a resumed run goes on with the same bits.
  double trained_radius(Problem& problem, const std::vector<double>& y, Memory& memory, const StopRule& stop) {
    if (stop.iterations <= method_.plain()) return 0;  // never accelerated: nothing to learn
    auto& trained = memory.keep("chebyshev.radius", problem.revision().energy_at(problem.stage().tau));
    if (trained.size() != 2) trained = {1, 0};
    if (trained[1] < training_frames_) trained = {std::min(trained[0], calm_radius(problem, y)), trained[1] + 1};
    return trained[0];
  }

  // The largest rho = 1 - 10^-u without additional cuts; u to a 32nd of its range.
  double calm_radius(Problem& problem, const std::vector<double>& y) {
    const int plain = cuts(problem, y, 0);
    double low = 0, high = 4;
    for (int i = 0; i < 7; ++i) {
      const double u = (low + high) / 2;
      (cuts(problem, y, 1 - std::pow(10, -u)) <= plain ? low : high) = u;
    }
    return 1 - std::pow(10, -low);
  }
  int cuts(Problem& problem, const std::vector<double>& y, double radius) {
    StopRule stop;
    stop.iterations = method_.plain() + 30;
    stop.gradient = 1e-9;
    trial_ = y;
    method_.begin(radius, y.size());
    Untraced untraced;
    const SolveReport report = training_.run(problem, trial_, stop, method_, untraced);
    return report.evaluations - report.iterations;
  }

  double radius_;
  int training_frames_;
  Method method_;
  Descent descent_, training_;
  std::vector<double> trial_;
};

}  // namespace

SolverPlugin solver_chebyshev() {
  Params params = stop_params(300);
  params.add(
      {choice("start", {"best", "target"},
              "first point of a stage. target: free flight; best: the better one of free flight and the best rigid "
              "motion"),
       integer("plain_iterations", 10, between(0, 1000),
               "iterations before the acceleration begins (S of Wang 2015)"),
       number("spectral_radius", "", 0, {0, 1, false, true},
              "spectral radius rho of the iteration; 0: measured in the first frames"),
       integer("training_frames", 3, between(1, 1000), "number of frames in which rho is measured"),
       text("linear_solver", "cholesky_float", "linear solver of the constant Hessian (resilin list linear)")});
  params.add(LineSearch::params(1));
  return {"Descent on the constant Hessian with Chebyshev acceleration (Wang 2015). For comparisons.", params,
          [](const Settings& s) { return std::make_unique<Chebyshev>(s); }};
}

}  // namespace resilin
