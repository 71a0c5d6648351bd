// resilin reproduce [ID|PAPER|all ...]: the papers' experiments with expected, measured and verdict; of a paper,
// with a report.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "document.h"
#include "io/run_log.h"
#include "lab/experiment.h"
#include "lab/paper_report.h"
#include "lab/svg.h"
#include "output_folder.h"
#include "progress.h"
#include "report/report.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

using Experiments = std::vector<Registered<ExperimentPlugin>>;

struct ReproduceArguments {
  std::vector<std::string> names;
  bool overwrite = false, no_output = false, quick = false;
};

/// Each id with the overrides that it knows. Checked before anything runs: an hour of experiments must not end in a
/// typing error.
struct Job {
  std::string id;
  const ExperimentPlugin* experiment;
  Value overrides;
};

/// A paper's name stands for its experiments, "all" for every one.
bool is_group(const std::string& name) {
  const Experiments& list = registry<ExperimentPlugin>();
  return name == "all" ||
         std::any_of(list.begin(), list.end(), [&](const auto& e) { return e.plugin.source.has(name); });
}

[[noreturn]] void unknown_name(const std::string& name) {
  std::vector<std::string> known = {"all"};
  for (const auto& [id, experiment] : registry<ExperimentPlugin>()) {
    known.push_back(id);
    for (const std::string& source : experiment.source)
      if (std::find(known.begin(), known.end(), source) == known.end()) known.push_back(source);
  }
  unknown_plugin("experiment", name, known, "reproduce");
}

/// In the order asked for, each once; `quick`: with its quick set, which --set may change.
std::vector<Job> chosen(const std::vector<std::string>& names, bool quick) {
  std::vector<Job> jobs;
  for (const std::string& name : names) {
    bool found = false;
    for (const auto& [id, experiment] : registry<ExperimentPlugin>()) {
      if (name != id && !experiment.source.has(name) && name != "all") continue;
      found = true;
      if (std::none_of(jobs.begin(), jobs.end(), [&id = id](const Job& job) { return job.id == id; }))
        jobs.push_back({id, &experiment, quick && experiment.quick ? experiment.quick->set : Value::Object{}});
    }
    if (!found) unknown_name(name);
  }
  return jobs;
}

std::vector<Job> plan(const ReproduceArguments& arguments, const std::vector<Override>& overrides) {
  std::vector<Job> jobs = chosen(arguments.names, arguments.quick);
  for (const Override& item : overrides) {
    bool known = false;
    std::vector<std::string> names;
    for (Job& job : jobs) {
      const std::string key = item.first.substr(0, item.first.find_first_of(".["));
      for (const std::string& name : job.experiment->params.names()) names.push_back(name);
      if (job.experiment->params.find(key) == nullptr) continue;
      known = true;
      apply_override(job.overrides, item);
    }
    if (known) continue;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string near = nearest_name(item.first, names);
    throw InputError("--set " + item.first,
                     names.empty() ? "none of these experiments has parameters"
                                   : fmt::format("none of these experiments has that parameter{}; they have: {}",
                                                 near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near),
                                                 join_or(names)));
  }
  for (Job& job : jobs) {
    job.overrides.locate("--set");
    job.experiment->params.read(job.overrides);  // throws for a wrong type or a value out of range
  }
  return jobs;
}

Value texts(const std::vector<std::string>& list) { return Value::List(list.begin(), list.end()); }

Value table_value(const TableFigure& table) {
  Value::List rows;
  for (const auto& row : table.rows) rows.push_back(texts(row));
  return Value::Object{{"title", table.title}, {"columns", texts(table.columns)}, {"rows", std::move(rows)}};
}

Value report_value(const ExperimentReport& report) {
  Value::List tables;
  for (const Figure& figure : report.figures)
    if (const auto* table = std::get_if<TableFigure>(&figure)) tables.push_back(table_value(*table));
  Value::List rows;
  for (const Row& row : report.rows) {
    rows.push_back(Value::Object{{"quantity", row.quantity},
                                 {"relation", row.relation},
                                 {"expected", finite_or_null(row.expected)},
                                 {"measured", finite_or_null(row.measured)},
                                 {"tolerance", finite_or_null(row.tolerance)},
                                 {"pass", row.pass},
                                 {"note", row.note}});
  }
  return Value::Object{{"id", report.id},
                       {"title", report.title},
                       {"sources", texts(report.source)},
                       {"rows", std::move(rows)},
                       {"verdict", name(report.verdict)},
                       {"seconds", report.seconds},
                       {"figures", static_cast<int>(report.figures.size())},
                       {"tables", std::move(tables)}};
}

int count(const std::vector<ExperimentReport>& reports, ExperimentVerdict verdict) {
  return static_cast<int>(
      std::count_if(reports.begin(), reports.end(), [&](const auto& r) { return r.verdict == verdict; }));
}

/// What has been found so far: `unfinished` is the experiment that is running, if one is.
Value document(const std::vector<ExperimentReport>& reports, const ExperimentReport* unfinished = nullptr) {
  Value::List list;
  for (const ExperimentReport& one : reports) list.push_back(report_value(one));
  Value out = Value::Object{{"experiments", std::move(list)},
                            {"passed", count(reports, ExperimentVerdict::passed)},
                            {"failed", count(reports, ExperimentVerdict::missed)},
                            {"reported", count(reports, ExperimentVerdict::reported)}};
  if (unfinished != nullptr) out.set("unfinished", report_value(*unfinished));
  return out;
}

void print_report(const ExperimentReport& report, const Terminal& terminal) {
  fmt::print("\n{}  {}{}\n", terminal.paint(Style::bold, report.id), report.title,
             " [" + report.source.text() + "]");
  std::size_t column = 8;
  for (const Row& row : report.rows) column = std::max(column, row.quantity.size());
  column = std::min<std::size_t>(column, 60);
  fmt::print("  {:<{}}  {:>22}  {:>14}  {:>10}  verdict\n", "quantity", column, "expected", "measured",
             "tolerance");
  for (const Row& row : report.rows) {
    const bool judged = row.relation != "report";
    const std::string verdict = !row.pass ? terminal.paint(Style::red, "MISSED")
                                : judged  ? terminal.paint(Style::green, "pass")
                                          : terminal.paint(Style::dim, "reported");
    const std::string tolerance = row.relation == "=" ? fmt::format("{:.3g}", row.tolerance) : "-";
    fmt::print("  {:<{}}  {:>22}  {:>14.8g}  {:>10}  {}{}\n", row.quantity, column, expected_text(row),
               row.measured, tolerance, verdict,
               row.note.empty() ? "" : "  " + terminal.paint(Style::dim, row.note));
  }
  const std::string verdict = report.verdict == ExperimentVerdict::missed ? terminal.paint(Style::red, "MISSED")
                              : report.verdict == ExperimentVerdict::passed
                                  ? terminal.paint(Style::green, "passed")
                                  : terminal.paint(Style::dim, "reported");
  fmt::print("  {} in {:.1f} s\n", verdict, report.seconds);
  std::fflush(stdout);
}

int list_experiments(bool json) {
  const Experiments& all = registry<ExperimentPlugin>();
  if (json) {
    Value::List list;
    for (const auto& [id, experiment] : all)
      list.push_back(Value::Object{{"id", id}, {"title", experiment.title}, {"sources", texts(experiment.source)}});
    print_document(Value::Object{{"available", std::move(list)},
                                 {"experiments", Value::List{}},
                                 {"passed", 0},
                                 {"failed", 0},
                                 {"reported", 0}});
    return done;
  }
  std::size_t column = 0;
  for (const auto& entry : all) column = std::max(column, entry.name.size());
  for (const auto& [id, experiment] : all)
    fmt::print("{:<{}}  {} [{}]\n", id, column, experiment.title, experiment.source.text());
  fmt::print(
      "{} experiments; run them with: resilin reproduce ID..., or a whole paper: resilin reproduce liu2017\n",
      all.size());
  return done;
}

/// A paper leaves a report; single experiments do when --out asks for one.
bool wants_report(const ReproduceArguments& arguments, const Shared& shared) {
  return !arguments.no_output &&
         (!shared.out.empty() || std::any_of(arguments.names.begin(), arguments.names.end(), is_group));
}

void show_progress(const Job& job, const std::string& place, const Terminal& progress) {
  fmt::print(stderr, "{}{} {} {}{}", progress.live() ? "\r\033[K" : "", place, job.id, job.experiment->title,
             progress.live() ? "" : "\n");
  std::fflush(stderr);
}

/// A part of a long experiment is done.
void show_part(const std::string& name, double seconds, const ExperimentProgress& at, const Terminal& progress) {
  const std::string text = fmt::format("{} {}/{}  ETA {}  {}", name, at.done, at.total,
                                       clock_time(seconds / std::max(1, at.done) * (at.total - at.done)), at.what);
  if (progress.live()) return draw_bar(progress, at.done, at.total, text);
  fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
}

/// `folder`: where reproduce.json grows, so that an interrupted hour is not lost; empty: nowhere.
std::vector<ExperimentReport> run_all(const std::vector<Job>& jobs, const std::string& folder, bool silent) {
  const Terminal out(stdout), progress(stderr);
  std::vector<ExperimentReport> reports;
  const auto save = [&](const ExperimentReport* unfinished) {
    if (!folder.empty()) write_file(folder + "/reproduce.json", pretty(document(reports, unfinished)));
  };
  save(nullptr);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string place = fmt::format("[{}/{}]", i + 1, jobs.size());
    show_progress(jobs[i], place, progress);
    reports.push_back(run_experiment(jobs[i].id, jobs[i].overrides, [&](const auto& so_far, const auto& at) {
      save(&so_far);
      if (!silent) show_part(place + " " + jobs[i].id, so_far.seconds, at, progress);
    }));
    if (progress.live()) fmt::print(stderr, "\r\033[K");
    if (!silent) print_report(reports.back(), out);
    save(nullptr);
  }
  return reports;
}

/// plots/EXPERIMENT_N.svg for every plot, N from 1 in the order of the report; dots of the name are "_", as in its
/// source file.
void write_plots(const std::string& folder, const std::vector<ExperimentReport>& reports) {
  for (const ExperimentReport& report : reports) {
    int n = 0;
    std::string name = file_name(report.id);
    std::replace(name.begin(), name.end(), '.', '_');
    for (const Figure& figure : report.figures) {
      const auto* plot = std::get_if<Plot>(&figure);
      if (plot == nullptr) continue;
      ++n;
      if (!has_points(*plot)) continue;
      create_folder(folder + "/plots");
      write_file(fmt::format("{}/plots/{}_{}.svg", folder, name, n), svg(*plot));
    }
  }
}

/// One paper: report.html. Several: a page each, and index.html. The path of the page to open.
std::string write_pages(const std::string& folder, const std::vector<ExperimentReport>& reports,
                        const std::vector<std::string>& asked) {
  const auto papers = lab::by_source(reports, asked);
  std::vector<std::string> pages;
  for (const auto& paper : papers) {
    pages.push_back(papers.size() == 1 ? "report.html" : file_name(paper.source) + ".html");
    write_file(folder + "/" + pages.back(), lab::paper_html(paper));
  }
  if (papers.size() == 1) return folder + "/report.html";
  write_file(folder + "/index.html", lab::papers_index_html(papers, pages));
  return folder + "/index.html";
}

void print_summary(const std::vector<ExperimentReport>& reports) {
  std::string names;
  for (const ExperimentReport& report : reports)
    if (report.verdict == ExperimentVerdict::missed) names += " " + report.id;
  const int reported = count(reports, ExperimentVerdict::reported);
  fmt::print("\n{} passed, {} failed{}{}\n", count(reports, ExperimentVerdict::passed),
             count(reports, ExperimentVerdict::missed), names.empty() ? "" : ":", names);
  if (reported > 0) fmt::print("{} reported: what they measure is not judged\n", reported);
}

void print_page(const std::vector<ExperimentReport>& reports, const std::string& page) {
  const bool figures =
      std::any_of(reports.begin(), reports.end(), [](const auto& r) { return !r.figures.empty(); });
  if (!page.empty()) fmt::print("open {} in a browser\n", page);
  else if (figures) fmt::print("there are figures: --out DIR writes them as a report\n");
}

int reproduce(const ReproduceArguments& arguments, const Shared& shared) {
  const std::vector<Override> overrides = shared.overrides();
  if (arguments.no_output && !shared.out.empty()) throw InputError("--no-output", "excludes --out");
  if (arguments.names.empty()) {
    if (!overrides.empty() || arguments.quick)
      throw InputError("reproduce", fmt::format("{} needs the id of an experiment: resilin reproduce ID {}",
                                                arguments.quick ? "--quick" : "--set",
                                                arguments.quick ? "--quick" : "--set key=value"));
    return list_experiments(shared.json);
  }
  const std::vector<Job> jobs = plan(arguments, overrides);
  const OutputFolder folder("reproduce-" + arguments.names[0], "reproduce.json", {shared.out, arguments.overwrite});
  const bool report = wants_report(arguments, shared);
  if (report) folder.check();
  const std::string path = report ? folder.create() : "";
  const std::vector<ExperimentReport> reports = run_all(jobs, path, shared.json);
  const std::string page = report ? write_pages(path, reports, arguments.names) : "";
  if (report) write_plots(path, reports);
  if (shared.json) {
    Value result = document(reports);
    result.set("report", page.empty() ? Value() : Value(page));
    print_document(result);
  } else {
    print_summary(reports);
    print_page(reports, page);
  }
  return count(reports, ExperimentVerdict::missed) > 0 ? failed : done;
}

}  // namespace

Command reproduce_command() {
  const auto arguments = std::make_shared<ReproduceArguments>();
  Command command{"reproduce",
                  "Run experiments of the papers: expected and measured values with verdicts; a paper's name also "
                  "writes a report",
                  {"set", "out"},
                  {},
                  nullptr};
  command.arguments = {{"names", "experiments (E1), papers (liu2017) or all; none: list them", &arguments->names},
                       {"--overwrite", "move an existing output folder aside to NAME.old-K instead of refusing it",
                        &arguments->overwrite},
                       {"--quick", "small versions of the experiments: minutes for all of them, the same verdicts",
                        &arguments->quick},
                       {"--no-output", "write no report", &arguments->no_output}};
  command.run = [arguments](const Shared& shared) { return reproduce(*arguments, shared); };
  return command;
}

}  // namespace resilin::cli
