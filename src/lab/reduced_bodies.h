// Bodies of the experiments on hyper-reduction (Brandt et al. 2018): a creature of any resolution, reduced
// simulations of it.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/setup.h"
#include "resilin/reduction.h"
#include "resilin/simulation.h"

namespace resilin {
class Reduction;
}

namespace resilin::lab {

/// The lattice, of which the creature has about so many vertices.
double creature_spacing(int vertices);
TetMesh creature_mesh(int vertices);
/// Of PD strain, without gravity; a stiffness of 1e4 Pa is soft.
Model creature_model(int vertices, double stiffness = 1e4);

/// A curved sheet of about so many vertices with PD strain and bending; a creature with the same on its surface
/// besides its tets.
Model shell_model(int vertices, double stiffness = 1e6);
Model skinned_creature_model(int vertices, double stiffness = 1e4);

/// Two centimetres above the ground, at `velocity`.
struct Drop {
  int vertices = 19000;
  double stiffness = 3e4;  // [Pa]
  std::array<double, 3> velocity{0, -3, 0};
  double step = 1.0 / 60;
};
/// A dropped creature of PD strain, in full or reduced.
std::unique_ptr<Simulation> dropped_creature(const Drop& drop, const Choice& solver = "quasi_newton",
                                             std::optional<ReductionSettings> reduction = {},
                                             std::shared_ptr<const ReductionStore> store = nullptr);
/// Gives a simulation what was computed for it already.
std::shared_ptr<const ReductionStore> store_of(const Reduction& reduction);

/// `handles` of 12 unknowns, half as many for the fit, but for what `samples` wants; -1: all elements, and nothing
/// is fitted.
ReductionSettings reduction_of(int handles, int samples = 1000);

/// A creature in a scene, which can be edited while it runs: with the settings "vertices", "handles", "samples" and
/// "step". `solver` and `body` (what it has besides its shape): as a scene says it.
std::unique_ptr<Simulation> reduced_scene(const Settings& s, double gravity, const std::string& solver,
                                          const std::string& body);

/// By projective dynamics with a fixed number of iterations; any other solver with its own stop rule where
/// `iterations` is 0.
std::unique_ptr<Simulation> reduced_simulation(Model model, const ReductionSettings& settings, double step,
                                               int iterations, const std::string& solver = "projective_dynamics");

/// What a reduced body costs: its fastest step among `frames`, from a bent state.
struct ReducedCost {
  int vertices = 0, elements = 0, unknowns = 0;
  int projections = 0;                                  // dimension of the projection subspaces
  int samples = 0, sampled_vertices = 0;                // that an iteration evaluates
  double setup = 0, step = 0, display = 0, factor = 0;  // [s]; factor: a new one of its matrix
  double local = 0, global = 0;  // [s] of an iteration: with positions of samples and fit; the rest of it
  double partial = 0, fit = 0;   // [s], alone: positions of samples, the fit
  double fill = 0;               // of the matrix
};
ReducedCost reduced_cost(const Model& model, const ReductionSettings& settings, double step, int iterations,
                         int frames);
/// Steps of the full method from the same state: the fastest of three, and what came before the first [s].
struct FullCost {
  double setup = 0, step = 0;
};
FullCost full_cost(const Model& model, double step, int iterations);
/// As a row of a table with these columns.
std::vector<std::string> cost_columns();
std::vector<std::string> cost_row(const ReducedCost& cost, int iterations);

/// Of the rest shape about its middle: root of the sum of mass times squared distance. The paper's errors are over
/// this.
double spread(const Model& model);
/// |a - b| over vertices, weighted by mass, over the spread.
double normalised_distance(const Model& model, const std::vector<double>& a, const std::vector<double>& b);
/// Of errors of frames; NaN where there are none.
struct ErrorSummary {
  double mean, median, largest;
};
ErrorSummary summary(const std::vector<double>& errors);
/// |a - b| over vertices, weighted by mass, over the size of the model.
double distance(const Model& model, const std::vector<double>& a, const std::vector<double>& b);
/// The creature's rest shape bent and stretched: a state that is far from rest.
std::vector<double> bent(const std::vector<double>& rest, double degrees_per_metre);

}  // namespace resilin::lab
