// A plot as an SVG file of its own, for pages that run no script: docs, papers, a viewer of pictures. It looks like
// what plot.js draws in a report, on a white ground so that it can be read on dark pages too. It must not know what
// the plot is about.
#pragma once
#include <string>

#include "report/figure.h"

namespace resilin {

/// The file, in UTF-8: title, axes with ticks, lines with gaps where a point is not drawable, legend. Wants
/// has_points().
std::string svg(const Plot& plot);

}  // namespace resilin
