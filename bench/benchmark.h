// A benchmark case: one .cpp in bench/cases with a function `BenchmarkPlugin benchmark_NAME()` and one line
// resilin_add(benchmark NAME). A case measures, computes the floor that the hardware sets from what it measures in
// the same run, and runs the plain reference (bench/reference) on the same work. Called by `resilin bench`; it
// prints nothing.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace resilin {

struct BenchmarkContext {
  int threads = 1;
  bool quick = false;     // small and short: shows that it works, says little about speed
  bool reference = true;  // run the plain reference too
  int frames = 0;         // measured frames of scene cases; 0: the case's own number
  std::vector<std::pair<std::string, std::string>> overrides;  // of the scene, as --set
};

/// One row. What does not apply is empty.
struct CaseResult {
  std::string name;
  int threads = 1;
  std::optional<double> median_ms = {}, min_ms = {}, p99_ms = {};
  std::optional<double> median_ns = {};       // kernels: per element
  std::optional<double> floor_ms = {};        // from bytes and flops and the rates measured in this run
  std::optional<double> ratio_to_floor = {};  // median over floor
  std::optional<double> reference_ms = {};    // median of the plain reference, one thread
  std::optional<double> speedup = {};         // reference over median
  std::optional<double> peak_mb = {};         // high-water mark of the process while the case ran
  std::vector<std::pair<std::string, double>> extra = {};
  std::string note = {};
};

struct BenchmarkPlugin {
  std::string doc;
  std::function<std::vector<CaseResult>(const BenchmarkContext&)> run;
};

}  // namespace resilin
