// Figures that several experiments draw: convergence of solvers on one stage, a body at a moment, the curve of a
// count per frame.
#pragma once
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "resilin/mesh.h"
#include "resilin/model.h"
#include "resilin/solver.h"

namespace resilin::lab {

/// A traced solve with the name it has in the plot.
struct Curve {
  std::string name;
  SolveReport report;
  double before = 0;  // seconds that every frame pays before its first iteration, e.g. for a factor
};

/// Relative error (Eq. 12 of Liu et al. 2017) by iteration and by time.
void plot_convergence(Findings& findings, const std::string& title, const std::vector<Curve>& curves,
                      double minimum);
/// Relative error by iteration only.
void plot_errors(Findings& findings, const std::string& title, const std::vector<Curve>& curves, double minimum);

/// y[0], y[1], ... at 0, 1, ...
Series counted(const std::string& name, std::vector<double> y);

/// A small picture of the bodies at q, as a PNG file. `shown`: what the view must show; empty: this.
std::string snapshot(const Model& model, const std::vector<double>& q, const Vec3& up = {0, 1, 0},
                     const std::vector<double>& shown = {});

}  // namespace resilin::lab
