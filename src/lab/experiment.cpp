#include "lab/experiment.h"

#include <chrono>
#include <cmath>

#include "resilin/registry.h"

namespace resilin {

void Findings::add(Row row) {
  if (std::isnan(row.measured)) row.pass = row.relation == "report";
  rows_.push_back(std::move(row));
}
void Findings::near(const std::string& q, double expected, double measured, double tolerance,
                    const std::string& note) {
  add({q, "=", expected, measured, tolerance, std::abs(measured - expected) <= tolerance, note});
}
void Findings::relative(const std::string& q, double expected, double measured, double tolerance,
                        const std::string& note) {
  near(q, expected, measured, tolerance * std::abs(expected), note);
}
void Findings::at_most(const std::string& q, double bound, double measured, const std::string& note) {
  add({q, "<=", bound, measured, 0, measured <= bound, note});
}
void Findings::at_least(const std::string& q, double bound, double measured, const std::string& note) {
  add({q, ">=", bound, measured, 0, measured >= bound, note});
}
void Findings::between(const std::string& q, double low, double high, double measured, const std::string& note) {
  add({q, "in", (low + high) / 2, measured, (high - low) / 2, measured >= low && measured <= high, note});
}
void Findings::holds(const std::string& q, bool yes, const std::string& note) {
  add({q, "=", 1, yes ? 1.0 : 0.0, 0, yes, note});
}
void Findings::report(const std::string& q, double measured, const std::string& note) {
  add({q, "report", measured, measured, 0, true, note});
}

void Findings::plot(lab::Plot plot) { figures_.emplace_back(std::move(plot)); }
void Findings::picture(const std::string& title, std::string png) {
  figures_.emplace_back(lab::PngFigure{title, std::move(png)});
}
void Findings::table(const std::string& title, std::vector<std::string> columns,
                     std::vector<std::vector<std::string>> rows) {
  figures_.emplace_back(lab::TableFigure{title, std::move(columns), std::move(rows)});
}
void Findings::differs_because(const std::string& text) { differences_.push_back(text); }

std::string Sources::text() const {
  std::string out;
  for (const std::string& one : *this) out += (out.empty() ? "" : ", ") + one;
  return out;
}

ExperimentReport run_experiment(const std::string& id, const Value& overrides) {
  const ExperimentPlugin& experiment = plugin<ExperimentPlugin>("experiment", id, "reproduce");
  const auto start = std::chrono::steady_clock::now();
  Findings findings;
  experiment.run(experiment.params.read(overrides), findings);
  ExperimentReport report{id,
                          experiment.title,
                          experiment.source,
                          experiment.shows,
                          experiment.doc,
                          findings.rows(),
                          findings.figures(),
                          findings.differences(),
                          !findings.rows().empty(),
                          0};
  for (const Row& row : report.rows) report.pass = report.pass && row.pass;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace resilin
