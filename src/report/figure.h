// What a report shows besides text: verdicts, plots, pictures, tables. Experiments put them into their Findings;
// plain data, so that what is measured does not know how it is shown.
#pragma once
#include <string>
#include <variant>
#include <vector>

namespace resilin {

/// A quantity, what is expected of it, what was measured, and the verdict.
struct Row {
  std::string quantity;
  std::string relation;  // "=", "<=", ">=", "in", "report"
  double expected = 0, measured = 0, tolerance = 0;
  bool pass = true;
  std::string note = {};
  // Of a time: "<=" or ">=", by which `resilin bench experiment_times` judges it against `expected`.
  std::string mark = {};
};

/// A line of a plot. Points that are not finite, and on a log axis those that are not positive, are gaps.
struct Series {
  std::string name;
  std::vector<double> x, y;
  int colour = -1;  // of the palette; -1: by its place among the lines. Lines that belong together share one
  bool dashed = false;
};

struct Plot {
  std::string title = {}, x_label = {}, y_label = {};
  bool log_x = false, log_y = false;
  std::vector<Series> series = {};
};

struct PngFigure {
  std::string title, png;  // png: the contents of a PNG file
};

struct TableFigure {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

using Figure = std::variant<Plot, PngFigure, TableFigure>;

}  // namespace resilin
