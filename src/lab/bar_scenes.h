// Bars that drop, shake, spin, twist or start at random, in four materials and any size: where two-level
// quasi-Newton is measured against the paper's method and others. All from the same states of a converged past, on
// the same Objective.
#pragma once
#include <string>
#include <vector>

#include "lab/setup.h"

namespace resilin::lab {

struct BarCase {
  std::string scene = "drop";            // drop, shake, spin, twist, random, scrambled
  std::string material = "neo_hookean";  // neo_hookean, corotated, spline, polynomial
  int vertices = 1500;                   // about
  double young = 1e6;                    // [Pa]; mu of the polynomial material is five times this
  double step = 1.0 / 30;                // [s]
  double scatter = 0.5;                  // [cells], random: every coordinate is moved by up to this
  double fit_stiffness = 0;              // [Pa], k of the constant Hessian; 0: that of the material
  std::string name() const;
};
/// All but scrambled: vertices anywhere in the bar's box, as in Liu et al. 2017 5; energies are far from convex
/// there.
const std::vector<std::string>& bar_scenes();
const std::vector<std::string>& bar_materials();

/// At the start of the case.
std::unique_ptr<Simulation> start_bar(const BarCase& c, const std::string& solver, const Values& params);
/// Quasi-Newton to |grad| <= tolerance |grad_0|.
Values converged_bar(double tolerance = 1e-6, int iterations = 400);

/// From a converged past.
std::vector<Needed> needed(const BarCase& c, const std::vector<Method>& methods, const NeededOptions& options);

/// Scene A: the twisting bar of the gallery, neo-Hookean with the constants of "rubber". `solver`: JSON.
std::unique_ptr<Simulation> scene_a(const std::string& solver);

}  // namespace resilin::lab
