// E12: rotation invariance. The trajectory from R x_0 (gravity and pins turned too) is R times the trajectory from
// x_0, although the solver stops after 10 iterations: A_ours commutes with 1 (x) R (Liu et al. Section 5). Judged
// at frame 10; later frames amplify round-off as the motion itself does and are reported.
#include "lab/toolkit.h"
#include "simd/mat3.h"

namespace resilin {
namespace {

std::vector<double> turned(const double r[9], const std::vector<double>& x) {
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); i += 3) apply(r, &x[i], &out[i]);
  return out;
}

Model bar(const Settings& s, bool pinned) {
  const int n = s.integer("cells");
  const TetMesh mesh = box({.size = {0.6, 0.2, 0.2}, .cells = {3 * n, n, n}});
  Model model =
      lab::solid(mesh, 1000, s.text("material"), {{"young", s.number("young")}, {"poisson", s.number("poisson")}});
  if (pinned) {
    lab::pin(model, mesh.vertex_groups.at("x_min"));
    model.gravity = {0, -9.81, 0};
  }
  return model;
}

// Stretched and spinning, or hanging from one end.
std::unique_ptr<Simulation> start(const Settings& s, bool pinned, const double r[9]) {
  Model model = bar(s, pinned);
  const std::array<double, 3> g = model.gravity;
  apply(r, g.data(), model.gravity.data());
  for (Pin& p : model.pins) p.start = turned(r, p.start);
  State state = lab::at_rest(model.rest);
  for (std::size_t i = 0; !pinned && i < state.q.size(); i += 3) {
    state.q[i] *= s.number("stretch");
    state.v[i] = -4 * state.q[i + 1], state.v[i + 1] = 4 * state.q[i], state.v[i + 2] = 0.5 * state.q[i];
  }
  state.q = turned(r, state.q);
  state.v = turned(r, state.v);
  auto simulation = lab::make_simulation(std::move(model), s.number("step"), "quasi_newton",
                                         {{"history", s.integer("history")},
                                          {"iterations", s.integer("iterations")},
                                          {"coarse_modes", s.integer("coarse_modes")},
                                          {"linear_solver", "cholesky"}});
  simulation->set_state(std::move(state));
  return simulation;
}

void study(const Settings& s, bool pinned, const double r[9], Findings& findings) {
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::string name = pinned ? "hanging bar: " : "spinning bar: ";
  const auto plain = start(s, pinned, identity), other = start(s, pinned, r);
  const double size = plain->model().size();
  lab::Worst early, late, moved;
  for (int frame = 1; frame <= s.integer("frames"); ++frame) {
    lab::advance(*plain);
    lab::advance(*other);
    const auto expected = turned(r, plain->positions());
    const double gap = lab::largest_difference(expected, other->positions());
    moved.see(lab::largest_difference(plain->positions(), plain->model().rest));
    if (frame <= s.integer("judged")) early.see(gap);
    late.see(gap);
  }
  findings.at_most(name + "max |R x - x_R| / size in the first frames", 1e-6, early / size);
  findings.at_least(name + "max |x - rest| / size: it did move", 1e-2, moved / size);
  findings.report(name + "max |R x - x_R| / size over all frames", late / size);
}

void run(const Settings& s, Findings& findings) {
  double r[9];
  lab::Random(s.integer("seed")).rotation(r);
  study(s, false, r, findings);
  study(s, true, r, findings);

  // A (R x) = R (A x).
  lab::Study one = lab::stage_from_rest(bar(s, false), bar(s, false).rest, s.number("step"));
  const SymmetricMatrix a = one.system().problem().constant().matrix();
  lab::Random random(s.integer("seed") + 1);
  std::vector<double> x(bar(s, false).rest.size()), ax(x.size()), arx(x.size());
  for (double& v : x) v = random.normal();
  a.multiply(x.data(), ax.data());
  a.multiply(turned(r, x).data(), arx.data());
  const auto rax = turned(r, ax);
  findings.at_most("|A R x - R A x| / |A x|", 1e-13,
                   lab::largest_difference(rax, arx) / lab::largest_coordinate(rax), "round-off of the products");
}

}  // namespace

ExperimentPlugin experiment_E12() {
  return {.title = "Rotation invariance of the truncated solver",
          .source = "liu2017",
          .doc = "Rotate the start, gravity and pins: the trajectory rotates with them.",
          .params = {integer("cells", 3, between(1, 12), "cells across the bar; three times as many along it"),
                     choice("material", {"neo_hookean", "corotated", "fixed_corotated", "st_venant_kirchhoff"},
                            "material of the bar"),
                     number("young", "Pa", 1e5, positive(), "Young's modulus"),
                     number("poisson", "", 0.35, between(0, 0.49), "Poisson ratio"),
                     number("stretch", "", 1.2, between(0.7, 2), "stretch of the start along the bar"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     integer("frames", 100, between(1, 10000), "frames"),
                     integer("judged", 10, between(1, 10000), "frames that are judged"),
                     integer("iterations", 10, between(1, 1000), "per frame"),
                     integer("history", 5, between(0, 100), "m of L-BFGS"),
                     integer("coarse_modes", 0, between(0, 16), "modes of the two-level method"),
                     integer("seed", 1, at_least(0), "seed of the rotation")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
