#include "report/run_report.h"

#include <fmt/format.h>

#include <functional>

#include "report/report.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using Path = std::vector<std::string>;

// Of a line: a plot has fewer pixels, and a page of many megabytes is slow.
constexpr std::size_t most_points = 4000;

// The number at the end of the path; NaN, a gap in a plot, where there is none.
double number_at(const Value& line, const Path& path) {
  const Value* value = &line;
  for (const std::string& key : path) {
    value = value->is_object() ? value->find(key) : nullptr;
    if (value == nullptr) return NAN;
  }
  return value->is_number() ? value->number() : NAN;
}

double component_at(const Value& line, const char* key, std::size_t k) {
  const Value* value = line.find(key);
  if (value == nullptr || !value->is_list() || value->list().size() != 3) return NAN;
  return value->list()[k].is_number() ? value->list()[k].number() : NAN;
}

std::string text_at(const Value& document, const char* key) {
  const Value* value = document.find(key);
  return value == nullptr ? "" : value->is_text() ? value->text() : value->dump();
}

class Curves {
 public:
  Curves(const std::vector<Value>& log, Path x) : log_(log), x_(std::move(x)) {}
  Series of(const std::string& name, const std::function<double(const Value&)>& y) const {
    Series out{name, {}, {}};
    for (const Value& line : log_) out.x.push_back(number_at(line, x_)), out.y.push_back(y(line));
    return out;
  }
  Series of(const std::string& name, const Path& y) const {
    return of(name, [&](const Value& line) { return number_at(line, y); });
  }
  Series sum_of(const std::string& name, const Path& y) const {
    Series out = of(name, y);
    for (std::size_t i = 1; i < out.y.size(); ++i) out.y[i] += out.y[i - 1];
    return out;
  }
  std::vector<Series> components(const char* key) const {
    std::vector<Series> out;
    for (std::size_t k = 0; k < 3; ++k)
      out.push_back(of(std::string(1, "xyz"[k]), [&](const Value& line) { return component_at(line, key, k); }));
    return out;
  }

 private:
  const std::vector<Value>& log_;
  Path x_;
};

// Every n-th frame, and the last.
void add_plot(Report& report, const char* title, const char* x_label, const char* y_label,
              std::vector<Series> lines, bool log_y = false) {
  for (Series& series : lines) {
    const std::size_t count = series.x.size(), stride = (count + most_points - 1) / most_points;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (i % stride == 0 || i + 1 == count) series.x[kept] = series.x[i], series.y[kept++] = series.y[i];
    series.x.resize(kept);
    series.y.resize(kept);
  }
  report.plot({title, x_label, y_label, false, log_y, std::move(lines)});
}

void add_solver(Report& report, const std::vector<Value>& log) {
  const Curves by_frame(log, {"frame"});
  report.section("Time and convergence");
  add_plot(report, "Time per frame by phase", "frame", "time [ms]",
           {by_frame.of("total", {"ms", "total"}), by_frame.of("local", {"ms", "local"}),
            by_frame.of("global", {"ms", "global"}), by_frame.of("line search", {"ms", "line_search"}),
            by_frame.of("other", {"ms", "other"})});
  add_plot(report, "Force residual", "frame", "|grad Phi| [N]",
           {by_frame.of("at the start", {"first_residual"}), by_frame.of("at the end", {"residual"})}, true);
  add_plot(report, "Iterations", "frame", "per frame",
           {by_frame.of("iterations", {"iterations"}), by_frame.of("trial points", {"line_searches"})});
}

void add_ledger(Report& report, const std::vector<Value>& log) {
  const Curves by_time(log, {"time"});
  const Series all = by_time.of("kinetic + elastic", [](const Value& line) {
    return number_at(line, {"energy", "kinetic"}) + number_at(line, {"energy", "elastic"});
  });
  report.section("Energy and momentum");
  add_plot(report, "Energy", "time [s]", "energy [J]",
           {by_time.of("kinetic", {"energy", "kinetic"}), by_time.of("elastic", {"energy", "elastic"}), all});
  add_plot(report, "Work since the start", "time [s]", "work [J]",
           {by_time.sum_of("external forces", {"ledger", "external_work"}),
            by_time.sum_of("pins", {"ledger", "pin_work"}),
            by_time.sum_of("numerical loss", {"ledger", "numerical_loss"})});
  add_plot(report, "Momentum", "time [s]", "momentum [kg m/s]", by_time.components("momentum"));
  add_plot(report, "Angular momentum about the origin", "time [s]", "angular momentum [kg m²/s]",
           by_time.components("angular_momentum"));
}

}  // namespace

std::string run_report_html(const Scene& scene, const Value& summary, const std::vector<Value>& log,
                            const std::string& png) {
  Report report(scene.name, scene.description);
  report.facts(
      {{"result", text_at(summary, "status")},
       {"frames", fmt::format("{} of {}", text_at(summary, "frames"), scene.frames)},
       {"frame", fmt::format("{:.4g} s in {} step{}", scene.step, scene.substeps, scene.substeps == 1 ? "" : "s")},
       {"size",
        fmt::format("{} vertices, {} elements", text_at(summary, "vertices"), text_at(summary, "elements"))},
       {"solver", text_at(summary, "solver")},
       {"integrator", text_at(summary, "integrator")},
       {"threads", text_at(summary, "threads")},
       {"median frame", fmt::format("{:.3f} ms", number_at(summary, {"ms_per_frame", "median"}))},
       {"state", text_at(summary, "state_hash")}});
  if (summary.find("message") != nullptr && summary.find("message")->is_text())
    report.text(text_at(summary, "message"));
  report.text(text_at(summary, "verdict"));
  if (!png.empty()) report.picture(png, fmt::format("after {:.4g} s", number_at(summary, {"time"})));
  add_solver(report, log);
  add_ledger(report, log);
  return report.html();
}

std::vector<Value> read_log(const std::string& text) {
  std::vector<Value> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    try {
      lines.push_back(parse_json(text.substr(at, end - at), "run.jsonl"));
    } catch (const InputError&) {
      continue;
    }
  }
  return lines;
}

}  // namespace resilin
