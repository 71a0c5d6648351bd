#include "measure.h"

#include <fmt/format.h>
#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"
#include "linear/symbolic.h"
#include "simd/pack.h"

#ifndef RESILIN_BENCH_FLAGS
#define RESILIN_BENCH_FLAGS ""
#endif

namespace resilin::bench {

double Samples::quantile(double q) const {
  if (values_.empty()) return std::nan("");
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  if (q == 0.5) return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
  const double rank = std::ceil(q * static_cast<double>(n));
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, static_cast<double>(n))) - 1];
}

void Samples::report(CaseResult& result) const {
  result.median_ms = median();
  result.min_ms = min();
  result.p99_ms = quantile(0.99);
}

double processor_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void keep(double value) { asm volatile("" : : "g"(value) : "memory"); }

namespace {

// Several sums, so that additions do not wait for each other.
double read_all(const double* from, std::size_t count) {
  constexpr int sums = 8;
  Pack sum[sums] = {};
  std::size_t i = 0;
  for (; i + sums * lanes <= count; i += sums * lanes)
    for (int k = 0; k < sums; ++k) sum[k] += resilin::load(from + i + k * lanes);
  double total = 0;
  for (; i < count; ++i) total += from[i];
  for (const Pack& s : sum) total += resilin::sum(s);
  return total;
}

}  // namespace

Samples stream(const std::vector<Bytes>& arrays, int passes, ThreadPool& pool) {
  struct Piece {
    const double* at;
    std::size_t count;
  };
  std::size_t all = 0;
  for (const Bytes& a : arrays) all += a.count;
  // A few pieces per thread, so that one that starts late does not hold up the rest; cache lines are not shared.
  const std::size_t wanted = static_cast<std::size_t>(pool.threads()) * (pool.threads() == 1 ? 1 : 4);
  const std::size_t piece = std::max<std::size_t>(2048, (all / wanted + 63) / 64 * 64);
  std::vector<Piece> pieces;
  for (int pass = 0; pass < passes; ++pass)
    for (const Bytes& a : arrays)
      for (std::size_t at = 0; at < a.count; at += piece)
        pieces.push_back({a.at + at, std::min(piece, a.count - at)});
  std::vector<double> sums(pieces.size() * 8);  // a cache line each
  return repeat(10, 0.2, [&] {
    pool.parallel(static_cast<int>(pieces.size()),
                  [&](int p) { sums[8 * p] = read_all(pieces[p].at, pieces[p].count); });
    keep(sums[0]);
  });
}

double read_bandwidth(std::size_t bytes, ThreadPool& pool) {
  const AlignedVector<double> buffer(std::max<std::size_t>(bytes / sizeof(double), 512), 1.0);
  const Samples samples = stream({{buffer.data(), buffer.size()}}, 1, pool);
  return static_cast<double>(buffer.size() * sizeof(double)) / (1e-3 * samples.median());
}

double fma_rate(ThreadPool& pool) {
  constexpr int chains = 12, rounds = 20000;
  const int parts = 4 * pool.threads();
  std::vector<double> sums(static_cast<std::size_t>(parts) * 8);
  const Samples samples = repeat(5, 0.05, [&] {
    pool.parallel(parts, [&](int part) {
      Pack x[chains];
      for (int c = 0; c < chains; ++c) x[c] = broadcast(1.0 + 0.01 * c + part);
      const Pack a = broadcast(0.999), b = broadcast(0.001);
      for (int i = 0; i < rounds; ++i)
        for (Pack& v : x) v = fma(v, a, b);
      double total = 0;
      for (const Pack& v : x) total += resilin::sum(v);
      sums[8 * static_cast<std::size_t>(part)] = total;
    });
    keep(sums[0]);
  });
  return 2.0 * lanes * chains * rounds * parts / (1e-3 * samples.min());
}

double factor_flops(const SymmetricMatrix& pattern) {
  const Symbolic symbolic = analyse_pattern(pattern, OrderingMethod::metis);
  double sum = 0;
  for (int s = 0; s < symbolic.nodes(); ++s) {
    const double below = static_cast<double>(symbolic.below(s)) * symbolic.block;
    for (int column = symbolic.width(s) * symbolic.block; column > 0; --column)
      sum += (column + below) * (column + below);
  }
  return sum;
}

double peak_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024 / 1e6;
  return std::nan("");
}

bool reset_peak() {
  ::malloc_trim(0);
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "unknown CPU";
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  return fmt::format("{}, {} cores, {:.0f} GiB", model, available_cores(), memory / (1 << 30));
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

double system_load() {
  double average = 0;
  return ::getloadavg(&average, 1) == 1 ? average : std::nan("");
}

std::string flags() { return RESILIN_BENCH_FLAGS; }

}  // namespace resilin::bench
