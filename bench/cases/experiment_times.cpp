// The marks of time that experiments have: `resilin reproduce` shows them and judges none, because other programs
// of the machine must not decide what is true of a method. Here they are judged, one row for each experiment that
// declares some.
#include <algorithm>

#include "benchmark.h"
#include "lab/experiment.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

bool met(const Row& row) {
  return row.mark == "<=" ? row.measured <= row.expected : row.measured >= row.expected;  // NaN meets none
}

CaseResult judge(const std::string& id, const ExperimentReport& report, int threads) {
  CaseResult out{.name = "times." + id, .threads = threads};
  int marks = 0, missed = 0;
  for (const Row& row : report.rows) {
    if (row.mark.empty()) continue;
    ++marks, missed += !met(row);
    out.extra.emplace_back(row.quantity, row.measured);
    if (!met(row)) out.note += (out.note.empty() ? "missed: " : ", ") + row.quantity + " (" + row.note + ")";
  }
  out.extra.insert(out.extra.begin(), {{"marks", marks}, {"marks_missed", marks > 0 ? missed : 1}});
  return out;
}

std::vector<CaseResult> run(const BenchmarkContext& context) {
  std::vector<CaseResult> rows;
  for (const auto& [id, experiment] : registry<ExperimentPlugin>()) {
    if (!experiment.timed) continue;
    if (context.quick) {
      rows.push_back({.name = "times." + id, .threads = context.threads, .note = "left out of a quick run"});
      continue;
    }
    rows.push_back(judge(id, run_experiment(id, *experiment.timed), context.threads));
  }
  return rows;
}

}  // namespace

BenchmarkPlugin benchmark_experiment_times() {
  return {"The marks of time of experiments, by their own runs: one row times.EXPERIMENT each", run};
}

}  // namespace resilin
