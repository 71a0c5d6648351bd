// Fig. 9 of Liu et al. 2017: a neo-Hookean cube released from a stretched pose, and the same turned by 90 degrees.
// The Hessian of the rest pose is a better start for L-BFGS than ours while nothing has turned, and a worse one
// when it has; ours does not see the rotation. The condition numbers (Table II) are E11's.
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Pose {
  std::vector<double> rest_pose, ours;  // relative errors
};

Pose study(const Settings& s, const std::string& name, const TetMesh& mesh, const std::vector<double>& start,
           Findings& findings) {
  lab::Study one = lab::stage_from_rest(
      lab::solid(mesh, 1, "neo_hookean", {{"mu", s.number("mu")}, {"lambda", s.number("lambda")}}), start,
      s.number("step"));
  std::vector<double> y;
  one.minimum(y);
  const auto curve = [&](const char* title, const char* kind) -> lab::Curve {
    const lab::Values params = {{"initial_hessian", kind}, {"history", 5}};
    return {title,
            one.trace("quasi_newton", lab::with_double_factor("quasi_newton", params), s.integer("iterations"))};
  };
  const std::vector<lab::Curve> curves = {curve("rest-pose Hessian", "rest_pose"), curve("ours", "projective")};
  lab::plot_errors(findings, "Fig. 9: " + name, curves, one.least());
  return {one.errors(curves[0].report), one.errors(curves[1].report)};
}

// The largest difference of the logarithms while both are above `floor`.
double apart(const std::vector<double>& a, const std::vector<double>& b, double floor) {
  lab::Worst most;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()) && a[k] > floor && b[k] > floor; ++k)
    most.see(std::abs(std::log(a[k] / b[k])));
  return most;
}

void run(const Settings& s, Findings& findings) {
  const TetMesh mesh = lab::cube_mesh(s.integer("cells"), BoxPattern::six);
  const std::vector<double> first = lab::stretched(mesh.vertices, s.number("stretch"));
  std::vector<double> second = first;
  rotate(second, {0, 0, 1}, 90);
  const Pose upright = study(s, "stretched", mesh, first, findings),
             turned = study(s, "stretched and turned", mesh, second, findings);

  const double target = s.number("target");
  const auto needed = [&](const std::vector<double>& errors) { return lab::iterations_to(errors, target); };
  const std::string to = fmt::format("iterations to {:g}, ", target);
  findings.at_most(to + "stretched: rest pose, at most ours", needed(upright.ours), needed(upright.rest_pose));
  findings.at_least(to + "stretched and turned: rest pose, more than ours", needed(turned.ours) + 1,
                    needed(turned.rest_pose));
  findings.near(to + "ours: the same in both", needed(upright.ours), needed(turned.ours), 0);
  findings.at_most("ours: largest |log(error / error turned)| above the target", 1e-3,
                   apart(upright.ours, turned.ours, target), "round-off, amplified by the iterations");
}

}  // namespace

ExperimentPlugin experiment_liu2017_figure9() {
  return {.title = "A stretched cube, upright and turned",
          .source = "liu2017",
          .shows = "Fig. 9",
          .doc = "L-BFGS from the rest-pose Hessian and from ours, in two orientations of the same state.",
          .params = {integer("cells", 4, between(1, 12), "cells per edge of the unit cube, six tets each"),
                     number("stretch", "", 1.25, between(1.01, 3), "stretch of one axis"),
                     number("mu", "Pa", 20, positive(), "shear modulus"),
                     number("lambda", "Pa", 100, at_least(0), "first Lame constant"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     integer("iterations", 40, between(1, 1000), "iterations of each solve"),
                     number("target", "", 1e-6, {0, 1, true, true}, "relative error to reach")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
