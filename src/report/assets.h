// The script and the style of reports, put into the library by CMake from plot.js and report.css.
#pragma once

namespace resilin {

const char* plot_js();
const char* report_css();

}  // namespace resilin
