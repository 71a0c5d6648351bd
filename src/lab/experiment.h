// Experiments of `resilin reproduce`: one file each, with the quantity, what is expected of it and by whom, what was measured and a
// verdict. Expected values come from a formula of the parameters wherever there is one, so that `--set` moves both.
// A tolerance changes only by the rule that heads the oracles: then the row shows both values.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "resilin/params.h"

namespace resilin {

struct Row {
  std::string quantity;
  std::string relation;  // "=", "<=", ">=", "in", "report"
  double expected = 0, measured = 0, tolerance = 0;
  bool pass = true;
  std::string note;
};

/// Collects the rows of one experiment.
class Findings {
 public:
  /// |measured - expected| <= tolerance.
  void near(const std::string& quantity, double expected, double measured, double tolerance, const std::string& note = "");
  /// |measured - expected| <= tolerance |expected|.
  void relative(const std::string& quantity, double expected, double measured, double tolerance, const std::string& note = "");
  void at_most(const std::string& quantity, double bound, double measured, const std::string& note = "");
  void at_least(const std::string& quantity, double bound, double measured, const std::string& note = "");
  /// low <= measured <= high; shown as middle and half width.
  void between(const std::string& quantity, double low, double high, double measured, const std::string& note = "");
  void holds(const std::string& quantity, bool yes, const std::string& note = "");
  /// Shown, never judged: a figure quoted from a paper, a wall-clock ratio.
  void report(const std::string& quantity, double measured, const std::string& note = "");

  const std::vector<Row>& rows() const { return rows_; }

 private:
  void add(Row row);
  std::vector<Row> rows_;
};

struct ExperimentPlugin {
  std::string title, source, doc;  // source: "liu2017", "brown2018", "oracle", ...
  Params params;
  std::function<void(const Settings&, Findings&)> run;
};

struct ExperimentReport {
  std::string id, title, source;
  std::vector<Row> rows;
  bool pass = false;
  double seconds = 0;
};

/// Runs a registered experiment; `overrides` is an object of parameter values (strict names and ranges).
ExperimentReport run_experiment(const std::string& id, const Value& overrides);

}  // namespace resilin
