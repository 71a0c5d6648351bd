// A comparison as a document (JSON), a table (CSV) and a page (HTML).
#pragma once
#include <string>

#include "lab/compare.h"
#include "resilin/render.h"

namespace resilin::lab {

constexpr const char* idle_note =
    "At this frame nothing is left to solve, as in free fall: the guess is the minimum. Choose another one with "
    "--frame.";

/// Parameters of a configuration, stated and default.
Value parameters_value(const Configuration& configuration);
/// A run of a reduced scene as a row of a table.
std::vector<std::string> run_columns();
std::vector<std::string> run_cells(const ReducedRun& run);
Value comparison_value(const Comparison& comparison);
/// One line per configuration and iteration.
std::string comparison_csv(const Comparison& comparison);
/// The whole page; `pictures`: size, which way is up, where the ground is.
std::string comparison_html(const Comparison& comparison, RenderOptions pictures);

}  // namespace resilin::lab
