// Bodies of the experiments on hyper-reduction (Brandt et al. 2018): a creature of any resolution, reduced simulations of it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "lab/setup.h"
#include "resilin/reduction.h"
#include "resilin/simulation.h"

namespace resilin::lab {

/// The lattice, of which the creature has about so many vertices.
double creature_spacing(int vertices);
TetMesh creature_mesh(int vertices);
/// Of PD strain, without gravity; a stiffness of 1e4 Pa is soft.
Model creature_model(int vertices, double stiffness = 1e4);

/// `handles` of 12 unknowns, half as many for the fit, but for what `samples` wants; -1: all elements, and nothing is fitted.
ReductionSettings reduction_of(int handles, int samples = 1000);

/// By projective dynamics with a fixed number of iterations; any other solver with its own stop rule where `iterations` is 0.
std::unique_ptr<Simulation> reduced_simulation(Model model, const ReductionSettings& settings, double step,
                                               int iterations, const std::string& solver = "projective_dynamics");

/// What a reduced body costs: its fastest step among `frames`, from a bent state.
struct ReducedCost {
  int vertices = 0, elements = 0, unknowns = 0;
  double setup = 0, step = 0, display = 0, factor = 0;  // [s]; factor: a new one of its matrix
  double fill = 0;                                      // of that matrix
};
ReducedCost reduced_cost(int vertices, const ReductionSettings& settings, double step, int iterations, int frames);
/// As a row of a table with these columns.
std::vector<std::string> cost_columns();
std::vector<std::string> cost_row(const ReducedCost& cost, int iterations);

/// |a - b| over vertices, weighted by mass, over the size of the model.
double distance(const Model& model, const std::vector<double>& a, const std::vector<double>& b);
/// The creature's rest shape bent and stretched: a state that is far from rest.
std::vector<double> bent(const std::vector<double>& rest, double degrees_per_metre);

}  // namespace resilin::lab
