// For experiments with integrators and damping: a simulation of few masses that solves every stage to the last
// digits, and what is measured on it.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "lab/setup.h"
#include "setup/springs.h"

namespace resilin::lab {

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
