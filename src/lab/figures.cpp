#include "lab/figures.h"

#include <cmath>

#include "lab/setup.h"
#include "resilin/render.h"

namespace resilin::lab {
namespace {

// Below this an error is the round-off of Phi, and a line through it is noise.
constexpr double round_off = 1e-13;

std::vector<double> shown_errors(const SolveReport& report, double minimum) {
  std::vector<double> errors = relative_errors(report, minimum);
  for (double& error : errors)
    if (error < round_off) error = NAN;
  return errors;
}

}  // namespace

Series counted(const std::string& name, std::vector<double> y) {
  Series out{name, {}, std::move(y)};
  for (std::size_t i = 0; i < out.y.size(); ++i) out.x.push_back(static_cast<double>(i));
  return out;
}

void plot_errors(Findings& findings, const std::string& title, const std::vector<Curve>& curves, double minimum) {
  Plot plot{title + ", by iteration", "iteration", "relative error", false, true, {}};
  for (const Curve& curve : curves) plot.series.push_back(counted(curve.name, shown_errors(curve.report, minimum)));
  findings.plot(std::move(plot));
}

void plot_convergence(Findings& findings, const std::string& title, const std::vector<Curve>& curves,
                      double minimum) {
  plot_errors(findings, title, curves, minimum);
  Plot plot{title + ", by time", "time [ms]", "relative error", true, true, {}};
  for (const Curve& curve : curves) {
    Series series{curve.name, {}, shown_errors(curve.report, minimum)};
    for (const IterationRecord& record : curve.report.trace)
      series.x.push_back(1e3 * (curve.before + record.seconds));
    plot.series.push_back(std::move(series));
  }
  findings.plot(std::move(plot));
}

std::string snapshot(const Model& model, const std::vector<double>& q, const Vec3& up,
                     const std::vector<double>& shown) {
  RenderOptions options;
  options.width = 480, options.height = 360, options.samples = 2;
  options.up = up;
  if (!shown.empty()) options.fit = bounds(shown);
  return png(render(model, q, options));
}

}  // namespace resilin::lab
