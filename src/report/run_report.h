// The report of a run, from what the run leaves behind anyway: its scene, its summary and its log. So a run that
// was interrupted or resumed has a report of all its frames.
#pragma once
#include <string>
#include <vector>

#include "resilin/scene.h"

namespace resilin {

/// `summary`: the document of the run; `log`: the lines of run.jsonl; `png`: a picture of the last frame, or empty.
std::string run_report_html(const Scene& scene, const Value& summary, const std::vector<Value>& log,
                            const std::string& png);

/// The whole lines of a run log; what is damaged is left out.
std::vector<Value> read_log(const std::string& text);

}  // namespace resilin
