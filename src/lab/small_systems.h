// Systems of few masses for experiments with integrators and damping: springs between given points, and a
// simulation that solves every stage to the last digits.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "lab/setup.h"

namespace resilin::lab {

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

/// Newton to |grad| <= 1e-13 of the start.
std::unique_ptr<Simulation> precise_simulation(Model model, double h, const std::string& integrator,
                                               const Values& params = {});
/// Starts from these positions and velocities (empty: as they are).
void start_from(Simulation& simulation, const std::vector<double>& q, const std::vector<double>& v);
/// v += omega x (x - origin)
void spin(Simulation& simulation, const std::array<double, 3>& omega);
double total_energy(Simulation& simulation);
/// Neo-Hookean, 1 x 0.2 x 0.2 m, 1000 kg/m^3, nu = 0.4, along x: the beam of Brown et al., Figs. 6 and 7.
Model slender_beam(double young);
/// What a run keeps from now on: angular momentum about z and total energy after every step, over those of now.
struct Course {
  std::vector<double> time, momentum, energy;
};
Course follow(Simulation& simulation, double duration);

/// log2 of ratios of neighbours: orders of convergence when the step is halved.
std::vector<double> slopes(const std::vector<double>& errors);

}  // namespace resilin::lab
