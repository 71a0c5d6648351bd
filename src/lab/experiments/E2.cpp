// E2: on projective energies alpha = 1 always satisfies Armijo for gamma <= 1/2 (X4): with m = 0 every iteration
// takes exactly one evaluation, until what is left to gain drowns in round-off (rel.err 1e-12). Table I: cloth 10.0
// of 10.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Count {
  int iterations = 0, rejected = 0;
};

// Only records before the relative error reaches 1e-12 count.
void add(Count& count, const SolveReport& report, double reference) {
  lab::Least minimum = reference;
  for (const auto& record : report.trace) minimum.see(record.objective);
  const auto errors = lab::relative_errors(report, minimum);
  for (std::size_t k = 1; k < report.trace.size() && errors[k] > 1e-12; ++k) {
    ++count.iterations;
    count.rejected += report.trace[k].evaluations - 1;
  }
}

Count beam(const Settings& s, int iterations) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  lab::Study one = lab::stage_from_rest(lab::solid(mesh, 1000, "arap", {{"stiffness", s.number("stiffness")}}),
                                        lab::twisted(mesh.vertices, s.number("twist")), s.number("step"));
  std::vector<double> y;
  const double reference = one.minimum(y);
  Count count;
  add(count, one.trace("quasi_newton", {{"history", 0}, {"gamma", s.number("gamma")}}, iterations), reference);
  return count;
}

Count cloth(const Settings& s) {
  const auto simulation =
      lab::start_scene(lab::liu_scene("cloth", s.number("detail")), lab::liu_step, "quasi_newton",
                       {{"history", 0}, {"gamma", s.number("gamma")}, {"iterations", 10}, {"tolerance", 0}});
  simulation->solver().tracing = true;
  Count count;
  // No reference minimum per frame: after 10 iterations with m = 0 a swinging cloth is far above 1e-12, so all of
  // them count.
  for (int frame = 0; frame < s.integer("frames"); ++frame) add(count, simulation->step().solve, -1e300);
  return count;
}

void run(const Settings& s, Findings& findings) {
  for (const auto& [name, count] :
       {std::pair{"S-BEAM", beam(s, s.integer("iterations"))}, std::pair{"cloth of springs", cloth(s)}}) {
    const std::string at = std::string(name) + ": ";
    findings.at_least(at + "iterations before round-off", 10, count.iterations);
    findings.near(at + "rejected trial points", 0, count.rejected, 0);
    findings.near(at + "evaluations per iteration", 1,
                  1 + static_cast<double>(count.rejected) / std::max(1, count.iterations), 0);
  }
}

}  // namespace

ExperimentPlugin experiment_E2() {
  return {.title = "Projective energies need no line search",
          .source = "liu2017",
          .doc = "m = 0, Armijo: exactly one evaluation per iteration, on a twisted beam and on a hanging cloth.",
          .params = {integer("cells", 2, between(1, 8), "cells across the beam"),
                     number("stiffness", "Pa", 1e8, positive(), "k of the strain energy"),
                     number("step", "s", 0.01, positive(), "time step of the beam"),
                     number("twist", "degrees", 180, any_number(), "twist of the start"),
                     number("gamma", "", 0.3, {0, 0.5, true, false}, "Armijo constant; the proof holds up to 1/2"),
                     integer("iterations", 300, between(10, 10000), "iterations on the beam"),
                     number("detail", "", 1, between(0.2, 4), "size of the cloth: 31 x 31 vertices at 1"),
                     integer("frames", 60, between(1, 10000), "frames of the cloth, 10 iterations each")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
