// Past Brandt et al. 2018, who step by backward Euler: other integrators in the subspace. Nothing in them depends
// on what unknowns are: TR-BDF2 must have its second order there; what the subspace leaves out is the same for any
// step. Quasi-Newton on sampled elements, converged, so that only step and subspace make errors.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

/// Where a body that was released from a small bend is after `time`.
std::vector<double> end_of(const Model& model, const Settings& s, const std::string& integrator, double step,
                           bool reduced) {
  SimulationOptions options;
  options.step = step, options.stop.iterations = 500, options.stop.tolerance = 0, options.stop.gradient = 1e-9;
  if (reduced) options.reduction = lab::reduction_of(s.integer("handles"), s.integer("samples"));
  Simulation simulation(model, make_integrator(integrator), resilin::make_solver("quasi_newton"), options);
  simulation.set_state(lab::at_rest(lab::bent(model.rest, s.number("bend"))));
  lab::advance(simulation, static_cast<int>(std::lround(s.number("time") / step)));
  return simulation.positions();
}

void run(const Settings& s, Findings& findings) {
  const Model model = lab::creature_model(s.integer("vertices"), s.number("stiffness"));
  const double h = s.number("step");
  const int halvings = s.integer("halvings");
  const double finest = h / std::pow(2, halvings + 2);
  const std::vector<double> in_subspace = end_of(model, s, "tr_bdf2", finest, true),
                            in_full = end_of(model, s, "tr_bdf2", finest, false);
  findings.report("what the subspace leaves out: distance of converged runs / size",
                  lab::distance(model, in_subspace, in_full), "no step makes it smaller");
  lab::begin_table(findings, "Errors at the end / size",
                   "integrator | step [ms] | in the subspace | order | reduced against full | full against full");
  Plot plot = lab::loglog("Errors at the end", "step [s]", "distance / size");
  for (const std::string integrator : {"backward_euler", "tr_bdf2"}) {
    std::vector<double> errors;
    Series own{integrator + ", against the converged reduced run", {}, {}},
        other{integrator + ", against the converged full run", {}, {}};
    for (int i = 0; i <= halvings; ++i) {
      const double step = h / std::pow(2, i);
      const std::vector<double> x = end_of(model, s, integrator, step, true);
      errors.push_back(lab::distance(model, x, in_subspace));
      const double against_full = lab::distance(model, x, in_full),
                   of_full = lab::distance(model, end_of(model, s, integrator, step, false), in_full);
      own.x.push_back(step), own.y.push_back(errors.back());
      other.x.push_back(step), other.y.push_back(against_full);
      findings.table_row(lab::cells(
          "{} | {:.3f} | {:.2e} | {} | {:.2e} | {:.2e}", integrator, 1e3 * step, errors.back(),
          i == 0 ? "" : fmt::format("{:.2f}", std::log2(errors[i - 1] / errors[i])), against_full, of_full));
    }
    plot.series.push_back(own), plot.series.push_back(other);
    const double order = std::log2(errors[errors.size() - 2] / errors.back());
    const std::string what = ": order of the last halving, in the subspace";
    if (integrator == "tr_bdf2") findings.between("TR-BDF2" + what, 1.7, 2.4, order);
    else findings.between("backward Euler" + what, 0.8, 1.3, order);
    findings.report(integrator + ": error of the first step against the full run", other.y.front());
  }
  findings.plot(plot);
  findings.differs_because(
      "The paper steps by backward Euler only. The first step was made four times smaller and halved once more, "
      "and the run half as long, after a look: with 20 ms backward Euler's errors are as large as the motion, and "
      "have no order.");
}

}  // namespace

ExperimentPlugin experiment_brandt2018_integrators() {
  return {
      .title = "TR-BDF2 in the subspace",
      .source = "brandt2018",
      .shows = "past the paper",
      .doc = "Order of backward Euler and TR-BDF2 of a reduced body, and their errors against the full one.",
      .params = {integer("vertices", 3000, between(300, 1000000), "of the creature"),
                 integer("handles", 60, between(4, 1000), "of the subspace"),
                 integer("samples", 800, between(10, 1000000), "elements that are evaluated"),
                 number("stiffness", "Pa", 1e4, positive(), "of the body"),
                 number("bend", "deg/m", 20, between(-360, 360), "of the start"),
                 number("time", "s", 0.1, positive(), "of the run: a multiple of the step"),
                 number("step", "s", 0.005, positive(), "the first step"),
                 integer("halvings", 4, between(1, 8), "of the step")},
      .quick = Quick{.set = {{"vertices", 300}, {"handles", 8}, {"samples", 200}, {"halvings", 2}, {"time", 0.05}}},
      .run = run};
}

}  // namespace resilin
