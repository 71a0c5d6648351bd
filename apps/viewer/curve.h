// Curves for the page's editors: what a material or a damping says over stretch, sampled, or why it cannot be.
#pragma once
#include <string>

#include "resilin/params.h"

namespace resilin::viewer {

/// Members of the reply to `curve`. `kind`: "material" or "damping"; `description`: as in a scene. InputError: it
/// is refused.
Value::Object sample_curve(const std::string& kind, const Value& description);

}  // namespace resilin::viewer
