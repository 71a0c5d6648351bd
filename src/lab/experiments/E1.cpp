// E1: quasi-Newton without history and line search IS projective dynamics (Liu et al. Section 3): the same iterates
// on the twisted beam S-BEAM, measured per iteration.
#include "lab/toolkit.h"

namespace resilin {
namespace {

using Iterates = std::vector<std::vector<double>>;

Iterates iterates(lab::Study& one, const std::string& solver, const lab::Values& params, int count) {
  Iterates out;
  const auto made = lab::make_solver(solver, params);
  made->observe = [&](const std::vector<double>& y, const IterationRecord&) { out.push_back(y); };
  std::vector<double> y;
  one.solve(*made, {.iterations = count}, y);
  return out;
}

void run(const Settings& s, Findings& findings) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  const auto start = lab::twisted(mesh.vertices, s.number("twist"));
  lab::Study one =
      lab::stage_from_rest(lab::solid(mesh, s.number("density"), "arap", {{"stiffness", s.number("stiffness")}}),
                           start, s.number("step"));
  const int count = s.integer("iterations");
  const Iterates pd = iterates(one, "projective_dynamics", {}, count);
  const Iterates qn = iterates(one, "quasi_newton", {{"history", 0}, {"line_search", false}}, count);

  const double size = one.system().model().size();
  lab::Worst worst, moved;
  const std::size_t common = std::min(pd.size(), qn.size());
  for (std::size_t k = 0; k < common; ++k)
    worst.see(lab::largest_difference(pd[k], qn[k])), moved.see(lab::largest_difference(pd[k], start));
  // Both may stop early when the gradient is down to round-off; then there is nothing left to compare.
  findings.near("iterations that can be compared, quasi-Newton against projective dynamics",
                static_cast<double>(pd.size()), static_cast<double>(qn.size()), 1);
  findings.at_most("max |x_QN - x_PD| / size over all iterations", 1e-9, worst / size);
  findings.at_least("max |x_PD - x_0| / size: the beam did move", 1e-3, moved / size,
                    "so that equality says something");
}

}  // namespace

ExperimentPlugin experiment_E1() {
  return {.title = "Quasi-Newton with m = 0 and no line search is projective dynamics",
          .source = "liu2017",
          .doc = "S-BEAM, one backward Euler step: iterates of both solvers are the same.",
          .params = {integer("cells", 2, between(1, 8), "cells across the beam; four times as many along it"),
                     number("stiffness", "Pa", 1e8, positive(), "k of the strain energy"),
                     number("density", "kg/m^3", 1000, positive(), "density"),
                     number("step", "s", 0.01, positive(), "time step"),
                     number("twist", "degrees", 180, any_number(), "twist of the start, linear along the beam"),
                     integer("iterations", 100, between(1, 10000), "iterations compared")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
