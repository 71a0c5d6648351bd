// The scenes of Liu et al. 2017, Table I, on meshes of our own: same materials and motions, sizes that a
// reproduction can afford. Used by the experiments on line searches (E6, E7), on L-BFGS windows (E8) and on Newton
// (E13).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "lab/setup.h"
#include "simulation/solve_stage.h"

namespace resilin::lab {

enum class SceneKind { normal, spline, contact };  // Table I: they differ in the line searches they need

struct LiuScene {
  std::string name;
  SceneKind kind = SceneKind::normal;
  Model model;
  std::vector<double> start;  // initial positions; empty: at rest
};

/// thin_sheet (polynomial), sphere_a, sphere_b (spline), shaking_bar (corotated), creature (neo-Hookean),
/// random_creature (corotated), twisting_bar and twisting_bar_slow (neo-Hookean), cloth (springs), drop (corotated,
/// on the ground), head (polynomial). `detail` 1 is our size, 2 has twice the cells in each direction.
LiuScene liu_scene(const std::string& name, double detail = 1);
const std::vector<std::string>& liu_scene_names();

/// The head with stiffer teeth and a pinned neck. gentle: a slow nod and turn; impulsive: jerks of `jerk` metres in
/// one frame.
LiuScene liu_head(double spacing, double mu, bool impulsive, double step, double jerk = 0.4);

/// A mesh of $RESILIN_MESHES, scaled to 1 m, of the head's material, held by its upper tenth, which moves as the
/// head's neck does.
LiuScene liu_mesh_head(const std::string& file);

/// A simulation of the scene at its start.
std::unique_ptr<Simulation> start_scene(LiuScene scene, double step, const std::string& solver,
                                        const Values& solver_params);

/// Smallest and largest signed principal stretch of all tets.
std::array<double, 2> stretch_range(const Model& model, const std::vector<double>& q);

/// The stage that backward Euler would solve from `state`, begun on the objective.
Stage euler_stage(DynamicSystem& system, const State& state, double h);
SolveReport solve_stage(Solver& solver, DynamicSystem& system, const Stage& stage, std::vector<double>& y,
                        int iterations, double tolerance = 0);

}  // namespace resilin::lab
