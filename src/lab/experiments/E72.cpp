// E72: from rest and without external forces the inertial term of the objective is the kinetic energy of the state
// that the step ends in (Ledwon 2024, Section 3.8): q~ = q_n, so (1/2h^2) |q - q~|_M^2 = 1/2 |v|_M^2 with v = (q -
// q_n)/h. In every iteration.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

double largest_gap(const Settings& s, const std::string& solver) {
  const lab::BeamOptions o = lab::beam_options(s);
  lab::OneStage stage = lab::released_beam(o);
  const std::vector<double> mass = stage.system().model().mass, q = stage.stage().origin;
  std::vector<double> kinetic, y;
  const auto made = lab::make_solver(solver, lab::with_double_factor(solver, {}));
  made->tracing = true;
  made->observe = [&](const std::vector<double>& x, const IterationRecord&) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += mass[i / 3] * std::pow((x[i] - q[i]) / o.step, 2) / 2;
    kinetic.push_back(sum);
  };
  const SolveReport report = stage.solve(*made, {.iterations = s.integer("iterations"), .tolerance = 0}, y);
  lab::Worst worst = report.trace.size() == kinetic.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(kinetic.size(), report.trace.size()); ++i)
    worst.see(std::abs(report.trace[i].inertia - kinetic[i]) / std::max(kinetic[i], 1e-300));
  return worst;
}

void run(const Settings& s, Findings& findings) {
  for (const char* solver : {"quasi_newton", "admm", "projective_dynamics", "xpbd", "pbd"})
    findings.at_most(
        std::string(solver) + ": largest difference of inertial term and kinetic energy / kinetic energy", 1e-12,
        largest_gap(s, solver));
}

}  // namespace

ExperimentPlugin experiment_E72() {
  return {.title = "The inertial term is the kinetic energy",
          .source = "ledwon2024",
          .shows = "Section 3.8",
          .doc = "Both in every iteration of the released beam, by five solvers.",
          .params = lab::beam_params(1e8, 1e-2, 100),
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
