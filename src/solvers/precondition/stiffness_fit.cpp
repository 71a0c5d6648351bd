#include "solvers/precondition/stiffness_fit.h"

#include <algorithm>
#include <cmath>

namespace resilin {
namespace {

// What is in use may be softer than the mean of the fits by the first, stiffer by the second: too soft costs more,
// since the line search cuts in every iteration.
constexpr double softer = 1.5, stiffer = 2;
constexpr double blow = 16;                     // times stiffer than what is in use: no time for means
constexpr double newest = 0.25;                 // weight of a stage's fit in the mean, which is geometric
constexpr double least = 1.0 / 4096, most = 4;  // scales: a body at rest says nothing about what will happen to it

// Up to a power of sqrt(2), so that a motion that comes back finds its factor again.
double rounded(double scale) { return std::exp2(std::ceil(2 * std::log2(scale)) / 2); }

// What is kept of every potential.
struct Kept {
  double scale = 1, mean = 0;  // mean of the fits; 0: none yet
  void update(double fit) {
    fit = std::clamp(fit, least, most);
    mean = mean > 0 && fit < blow * scale ? mean * std::pow(fit / mean, newest) : fit;
    if (mean > softer * scale || stiffer * mean < scale) scale = rounded(mean);
  }
};

}  // namespace

Params StiffnessFit::params() {
  return {choice("stiffness", {"interval", "stretches"},
                 "where the stiffness k of the constant Hessian is fitted. interval: over fit_interval of the "
                 "material; stretches: over the stretches that occur")};
}

StiffnessFit::StiffnessFit(const Settings& settings) : on_(settings.text("stiffness") == "stretches") {}

void StiffnessFit::update(Problem& problem, const double* y, Memory& memory) {
  if (!on_) return;
  auto& kept = memory.keep("quasi_newton.stiffness", problem.revision().stiffness);
  const std::vector<StretchSums>& fit = problem.constant().sum_stretches(y);
  scale_.resize(problem.constant().potentials());
  if (kept.size() != 2 * fit.size()) {
    kept.clear();
    for (std::size_t i = 0; i < fit.size(); ++i) kept.insert(kept.end(), {Kept().scale, Kept().mean});
  }
  for (std::size_t i = 0; i < fit.size(); ++i) {
    Kept one{kept[2 * i], kept[2 * i + 1]};
    if (const double ratio = fit[i].stress / fit[i].stiffness; ratio > 0)
      one.update(ratio);  // not at rest, not NaN
    scale_[i] = kept[2 * i] = one.scale, kept[2 * i + 1] = one.mean;
  }
  problem.constant().scale(scale_);
}

}  // namespace resilin
