// Experiments of `resilin reproduce`: one file each, with the quantity, what is expected of it and by whom, what
// was measured and a verdict. Expected values come from a formula of the parameters wherever there is one, so that
// `--set` moves both. A tolerance is set before the first run and may change once, for a reason that the file
// gives: then the row shows both values.
#pragma once
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/figure.h"
#include "resilin/params.h"

namespace resilin {

/// Where a long experiment is: so many of its parts are done; `what`: the last of them and how it went.
struct ExperimentProgress {
  int done = 0, total = 0;
  std::string what;
};

/// Collects the rows of one experiment, and what its report shows besides them. A NaN never passes: not as a
/// measured value, judged or reported, not as what is expected, not in a cell of a table. An infinite value is no
/// judgement either.
class Findings {
 public:
  /// |measured - expected| <= tolerance.
  void near(const std::string& quantity, double expected, double measured, double tolerance,
            const std::string& note = "");
  /// |measured - expected| <= tolerance |expected|.
  void relative(const std::string& quantity, double expected, double measured, double tolerance,
                const std::string& note = "");
  void at_most(const std::string& quantity, double bound, double measured, const std::string& note = "");
  void at_least(const std::string& quantity, double bound, double measured, const std::string& note = "");
  /// low <= measured <= high; shown as middle and half width.
  void between(const std::string& quantity, double low, double high, double measured, const std::string& note = "");
  void holds(const std::string& quantity, bool yes, const std::string& note = "");
  /// Shown, never judged: a figure quoted from a paper, a wall-clock ratio.
  void report(const std::string& quantity, double measured, const std::string& note = "");

  /// A time or a ratio of times, which depends on what else the machine does: shown here with its mark, and judged
  /// by `resilin bench experiment_times`. `relation`: "<=" or ">=".
  void time(const std::string& quantity, const std::string& relation, double mark, double measured,
            const std::string& note = "");

  // For the HTML report only: nothing below is judged, and the terminal does not show it.
  void plot(Plot plot);
  /// `png`: the contents of a PNG file.
  void picture(const std::string& title, std::string png);
  void table(const std::string& title, std::vector<std::string> columns,
             std::vector<std::vector<std::string>> rows);
  /// One more row of the table that was begun last: what an interrupted run has found so far is then in its file.
  void table_row(std::vector<std::string> cells);
  /// What is not as in the source, and why: another mesh, a number it does not print, a claim that does not hold
  /// here.
  void differs_because(const std::string& text);

  /// Told after every part by experiments that run for minutes; whoever listens may look at what has been found so
  /// far.
  void progress(int done, int total, const std::string& what);
  std::function<void(const ExperimentProgress&)> on_progress;

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Figure>& figures() const { return figures_; }
  const std::vector<std::string>& differences() const { return differences_; }

 private:
  void add(Row row);
  void check_cells(const std::string& title, const std::vector<std::string>& cells);
  std::vector<Row> rows_;
  std::vector<Figure> figures_;
  std::vector<std::string> differences_;
};

/// The papers that an experiment belongs to: "brown2018", or {"ledwon2024", "brown2018"}.
struct Sources : std::vector<std::string> {
  Sources() = default;
  Sources(const char* one) : vector{one} {}
  Sources(std::initializer_list<std::string> several) : vector(several) {}
  bool has(const std::string& name) const { return std::find(begin(), end(), name) != end(); }
  /// "ledwon2024, brown2018"
  std::string text() const;
};

/// How an experiment runs where time is short: `reproduce --quick` and the tests.
struct Quick {
  // Parameter values under which it ends sooner and judges the same claim; none: its defaults do.
  Value::Object set = {};
  bool slow = false;    // takes more than a second even so: left to `./test slow`
  bool meshes = false;  // reads files of $RESILIN_MESHES: the tests skip it without
  std::map<std::string, std::string> misses =
      {};  // rows that miss today, and why; the tests name them and let no other miss
};

struct ExperimentPlugin {
  std::string title;
  Sources source;          // "liu2017", "brown2018", "oracle", ...: `reproduce SOURCE` runs all of it
  std::string shows = {};  // the parts of the source that it reproduces: "Fig. 7", "Table I"
  std::string doc;
  Params params;
  std::optional<Quick> quick = {};  // every registered experiment has one
  std::function<void(const Settings&, Findings&)> run;
  /// It has marks of time (Findings::time): the parameter values with which `resilin bench experiment_times` runs
  /// it.
  std::optional<Value::Object> timed = {};
};

/// `reported`: nothing was judged.
enum class ExperimentVerdict { passed, missed, reported };
ExperimentVerdict verdict_of(const std::vector<Row>& rows);
/// "pass", "missed", "reported"
const char* name(ExperimentVerdict verdict);

struct ExperimentReport {
  std::string id, title;
  Sources source;
  std::string shows, doc;
  std::vector<Row> rows;
  std::vector<Figure> figures;
  std::vector<std::string> differences;
  ExperimentVerdict verdict = ExperimentVerdict::missed;
  double seconds = 0;
};

/// Called while an experiment runs, with what it has found so far.
using ExperimentListener = std::function<void(const ExperimentReport& so_far, const ExperimentProgress&)>;

/// Runs a registered experiment; `overrides` is an object of parameter values (strict names and ranges).
ExperimentReport run_experiment(const std::string& id, const Value& overrides,
                                const ExperimentListener& listener = nullptr);

}  // namespace resilin
