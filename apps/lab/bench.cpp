// resilin bench [NAME...]: timings with the floors of this machine, their ratios and the plain reference's time
// beside them.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

#include "benchmark.h"
#include "command.h"
#include "core/thread_pool.h"
#include "document.h"
#include "io/run_log.h"
#include "measure.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/version.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

struct Choices {
  std::vector<std::string> names;
  bool quick = false, no_reference = false;
  std::string csv;
};

// The numbers of a row that every row has, in the order of the document and of the table.
using Field = std::pair<const char*, std::optional<double> CaseResult::*>;
constexpr Field fields[] = {
    {"median_ms", &CaseResult::median_ms},
    {"min_ms", &CaseResult::min_ms},
    {"p99_ms", &CaseResult::p99_ms},
    {"median_ns", &CaseResult::median_ns},
    {"floor_ms", &CaseResult::floor_ms},
    {"ratio_to_floor", &CaseResult::ratio_to_floor},
    {"reference_ms", &CaseResult::reference_ms},
    {"speedup", &CaseResult::speedup},
    {"peak_mb", &CaseResult::peak_mb},
};

Value case_value(const CaseResult& result) {
  Value::Object out{{"name", result.name}, {"threads", result.threads}};
  for (const auto& [name, member] : fields)
    out.emplace_back(name, (result.*member) ? finite_or_null(*(result.*member)) : Value());
  Value::Object extra;
  for (const auto& [name, value] : result.extra) extra.emplace_back(name, finite_or_null(value));
  out.emplace_back("extra", std::move(extra));
  out.emplace_back("note", result.note);
  return out;
}

struct Rate {
  double bytes, gb_s;
  int threads;
};

std::vector<Rate> bandwidths(int threads, bool quick) {
  std::vector<Rate> out;
  std::vector<int> counts = {1};
  if (threads > 1) counts.push_back(threads);
  for (const double bytes : quick ? std::vector{1e6, 16e6} : std::vector{1e6, 16e6, 256e6})
    for (const int count : counts) {
      ThreadPool pool(count);
      out.push_back({bytes, bench::read_bandwidth(static_cast<std::size_t>(bytes), pool) / 1e9, count});
    }
  return out;
}

std::string number_text(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return "-";
  return std::abs(*value) >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.3g}", *value);
}

void print_header(const Terminal& terminal) {
  std::string line = fmt::format("{:<28} {:>3}", "case", "thr");
  for (const char* name :
       {"median ms", "min ms", "p99 ms", "median ns", "floor ms", "x floor", "ref ms", "speed-up", "peak MB"})
    line += fmt::format(" {:>9}", name);
  fmt::print("{}\n", terminal.paint(Style::bold, line));
}

void print_row(const CaseResult& result, const Terminal& terminal) {
  fmt::print("{} {:>3}", terminal.paint(Style::green, fmt::format("{:<28}", result.name)), result.threads);
  for (const auto& [name, member] : fields) fmt::print(" {:>9}", number_text(result.*member));
  std::string more;
  for (const auto& [name, value] : result.extra)
    more += fmt::format("{}{} {}", more.empty() ? "" : ", ", name, number_text(value));
  if (!result.note.empty()) more = result.note + (more.empty() ? "" : ": " + more);
  fmt::print("\n    {}\n", terminal.paint(Style::dim, wrapped(more, terminal.width(), 4)));
  std::fflush(stdout);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

/// Adds rows to a table that may exist already: results of several commits stand in one file.
class CsvFile {
 public:
  explicit CsvFile(const std::string& path) {
    if (path.empty()) return;
    std::error_code error;
    const bool fresh = !std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0;
    file_.open(path, std::ios::app);
    if (!file_) throw InputError("--csv " + path, "cannot be written");
    if (!fresh) return;
    file_ << "date,machine,compiler,flags,commit,load,name,threads";
    for (const auto& [name, member] : fields) file_ << "," << name;
    file_ << ",extra\n" << std::flush;
  }
  void add(const CaseResult& result) {
    if (!file_.is_open()) return;
    file_ << fmt::format("{},{},{},{},{},{:.1f},{},{}", today(), quoted(bench::machine()),
                         quoted(bench::compiler()), quoted(bench::flags()), commit(), bench::system_load(),
                         result.name, result.threads);
    for (const auto& [name, member] : fields)
      file_ << "," << ((result.*member) ? fmt::format("{:.6g}", *(result.*member)) : std::string());
    std::string extra;
    for (const auto& [name, value] : result.extra)
      extra += fmt::format("{}{}={:.6g}", extra.empty() ? "" : ";", name, value);
    file_ << "," << quoted(extra) << "\n" << std::flush;
    if (!file_) throw WorkFailed("the results could not be written to the CSV file");
  }

 private:
  std::ofstream file_;
};

BenchmarkContext context_of(const Choices& choices, const Shared& shared) {
  BenchmarkContext context;
  context.threads = shared.threads > 0 ? shared.threads : available_cores();
  context.quick = choices.quick;
  context.reference = !choices.no_reference;
  context.frames = std::max(shared.frames, 0);
  context.overrides = shared.overrides();
  return context;
}

int bench_cases(const Choices& choices, const Shared& shared) {
  std::vector<std::pair<std::string, const BenchmarkPlugin*>> jobs;
  for (const std::string& name : choices.names)
    jobs.emplace_back(name, &plugin<BenchmarkPlugin>("benchmark", name, "bench"));
  if (jobs.empty())
    for (const auto& [name, plugin] : registry<BenchmarkPlugin>()) jobs.emplace_back(name, &plugin);
  const BenchmarkContext context = context_of(choices, shared);
  CsvFile csv(choices.csv);

  const Terminal out(stdout), progress(stderr);
  const double load = bench::system_load();
  const std::vector<Rate> rates = bandwidths(context.threads, context.quick);
  if (!shared.json) {
    fmt::print("{} (load {:.1f}); {} {}; commit {}\n", bench::machine(), load, bench::compiler(), bench::flags(),
               commit());
    for (const Rate& r : rates)
      fmt::print("read {:.0f} MB, {} thr: {:.1f} GB/s   ", r.bytes / 1e6, r.threads, r.gb_s);
    fmt::print("\n\n");
    print_header(out);
  }
  Value::List cases;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& [name, benchmark] = jobs[i];
    fmt::print(stderr, "{}[{}/{}] {}{}", progress.live() ? "\r\033[K" : "", i + 1, jobs.size(), name,
               progress.live() ? "" : "\n");
    std::fflush(stderr);
    const std::vector<CaseResult> results = benchmark->run(context);
    if (progress.live()) fmt::print(stderr, "\r\033[K");
    for (const CaseResult& result : results) {
      csv.add(result);
      if (shared.json) cases.push_back(case_value(result));
      else print_row(result, out);
    }
  }
  if (!shared.json) return done;
  Value::List bandwidth;
  for (const Rate& r : rates)
    bandwidth.push_back(Value::Object{{"bytes", r.bytes}, {"threads", r.threads}, {"gb_s", r.gb_s}});
  print_document(Value::Object{{"machine", bench::machine()},
                               {"compiler", bench::compiler()},
                               {"flags", bench::flags()},
                               {"commit", commit()},
                               {"date", today()},
                               {"load", finite_or_null(load)},
                               {"quick", context.quick},
                               {"bandwidth", std::move(bandwidth)},
                               {"cases", std::move(cases)}});
  return done;
}

}  // namespace

Command bench_command() {
  const auto choices = std::make_shared<Choices>();
  Command command{"bench",
                  "Time named cases, with the floor of this machine and a plain reference",
                  {"threads", "frames", "set"},
                  {},
                  nullptr};
  std::string names;
  for (const auto& [name, benchmark] : registry<BenchmarkPlugin>()) names += (names.empty() ? "" : ", ") + name;
  command.arguments = {{"names", "cases to run (none: all): " + names, &choices->names},
                       {"--quick", "small and short: check that every case works", &choices->quick},
                       {"--no-reference", "leave the plain reference out", &choices->no_reference},
                       {"--csv", "add the rows to this file, with machine, compiler and commit", &choices->csv}};
  command.run = [choices](const Shared& shared) { return bench_cases(*choices, shared); };
  return command;
}

}  // namespace resilin::cli
