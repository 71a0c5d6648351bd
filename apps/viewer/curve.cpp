#include "curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/run_log.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "scene/format.h"
#include "scene/material.h"

namespace resilin::viewer {
namespace {

constexpr int samples = 97;
constexpr double low = 0.4, high = 1.6;  // stretches

Value::List row(double x, double y) { return {x, finite_or_null(y)}; }

// Uniaxial: the stretch x along an axis, the other two at rest. P = dpsi/ds_0, the engineering stress [Pa]; of the
// Valanis-Landel form also f of Liu et al. Eq. 10, which the control points of "stress" draw.
Value::Object of_material(const Value& description) {
  const Choice choice = read_material(description, &description).material;
  const Settings& settings = *choice.checked;
  const MaterialPlugin& material = find_plugin<MaterialPlugin>(choice.type)->plugin;
  const ElementSettings one{&settings, 0};
  material.make(std::span(&one, 1));  // refuses what a scene would
  const auto energy = material.energy(settings);
  Value::List uniaxial, axial;
  for (int i = 0; i < samples; ++i) {
    const double x = low + (high - low) * i / (samples - 1);
    uniaxial.push_back(row(x, energy({x, 1, 1}).d[0]));
  }
  if (material.functions) {
    const ValanisLandelFunctions functions = material.functions(settings);
    for (int i = 0; i < samples; ++i) {
      const double x = low + (high - low) * i / (samples - 1);
      axial.push_back(row(x, functions.stress(x)));
    }
  }
  return {{"x", "stretch"},
          {"y", "stress [Pa]"},
          {"samples", axial.empty() ? uniaxial : axial},
          {"uniaxial", uniaxial}};
}

// The factor s of a spline (Brown et al. Eq. 57) on the damping, over stretch or over the rate of strain.
Value::Object of_damping(const Value& description) {
  const PluginChoice choice = read_plugin("damping", description);
  check_damping(choice.settings, ElementKind::tet);
  double from = low, to = high;
  if (choice.settings.declares("spline") && choice.settings.has("spline")) {
    const auto points = choice.settings.points("spline");
    from = std::min(from, points.front()[0]), to = std::max(to, points.back()[0]);
  }
  const auto factor = spline_factor(choice.settings);
  Value::List out;
  for (int i = 0; i < samples; ++i) {
    const double x = from + (to - from) * i / (samples - 1);
    out.push_back(row(x, factor(x)));
  }
  return {{"x", "stretch"}, {"y", "factor"}, {"samples", std::move(out)}};
}

}  // namespace

Value::Object sample_curve(const std::string& kind, const Value& description) {
  return kind == "damping" ? of_damping(description) : of_material(description);
}

}  // namespace resilin::viewer
