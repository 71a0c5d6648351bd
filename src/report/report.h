// A report: one self-contained HTML file with text, tables, verdicts, pictures and plots that one can zoom. It
// opens offline and from anywhere; nothing is loaded. Made by `resilin compare`, `run` and `reproduce`. It must not
// know what it reports about.
//
//   Report report("Twisting bar", "six solvers on one stage");
//   report.section("Convergence");
//   report.plot({.title = "Error", .x_label = "iterations", .y_label = "relative error", .log_y = true, .series =
//   {...}});
//   write_file("report.html", report.html());
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "report/figure.h"

namespace resilin {

class Report {
 public:
  Report(std::string title, const std::string& subtitle);

  /// What follows stands under this heading. `anchor`: the name that links of this page lead to, "#anchor".
  void section(const std::string& title, const std::string& anchor = "");
  void text(const std::string& paragraph);
  /// Name and value of things worth knowing.
  void facts(const std::vector<std::pair<std::string, std::string>>& list);
  /// Cells that look like numbers, or are a verdict, are set as such. `links`: where the first cell of each row
  /// leads.
  void table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
             const std::vector<std::string>& links = {});
  /// Expected, measured, tolerance and verdict of an experiment.
  void verdicts(const std::vector<Row>& rows);
  /// `png`: the contents of a PNG file.
  void picture(const std::string& png, const std::string& caption);
  /// A plot without a point is left out, with a sentence that says so.
  void plot(const Plot& plot);
  void figure(const Figure& figure);

  /// The whole document, in UTF-8.
  std::string html() const;

 private:
  std::string title_, body_;
};

/// Finite, and positive where the axis is logarithmic.
bool drawable(const Plot& plot, double x, double y);
/// Whether there is anything to draw.
bool has_points(const Plot& plot);

/// `text` with the characters that mean something in HTML replaced.
std::string html_escaped(const std::string& text);
/// What a row expects: "1.5", "<= 0.1", "[1, 2]", or "-" when nothing is.
std::string expected_text(const Row& row);

}  // namespace resilin
