// The scenes of Liu et al. 2017, Table I, on meshes of our own: same materials and motions, sizes that a
// reproduction can afford. Used by the experiments on line searches (E6, E7), on L-BFGS windows (E8) and on Newton
// (E13).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "lab/setup.h"

namespace resilin::lab {

constexpr double liu_step = 1.0 / 30;  // [s], the paper's. With smaller ones a frame is closer to linear

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
std::vector<std::string> liu_scene_names();

/// The head with stiffer teeth and a pinned neck. gentle: a slow nod and turn; impulsive: jerks of `jerk` metres in
/// one frame.
LiuScene liu_head(double spacing, double mu, bool impulsive, double step, double jerk = 0.4);

/// A mesh of $RESILIN_MESHES, scaled to 1 m, of the head's material, held by its upper tenth, which moves as the
/// head's neck does.
LiuScene liu_mesh_head(const std::string& file);

/// A simulation of the scene at its start.
std::unique_ptr<Simulation> start_scene(LiuScene scene, double step = liu_step,
                                        const std::string& solver = "quasi_newton",
                                        const Values& solver_params = {});
/// The step of a simulation that leads on from a frame, with its minimum; the simulation goes there.
Study study_at(Simulation& simulation, int frame);
/// The frames that an experiment judges: its parameters `frames` and `frame`, ascending.
std::vector<int> judged_frames(const Settings& s);

struct ContestOptions {
  int iterations = 10, history = 5;
  int frames = 4, every = 8;       // states compared, and frames between them
  int reference_iterations = 200;  // of Newton, at most, for the minimum; whoever goes lowest is the minimum
};
/// Ten quasi-Newton iterations against one of Newton's, which projects element Hessians to positive semidefinite,
/// from the same states (Table I). Means over the compared frames, unless said otherwise.
struct Contest {
  int vertices = 0, elements = 0, frames = 0;
  double ours = 0, newton = 0;                  // relative errors
  double ours_seconds = 0, newton_seconds = 0;  // per frame
  double overhead = 0;                          // seconds per frame of L-BFGS besides its solve
  double searches = 0;                          // trial points per frame, over all frames
  std::vector<double> q;                        // the last frame
};
Contest contest(LiuScene scene, const ContestOptions& options);

/// Smallest and largest signed principal stretch of all tets.
std::array<double, 2> stretch_range(const Model& model, const std::vector<double>& q);

}  // namespace resilin::lab
