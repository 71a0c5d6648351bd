// E22: L-BFGS on a mass-spring cloth (Liu et al. 2017, Fig. 12): from the same state, ten iterations with five
// pairs go lower than ten of projective dynamics in every frame, and nothing is factorised after the first.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"
#include "simulation/solve_stage.h"

namespace resilin {
namespace {

// The surface that the springs stand for, to be looked at.
Model drawn(const Model& springs) {
  ClothOptions options;
  options.nx = options.ny = static_cast<int>(std::lround(std::sqrt(springs.vertex_count())));
  Model model;
  model.add_vertices(springs.rest);
  model.bodies.push_back({"cloth", 0, springs.vertex_count(), {}, grid_cloth(options).triangles.triangles, {}});
  return model;
}

// The same motion by the solver alone, frame after frame.
std::string picture(const Settings& s, const std::string& solver) {
  const auto simulation = lab::start_scene(lab::liu_scene("cloth", s.number("detail")), lab::liu_step, solver,
                                           {{"iterations", s.integer("iterations")}, {"tolerance", 0}});
  for (int frame = 0; frame < s.integer("frames"); ++frame) lab::advance(*simulation);
  return lab::snapshot(drawn(simulation->model()), simulation->positions(), {0, 0, 1});
}

void run(const Settings& s, Findings& findings) {
  const double h = lab::liu_step;
  const auto simulation = lab::start_scene(lab::liu_scene("cloth", s.number("detail")), h, "quasi_newton", {});
  const auto ours = lab::make_solver("quasi_newton", {{"history", s.integer("history")}}),
             plain = lab::make_solver("projective_dynamics", {});
  int lower = 0, factorisations = 0;
  lab::Worst ratio;
  std::vector<double> quotients;
  for (int frame = 0; frame < s.integer("frames"); ++frame) {
    DynamicSystem& system = simulation->system();
    const Stage stage = lab::euler_stage(system, simulation->state(), h);
    std::vector<double> y;
    const SolveReport a = lab::solve_stage(*ours, system, stage, y, s.integer("iterations")),
                      b = lab::solve_stage(*plain, system, stage, y, s.integer("iterations"));
    lower += a.objective < b.objective;
    quotients.push_back(a.objective / b.objective);
    ratio.see(quotients.back());
    if (frame > 0) factorisations += a.factorisations;
    lab::advance(*simulation);
  }
  findings.near("frames in which L-BFGS ends lower than projective dynamics", s.integer("frames"), lower, 0);
  findings.near("factorisations after the first frame", 0, factorisations, 0);
  findings.report("largest Phi of L-BFGS / Phi of projective dynamics", ratio);
  findings.plot(lab::linear("Fig. 12: Phi after ten iterations", "frame", "L-BFGS / projective dynamics",
                            {lab::counted("Phi of L-BFGS / Phi of projective dynamics", quotients)}));
  findings.picture("Fig. 12: L-BFGS, m = 5", picture(s, "quasi_newton"));
  findings.picture("Fig. 12: projective dynamics", picture(s, "projective_dynamics"));
}

}  // namespace

ExperimentPlugin experiment_E22() {
  return {.title = "L-BFGS on a mass-spring cloth",
          .source = "liu2017",
          .shows = "Fig. 12",
          .doc = "The objective after ten iterations with and without secant pairs, frame by frame.",
          .params = {integer("iterations", 10, between(1, 1000), "iterations of both solvers"),
                     integer("history", 5, between(1, 100), "m of L-BFGS"),
                     integer("frames", 90, between(1, 10000), "frames of 1/30 s"),
                     number("detail", "", 1, between(0.3, 4), "cloth: 1 is 31 x 31 vertices")},
          .quick = Quick{.set = {{"frames", 20}, {"detail", 0.5}}},
          .run = run};
}

}  // namespace resilin
