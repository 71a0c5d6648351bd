// Systems of few masses and springs between given points.
#pragma once
#include <array>
#include <vector>

#include "resilin/builder.h"

namespace resilin::setup {

struct SpringSystem {
  std::vector<std::array<double, 3>> at;  // rest positions
  std::vector<double> mass;
  std::vector<std::array<int, 2>> edges;
  std::vector<double> stiffness, length;
  std::vector<int> pinned = {};
};
/// No gravity. Term 0 is the springs.
Model spring_model(const SpringSystem& system);
/// One spring from the origin to `at`, with a mass at each end; that at the origin may be pinned.
Model one_spring(const std::array<double, 3>& at, const std::array<double, 2>& mass, double stiffness,
                 double length, bool pinned);
/// Equal links along a line from the origin; the first mass is pinned.
SpringSystem spring_chain(int links, const std::array<double, 3>& link, double mass, double stiffness,
                          double length);
/// A mass at (1, 0, 0) on a spring of rest length zero to the pinned origin: x'' = -w^2 x.
Model oscillator_model(double w);
/// Two masses `m` at (+-1/2, 0, 0) joined by a spring of length 1, as a rod.
Model rod_model(double mass, double stiffness);

}  // namespace resilin::setup
