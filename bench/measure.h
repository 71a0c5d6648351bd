// Clocks, rates of the machine and memory: what benchmark cases measure with.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "benchmark.h"

namespace resilin {
class SymmetricMatrix;
class ThreadPool;
}  // namespace resilin

namespace resilin::bench {

class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Processor time of all threads of the process [ms]: what other processes take is not in it, what they do to
/// caches is.
double processor_ms();

/// Times of the same work, in milliseconds.
class Samples {
 public:
  void add(double ms) { values_.push_back(ms); }
  void add(const Samples& others) { values_.insert(values_.end(), others.values_.begin(), others.values_.end()); }
  std::size_t size() const { return values_.size(); }
  double median() const { return quantile(0.5); }
  double min() const { return quantile(0); }
  double max() const { return quantile(1); }
  /// The value that a share q of the samples does not exceed (nearest rank, between neighbours for the median).
  double quantile(double q) const;
  /// Sets median, min and p99.
  void report(CaseResult& result) const;

 private:
  std::vector<double> values_;
};

/// run() again and again: at least `least` times and for `seconds`; the first call is not counted.
template <class Run>
Samples repeat(int least, double seconds, Run&& run) {
  run();
  Samples samples;
  for (const Stopwatch all; static_cast<int>(samples.size()) < least || all.ms() < 1e3 * seconds;) {
    const Stopwatch watch;
    run();
    samples.add(watch.ms());
  }
  return samples;
}

/// Bytes per second of reading a buffer of that size again and again with the pool's threads: the median of a fifth
/// of a second and ten times at least. A buffer that fits a cache stays there, as what stands for it would.
double read_bandwidth(std::size_t bytes, ThreadPool& pool);
/// The same for memory that is there already, each array once per pass.
struct Bytes {
  const double* at;
  std::size_t count;  // doubles
};
Samples stream(const std::vector<Bytes>& arrays, int passes, ThreadPool& pool);
/// Fused multiply-adds on whole packs of doubles with the pool's threads: operations per second, two for each.
double fma_rate(ThreadPool& pool);

/// Operations of a Cholesky factorisation of that pattern in the ordering that the library finds, zeros of merged
/// supernodes included: (rows of L)^2 for each column.
double factor_flops(const SymmetricMatrix& pattern);

/// High-water mark of the process's resident memory [MB = 1e6 bytes], VmHWM of /proc/self/status.
double peak_mb();
/// Gives free memory back and sets the mark to what is resident now (/proc/self/clear_refs); false where that is
/// not allowed: then the mark is that of the whole run.
bool reset_peak();

std::string machine();   // "AMD EPYC, 2 cores, 24 GB"
std::string compiler();  // "g++ 12.2.0"
std::string flags();
/// Processes that wanted a core, mean of the last minute: above the threads used, timings are of a busy machine.
double system_load();

/// Keeps the compiler from dropping what computed `value`.
void keep(double value);

}  // namespace resilin::bench
