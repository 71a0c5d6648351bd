// resilin reproduce [ID...]: the papers' experiments with expected, measured and verdict.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "document.h"
#include "io/run_log.h"
#include "lab/experiment.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/scene.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

using Experiments = std::vector<Registered<ExperimentPlugin>>;

/// Each id with the overrides that it knows. Checked before anything runs: an hour of experiments must not end in a typing error.
struct Job {
  std::string id;
  const ExperimentPlugin* experiment;
  Value overrides;
};

std::vector<Job> plan(const std::vector<std::string>& ids, const std::vector<Override>& overrides) {
  std::vector<Job> jobs;
  for (const std::string& id : ids)
    jobs.push_back({id, &plugin<ExperimentPlugin>("experiment", id, "reproduce"), Value::Object{}});
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

Value report_value(const ExperimentReport& report) {
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
  return Value::Object{{"id", report.id},         {"title", report.title}, {"source", report.source},
                       {"rows", std::move(rows)}, {"pass", report.pass},   {"seconds", report.seconds}};
}

std::string expected_text(const Row& row) {
  if (row.relation == "report") return "-";
  if (row.relation == "in")
    return fmt::format("[{:.6g}, {:.6g}]", row.expected - row.tolerance, row.expected + row.tolerance);
  return row.relation == "=" ? fmt::format("{:.6g}", row.expected)
                             : fmt::format("{} {:.6g}", row.relation, row.expected);
}

void print_report(const ExperimentReport& report, const Terminal& terminal) {
  fmt::print("\n{}  {}{}\n", terminal.paint(Style::bold, report.id), report.title,
             report.source.empty() ? "" : " [" + report.source + "]");
  std::size_t column = 8;
  for (const Row& row : report.rows) column = std::max(column, row.quantity.size());
  column = std::min<std::size_t>(column, 60);
  fmt::print("  {:<{}}  {:>22}  {:>14}  {:>10}  verdict\n", "quantity", column, "expected", "measured",
             "tolerance");
  for (const Row& row : report.rows) {
    const bool judged = row.relation != "report";
    const std::string verdict = !judged    ? terminal.paint(Style::dim, "reported")
                                : row.pass ? terminal.paint(Style::green, "pass")
                                           : terminal.paint(Style::red, "MISSED");
    const std::string tolerance = row.relation == "=" ? fmt::format("{:.3g}", row.tolerance) : "-";
    fmt::print("  {:<{}}  {:>22}  {:>14.8g}  {:>10}  {}{}\n", row.quantity, column, expected_text(row),
               row.measured, tolerance, verdict,
               row.note.empty() ? "" : "  " + terminal.paint(Style::dim, row.note));
  }
  fmt::print("  {} in {:.1f} s\n",
             report.pass ? terminal.paint(Style::green, "passed") : terminal.paint(Style::red, "MISSED"),
             report.seconds);
  std::fflush(stdout);
}

int list_experiments(bool json) {
  const Experiments& all = registry<ExperimentPlugin>();
  if (json) {
    Value::List list;
    for (const auto& [id, experiment] : all)
      list.push_back(Value::Object{{"id", id}, {"title", experiment.title}, {"source", experiment.source}});
    print_document(Value::Object{
        {"available", std::move(list)}, {"experiments", Value::List{}}, {"passed", 0}, {"failed", 0}});
    return done;
  }
  for (const auto& [id, experiment] : all) fmt::print("{:<6} {} [{}]\n", id, experiment.title, experiment.source);
  fmt::print("{} experiments; run them with: resilin reproduce ID...\n", all.size());
  return done;
}

int reproduce(const std::vector<std::string>& ids, const Shared& shared) {
  const std::vector<Override> overrides = shared.overrides();
  if (ids.empty()) {
    if (!overrides.empty())
      throw InputError("reproduce", "--set needs the id of an experiment: resilin reproduce ID --set key=value");
    return list_experiments(shared.json);
  }
  const std::vector<Job> jobs = plan(ids, overrides);
  const Terminal out(stdout), progress(stderr);
  Value::List reports;
  std::vector<std::string> missed;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    if (progress.live())
      fmt::print(stderr, "\r\033[K[{}/{}] {} {}", i + 1, jobs.size(), job.id, job.experiment->title);
    else fmt::print(stderr, "[{}/{}] {} {}\n", i + 1, jobs.size(), job.id, job.experiment->title);
    std::fflush(stderr);
    const ExperimentReport report = run_experiment(job.id, job.overrides);
    if (progress.live()) fmt::print(stderr, "\r\033[K");
    if (!report.pass) missed.push_back(job.id);
    if (shared.json) reports.push_back(report_value(report));
    else print_report(report, out);
  }
  const int passed = static_cast<int>(jobs.size() - missed.size());
  if (shared.json) {
    print_document(Value::Object{
        {"experiments", std::move(reports)}, {"passed", passed}, {"failed", static_cast<int>(missed.size())}});
  } else {
    std::string names;
    for (const std::string& id : missed) names += " " + id;
    fmt::print("\n{} passed, {} failed{}{}\n", passed, missed.size(), names.empty() ? "" : ":", names);
  }
  return missed.empty() ? done : failed;
}

}  // namespace

Command reproduce_command() {
  const auto ids = std::make_shared<std::vector<std::string>>();
  Command command{"reproduce", "Run the papers' experiments: expected, measured, verdict", {"set"}, {}, nullptr};
  command.arguments = {{"ids", "experiments to run, e.g. E1 E2; none: list them", ids.get()}};
  command.run = [ids](const Shared& shared) { return reproduce(*ids, shared); };
  return command;
}

}  // namespace resilin::cli
