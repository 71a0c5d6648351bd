// resilin compare [SCENE]: solvers against each other on one stage of a scene, with a report.
#include "lab/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "command.h"
#include "document.h"
#include "lab/compare_reduction.h"
#include "lab/compare_report.h"
#include "model/counts.h"
#include "output_folder.h"
#include "picture.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

constexpr int not_given = std::numeric_limits<int>::min();

struct CompareArguments {
  std::string scene = "default";
  std::vector<std::string> solvers;
  int frame = not_given, repeat = 3, budget = 0;
  bool overwrite = false, no_output = false;
};

lab::CompareOptions options_of(const CompareArguments& arguments, const Scene& scene, const Shared& shared) {
  lab::CompareOptions options;
  for (const std::string& text : arguments.solvers)
    options.configurations.push_back(lab::parse_configuration(text));
  options.frame = arguments.frame != not_given ? arguments.frame : std::min(options.frame, scene.frames);
  options.repeat = arguments.repeat;
  options.budget = arguments.budget / 1e3;
  options.threads = std::max(0, shared.threads);
  if (shared.iterations >= 0) options.iterations = shared.iterations;
  return options;
}

// Full, subspace and reduced along the frames before.
void print_runs(const lab::Comparison& c) {
  std::vector<std::vector<std::string>> rows = {lab::run_columns()};
  for (const auto& run : c.runs) rows.push_back(lab::run_cells(*run));
  fmt::print(
      "\nframes 1 to {} against the reference (errors over the spread of the rest shape; right side: relative)\n",
      c.frame);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::size_t width = 0;
      for (const auto& each : rows) width = std::max(width, each[i].size());
      if (i == 0) fmt::print("{:<{}}", row[i], width);
      else fmt::print("  {:>{}}", row[i], width);
    }
    fmt::print("\n");
  }
}

void print_table(const lab::Comparison& c, const Terminal& terminal) {
  std::size_t column = 13;
  for (const auto& one : c.contenders) column = std::max(column, one.configuration.name.size());
  fmt::print("{}  frame {}, {} vertices, {}, {}\n", terminal.paint(Style::bold, c.scene.name), c.frame,
             c.simulation->model().vertex_count(), in_words(count_elements(c.simulation->model())), c.integrator);
  fmt::print("reference: Newton, {} iterations, |grad| {:.1e} of its start, Phi {:.9g} J (guess {:.9g} J)\n\n",
             c.reference.iterations, c.reference.residual / c.reference.first_residual, c.reference.objective,
             c.first_objective);
  fmt::print("{:<{}}  {:>10}  {:>10}  {:>12}  {:>10}  {:>14}  status\n", "configuration", column, "iterations",
             "time [ms]", "per it. [ms]", "once [ms]", "relative error");
  for (const auto& one : c.contenders)
    fmt::print("{:<{}}  {:>10}  {:>10.3f}  {:>12.3f}  {:>10.3f}  {:>14.2e}  {}\n", one.configuration.name, column,
               one.report.iterations, 1e3 * one.seconds(), 1e3 * one.seconds() / std::max(1, one.report.iterations),
               1e3 * one.setup_seconds, one.error(), name(one.report.status));
  if (c.idle) fmt::print("{}\n", lab::idle_note);
  for (const std::string& reason : c.skipped) fmt::print("{}\n", terminal.paint(Style::dim, "left out: " + reason));
  if (!c.runs.empty() && c.frame > 0) print_runs(c);
}

std::string write_results(const lab::Comparison& c, const OutputFolder& folder, const Value& document) {
  const std::string path = folder.create();
  RenderOptions pictures = picture_options(c.scene);
  pictures.width = 640, pictures.height = 480;
  write_file(path + "/compare.json", pretty(document));
  write_file(path + "/compare.csv", lab::comparison_csv(c));
  write_file(path + "/report.html", lab::comparison_html(c, pictures));
  return path;
}

int compare(const CompareArguments& arguments, const Shared& shared) {
  if (arguments.no_output && !shared.out.empty()) throw InputError("--no-output", "excludes --out");
  const Scene scene = load_scene(arguments.scene, shared.overrides());
  const lab::CompareOptions options = options_of(arguments, scene, shared);
  const OutputFolder folder("compare-" + scene.name, "compare.json", {shared.out, arguments.overwrite});
  if (!arguments.no_output) folder.check();
  const lab::Comparison result = lab::compare(scene, options);
  if (result.advance == Status::not_finite)
    throw WorkFailed(
        fmt::format("frame {} could not be reached: a step gave numbers that are not finite; try smaller "
                    "steps (--set substeps={})",
                    options.frame, 4 * scene.substeps));
  Value document = lab::comparison_value(result);
  const std::string path = arguments.no_output ? "" : write_results(result, folder, document);
  document.set("output", path.empty() ? Value() : Value(path));
  if (shared.json) {
    print_document(document);
    return done;
  }
  print_table(result, Terminal(stdout));
  if (!path.empty()) fmt::print("\nopen {}/report.html in a browser\n", path);
  return done;
}

}  // namespace

Command compare_command() {
  const auto arguments = std::make_shared<CompareArguments>();
  Command command{"compare",
                  "Compare solvers, or reduced with full, on one time step of a scene: table, JSON, "
                  "CSV and a report with plots",
                  {"set", "threads", "iterations", "out"},
                  {},
                  nullptr};
  command.arguments = {
      {"scene", "a scene's file, or the name of one that comes with Resilin", &arguments->scene},
      {"--solver",
       "NAME:KEY=VALUE,...: a configuration (repeatable), e.g. quasi_newton:history=5; unknowns=full, subspace or "
       "reduced "
       "in a scene with \"reduction\"; none: every solver, or its own in these three ways",
       &arguments->solvers},
      {"--frame", "frames to simulate before, by a converged reference; default 10, or the last one",
       &arguments->frame},
      {"--budget", "milliseconds for each configuration; 0: no limit", &arguments->budget},
      {"--repeat", "timed runs of each configuration; times are their medians", &arguments->repeat},
      {"--overwrite", "move an existing output folder aside to NAME.old-K instead of refusing it",
       &arguments->overwrite},
      {"--no-output", "write nothing", &arguments->no_output}};
  command.run = [arguments](const Shared& shared) { return compare(*arguments, shared); };
  return command;
}

}  // namespace resilin::cli
