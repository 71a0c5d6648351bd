#include "lab/experiment.h"

#include <fmt/format.h>

#include <cassert>
#include <cctype>
#include <chrono>
#include <cmath>

#include "lab/advance.h"
#include "resilin/registry.h"

namespace resilin {

namespace {

// "nan" as a word of its own: not a part of a name.
bool says_nan(const std::string& cell) {
  const auto letter = [&](std::size_t i) {
    return i < cell.size() && std::isalpha(static_cast<unsigned char>(cell[i]));
  };
  for (std::size_t at = cell.find("nan"); at != std::string::npos; at = cell.find("nan", at + 1))
    if (!letter(at + 3) && (at == 0 || !letter(at - 1))) return true;
  return false;
}

}  // namespace

void Findings::add(Row row) {
  const bool judged = row.relation != "report";
  if (std::isnan(row.measured)) row.pass = false;
  if (judged && !(std::isfinite(row.measured) && std::isfinite(row.expected) && std::isfinite(row.tolerance)))
    row.pass = false;
  rows_.push_back(std::move(row));
}
void Findings::check_cells(const std::string& title, const std::vector<std::string>& cells) {
  if (std::any_of(cells.begin(), cells.end(), says_nan))
    holds("a number in every cell of the table \"" + title + "\"", false, "row " + cells.front());
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
void Findings::time(const std::string& q, const std::string& relation, double mark, double measured,
                    const std::string& note) {
  Row row{q, "report", mark, measured, 0, true, fmt::format("mark {} {:g} in bench", relation, mark)};
  if (!note.empty()) row.note += "; " + note;
  row.mark = relation;
  add(std::move(row));
}

void Findings::plot(Plot plot) { figures_.emplace_back(std::move(plot)); }
void Findings::picture(const std::string& title, std::string png) {
  figures_.emplace_back(PngFigure{title, std::move(png)});
}
void Findings::table(const std::string& title, std::vector<std::string> columns,
                     std::vector<std::vector<std::string>> rows) {
  for (const auto& row : rows) check_cells(title, row);
  figures_.emplace_back(TableFigure{title, std::move(columns), std::move(rows)});
}
void Findings::table_row(std::vector<std::string> cells) {
  for (auto figure = figures_.rbegin(); figure != figures_.rend(); ++figure)
    if (auto* table = std::get_if<TableFigure>(&*figure)) {
      check_cells(table->title, cells);
      return table->rows.push_back(std::move(cells));
    }
  assert(false);  // no table was begun
}
void Findings::progress(int done, int total, const std::string& what) {
  if (on_progress) on_progress({done, total, what});
}
void Findings::differs_because(const std::string& text) { differences_.push_back(text); }

std::string Sources::text() const {
  std::string out;
  for (const std::string& one : *this) out += (out.empty() ? "" : ", ") + one;
  return out;
}

ExperimentVerdict verdict_of(const std::vector<Row>& rows) {
  if (rows.empty() || !std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.pass; }))
    return ExperimentVerdict::missed;
  const bool judged =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.relation != "report"; });
  return judged ? ExperimentVerdict::passed : ExperimentVerdict::reported;
}

const char* name(ExperimentVerdict verdict) {
  return verdict == ExperimentVerdict::passed   ? "pass"
         : verdict == ExperimentVerdict::missed ? "missed"
                                                : "reported";
}

ExperimentReport run_experiment(const std::string& id, const Value& overrides, const ExperimentListener& listener) {
  const ExperimentPlugin& experiment = plugin<ExperimentPlugin>("experiment", id, "reproduce");
  const auto start = std::chrono::steady_clock::now();
  Findings findings;
  const auto report = [&] {
    return ExperimentReport{id,
                            experiment.title,
                            experiment.source,
                            experiment.shows,
                            experiment.doc,
                            findings.rows(),
                            findings.figures(),
                            findings.differences(),
                            verdict_of(findings.rows()),
                            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  };
  if (listener) findings.on_progress = [&](const ExperimentProgress& where) { listener(report(), where); };
  try {
    experiment.run(experiment.params.read(overrides), findings);
  } catch (const lab::StepNotFinite&) {
    findings.holds("every step is finite", false, "one was rejected; the experiment ended there");
  }
  return report();
}

}  // namespace resilin
