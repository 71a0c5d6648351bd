#include "lab/compare_report.h"

#include "io/run_log.h"
#include "lab/compare_reduction.h"
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"
#include "model/counts.h"
#include "report/report.h"
#include "resilin/version.h"

namespace resilin::lab {
namespace {

constexpr double shown_decades = 6;  // of distance, in pictures

using Quantity = std::function<double(const TracePoint&, int)>;

double iteration_of(const TracePoint&, int k) { return k; }
double milliseconds_of(const TracePoint& p, int) { return 1e3 * p.record.seconds; }

Value trace_value(const Contender& c) {
  Value::List out;
  for (std::size_t k = 0; k < c.trace.size(); ++k) {
    const TracePoint& p = c.trace[k];
    out.push_back(Value::Object{{"iteration", static_cast<int>(k)},
                                {"seconds", p.record.seconds},
                                {"objective", finite_or_null(p.record.objective)},
                                {"inertia", finite_or_null(p.record.inertia)},
                                {"elastic", finite_or_null(p.record.potential)},
                                {"residual", finite_or_null(p.record.force_residual)},
                                {"step_length", finite_or_null(p.record.step_length)},
                                {"evaluations", p.record.evaluations},
                                {"relative_error", finite_or_null(p.relative_error)},
                                {"distance", finite_or_null(p.distance)}});
  }
  return out;
}

Value contender_value(const Contender& c) {
  return Value::Object{{"name", c.configuration.name},
                       {"solver", c.configuration.solver},
                       {"unknowns", c.configuration.unknowns ? Value(name(*c.configuration.unknowns)) : Value()},
                       {"parameters", parameters_value(c.configuration)},
                       {"status", name(c.report.status)},
                       {"iterations", c.report.iterations},
                       {"evaluations", c.report.evaluations},
                       {"seconds", c.seconds()},
                       {"setup_seconds", c.setup_seconds},
                       {"error", finite_or_null(c.error())},
                       {"hash", fmt::format("{:016x}", c.hash)},
                       {"trace", trace_value(c)}};
}

Value reference_value(const Comparison& c) {
  return Value::Object{{"solver", "newton"},
                       {"status", name(c.reference.status)},
                       {"objective", finite_or_null(c.reference.objective)},
                       {"residual", finite_or_null(c.reference.residual)},
                       {"relative_residual", finite_or_null(c.reference.residual / c.reference.first_residual)},
                       {"iterations", c.reference.iterations},
                       {"loose_frames", c.loose_frames}};
}

Plot plot_of(const Comparison& comparison, Plot plot, const Quantity& x, const Quantity& y) {
  for (const Contender& c : comparison.contenders) {
    Series series{c.configuration.name, {}, {}};
    for (std::size_t k = 0; k < c.trace.size(); ++k) {
      series.x.push_back(x(c.trace[k], static_cast<int>(k)));
      series.y.push_back(y(c.trace[k], static_cast<int>(k)));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_plots(Report& report, const Comparison& c) {
  const Quantity error = [](const TracePoint& p, int) { return p.relative_error; };
  const auto by_iteration = [&](Plot plot, const Quantity& y) { report.plot(plot_of(c, plot, iteration_of, y)); };
  report.section("Relative error");
  report.text(
      "(Phi - Phi*) / (Phi0 - Phi*): 1 at the guess, 0 at the reference minimum. The clock stands still while "
      "errors are measured, and factors of a constant matrix are not counted: a run makes them once.");
  by_iteration(semilogy("Relative error by iteration", "iteration", "relative error"), error);
  report.plot(plot_of(c, loglog("Relative error by time", "time [ms]", "relative error"), milliseconds_of, error));
  by_iteration(semilogy("Distance from the reference", "iteration", "root mean square [m]"),
               [](const TracePoint& p, int) { return p.distance; });
  by_iteration(semilogy("Force residual", "iteration", "|grad Phi| [N]"),
               [](const TracePoint& p, int) { return p.record.force_residual; });

  report.section("Inside an iteration");
  by_iteration(linear("Inertial part of Phi", "iteration", "inertia [J]"),
               [](const TracePoint& p, int) { return p.record.inertia; });
  by_iteration(linear("Elastic part of Phi", "iteration", "elastic [J]"),
               [](const TracePoint& p, int) { return p.record.potential; });
  by_iteration(linear("Step length", "iteration", "step length"),
               [](const TracePoint& p, int k) { return k == 0 ? NAN : p.record.step_length; });
  by_iteration(linear("Evaluations of Phi", "iteration", "evaluations"),
               [](const TracePoint& p, int k) { return k == 0 ? NAN : p.record.evaluations; });
}

void add_results(Report& report, const Comparison& comparison) {
  report.section("Results");
  std::vector<std::vector<std::string>> rows;
  for (const Contender& c : comparison.contenders) {
    const double ms = 1e3 * c.seconds();
    rows.push_back(cells("{} | {} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.2e} | {:.2e}", c.configuration.name,
                         name(c.report.status), c.report.iterations, c.report.evaluations, ms,
                         ms / std::max(1, c.report.iterations), 1e3 * c.setup_seconds, c.error(),
                         c.trace.empty() ? 0 : c.trace.back().distance));
  }
  report.table(split_cells("configuration | status | iterations | evaluations | time [ms] | per iteration [ms] | "
                           "once [ms] | relative error | distance [m]"),
               rows);
  for (const Contender& c : comparison.contenders)
    if (c.error() < -1e-9)
      report.text(
          c.configuration.name +
          " ended below the reference: the function is not convex, and there it found another, lower minimum.");
  if (comparison.idle) report.text(idle_note);
  for (const std::string& reason : comparison.skipped) report.text("Left out: " + reason);
}

Value run_value(const ReducedRun& run) {
  const auto errors = [](const std::vector<double>& list) {
    const ErrorSummary all = summary(list);
    Value::List frames;
    for (const double error : list) frames.push_back(finite_or_null(error));
    return Value::Object{{"mean", finite_or_null(all.mean)},
                         {"median", finite_or_null(all.median)},
                         {"largest", finite_or_null(all.largest)},
                         {"frames", std::move(frames)}};
  };
  return Value::Object{{"unknowns", name(run.unknowns())},
                       {"count", static_cast<int>(run.simulation().system().space().size())},
                       {"elements", run.elements()},
                       {"setup_seconds", run.setup_seconds()},
                       {"step_seconds", finite_or_null(run.step_seconds())},
                       {"projection", errors(run.projection)},
                       {"right_side", errors(run.right_side)},
                       {"distance", errors(run.distance)}};
}

void add_runs(Report& report, const Comparison& c) {
  if (c.runs.empty() || c.frame == 0) return;
  report.section("Reduction");
  report.text(
      "Frames of the reference, and runs of the scene's solver beside it. Projection: what the subspace cannot "
      "show of a frame. Right side: how far what sampled elements say of all is from what all say. Distance: of "
      "the run from the reference. Projection and distance are over the spread of the rest shape (Brandt et al. "
      "2018, Table 2), the right side is relative (their Figure 4).");
  std::vector<std::vector<std::string>> rows;
  Plot projection = semilogy("Projection of the reference's frames", "frame", "normalised error"),
       right = semilogy("Right side from samples", "frame", "relative error"),
       distance = semilogy("Distance of runs from the reference", "frame", "normalised distance");
  for (const auto& run : c.runs) {
    rows.push_back(run_cells(*run));
    const auto curve = [&](Plot& plot, const std::vector<double>& list) {
      if (list.empty()) return;
      Series series{name(run->unknowns()), {}, list};
      for (std::size_t i = 0; i < list.size(); ++i) series.x.push_back(static_cast<double>(i + 1));
      plot.series.push_back(std::move(series));
    };
    curve(projection, run->projection), curve(right, run->right_side), curve(distance, run->distance);
  }
  report.table(run_columns(), rows);
  report.plot(projection), report.plot(right), report.plot(distance);
}

// log10 of each vertex's distance from the reference: errors of very different solvers are seen on one scale.
std::vector<double> log_distances(const Contender& c, const std::vector<double>& minimum) {
  std::vector<double> out(minimum.size() / 3);
  for (std::size_t v = 0; v < out.size(); ++v)
    out[v] =
        std::log10(std::max(1e-300, std::hypot(c.y[3 * v] - minimum[3 * v], c.y[3 * v + 1] - minimum[3 * v + 1],
                                               c.y[3 * v + 2] - minimum[3 * v + 2])));
  return out;
}

void add_pictures(Report& report, const Comparison& comparison, RenderOptions options) {
  report.section("Shapes");
  report.text("Where each configuration ended, coloured by the distance of its vertices from the reference's.");
  const Model& model = comparison.simulation->model();
  options.fit = bounds(comparison.minimum);
  std::vector<std::vector<double>> colours;
  double high = -shown_decades;
  for (const Contender& c : comparison.contenders) {
    colours.push_back(log_distances(c, comparison.minimum));
    high = std::max(high, std::ceil(*std::max_element(colours.back().begin(), colours.back().end())));
  }
  report.picture(png(render(model, comparison.minimum, options)), "the reference");
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const Contender& c = comparison.contenders[i];
    const double most = std::pow(10, *std::max_element(colours[i].begin(), colours[i].end()));
    if (!std::isfinite(most)) {
      report.text(c.configuration.name + ": its result is not finite.");
      continue;
    }
    for (double& value : colours[i]) value = std::max(value, high - shown_decades);
    options.colouring = {std::move(colours[i]), "log10 distance [m]", high - shown_decades, high};
    report.picture(png(render(model, c.y, options)),
                   fmt::format("{}: {:.2g} m at most", c.configuration.name, most));
  }
}

}  // namespace

Value parameters_value(const Configuration& configuration) {
  Value::Object out;
  for (const Param& p : find_plugin<SolverPlugin>(configuration.solver)->plugin.params.list())
    if (!p.fallback.is_null() || configuration.settings.has(p.name))
      out.emplace_back(p.name, configuration.settings.value(p.name));
  return out;
}

std::vector<std::string> run_columns() {
  return split_cells(
      "unknowns | count | elements | set-up [s] | step [ms] | projection mean | largest | right side median | "
      "largest | distance mean | largest");
}

std::vector<std::string> run_cells(const ReducedRun& run) {
  const auto cell = [](double x) { return std::isnan(x) ? std::string("-") : fmt::format("{:.2e}", x); };
  const ErrorSummary projection = summary(run.projection), right = summary(run.right_side),
                     distance = summary(run.distance);
  const double step = 1e3 * run.step_seconds();
  return cells("{} | {} | {} | {:.2f} | {} | {} | {} | {} | {} | {} | {}", name(run.unknowns()),
               run.simulation().system().space().size(), run.elements(), run.setup_seconds(),
               std::isnan(step) ? "-" : fmt::format("{:.2f}", step), cell(projection.mean),
               cell(projection.largest), cell(right.median), cell(right.largest), cell(distance.mean),
               cell(distance.largest));
}

Value comparison_value(const Comparison& c) {
  Value::List contenders, skipped, runs;
  for (const auto& run : c.runs) runs.push_back(run_value(*run));
  for (const Contender& contender : c.contenders) contenders.push_back(contender_value(contender));
  for (const std::string& reason : c.skipped) skipped.emplace_back(reason);
  return Value::Object{{"scene", c.scene.name},
                       {"file", c.scene.file},
                       {"vertices", c.simulation->model().vertex_count()},
                       {"elements", count_elements(c.simulation->model()).elements()},
                       {"frame", c.frame},
                       {"integrator", c.integrator},
                       {"tau", c.stage.tau},
                       {"threads", c.simulation->threads()},
                       {"first_objective", finite_or_null(c.first_objective)},
                       {"reference", reference_value(c)},
                       {"configurations", std::move(contenders)},
                       {"reduction", std::move(runs)},
                       {"skipped", std::move(skipped)},
                       {"version", version()},
                       {"commit", commit()}};
}

std::string comparison_csv(const Comparison& comparison) {
  std::string out =
      "configuration,iteration,seconds,system,inertia,elastic,residual,step_length,evaluations,relative_error,"
      "distance\n";
  for (const Contender& c : comparison.contenders)
    for (std::size_t k = 0; k < c.trace.size(); ++k) {
      const TracePoint& p = c.trace[k];
      const IterationRecord& r = p.record;
      out += fmt::format("\"{}\",{},{:.9g},{:.17g},{:.17g},{:.17g},{:.9g},{:.9g},{},{:.9g},{:.9g}\n",
                         c.configuration.name, k, r.seconds, r.objective, r.inertia, r.potential, r.force_residual,
                         r.step_length, r.evaluations, p.relative_error, p.distance);
    }
  return out;
}

std::string comparison_html(const Comparison& c, RenderOptions pictures) {
  Report report("Solvers on " + c.scene.name, c.scene.description);
  const Model& model = c.simulation->model();
  report.facts(
      {{"stage", fmt::format("first of the step after frame {} ({})", c.frame, c.integrator)},
       {"tau", fmt::format("{:.4g} s", c.stage.tau)},
       {"size", fmt::format("{} vertices, {}", model.vertex_count(), in_words(count_elements(model)))},
       {"threads", std::to_string(c.simulation->threads())},
       {"reference", fmt::format("Newton, {} iterations, {}", c.reference.iterations, name(c.reference.status))},
       {"|grad| of the reference",
        fmt::format("{:.1e} of its start", c.reference.residual / c.reference.first_residual)},
       {"Phi at the guess", fmt::format("{:.9g} J", c.first_objective)},
       {"Phi at the minimum", fmt::format("{:.9g} J", c.reference.objective)}});
  add_results(report, c);
  add_runs(report, c);
  add_plots(report, c);
  add_pictures(report, c, std::move(pictures));
  return report.html();
}

}  // namespace resilin::lab
