// E55 and Figure 6 (Brandt et al. 2018): a body squashed flat comes back; its stiffness is changed while it runs,
// by 1, 0.1, (almost) 0 and 1, and counts in the next step; a hand that pulls at random never makes it burst.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

double volume(const Simulation& simulation) {
  const auto& x = simulation.positions();
  double sum = 0;
  for (const Body& body : simulation.model().bodies)
    for (std::size_t t = 0; t < body.tets.size(); t += 4) {
      double e[3][3];
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t k = 0; k < 3; ++k) e[a][k] = x[3 * body.tets[t + a + 1] + k] - x[3 * body.tets[t] + k];
      sum +=
          (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
          6;
    }
  return sum;
}

std::unique_ptr<Simulation> body(const Settings& s, double gravity) {
  return lab::reduced_scene(
      s, gravity,
      fmt::format(R"({{"type": "projective_dynamics", "iterations": {}, "gradient_tolerance": 1e-12}})",
                  s.integer("iterations")),
      fmt::format(R"("material": {{"type": "arap", "stiffness": {}}})", s.number("stiffness")));
}

void recover_from_a_plane(const Settings& s, Findings& findings) {
  const auto simulation = body(s, 0);
  const double before = volume(*simulation);
  simulation->post(Flatten{"", 1});
  for (int i = 0; i < s.integer("frames"); ++i) {
    lab::advance(*simulation);
    if (i == 0 || i == 5 || i + 1 == s.integer("frames"))
      findings.picture(fmt::format("Fig. 6: flattened, {} steps later", i + 1),
                       lab::snapshot(simulation->model(), simulation->positions()));
  }
  findings.relative("flattened: volume after its release / at rest", 1, volume(*simulation) / before, 0.02);
}

void soften_and_stiffen(const Settings& s, Findings& findings) {
  // A vertex is pulled down by gravity against pins: how far it sags tells the stiffness.
  const auto simulation = body(s, 0);
  const int v = simulation->model().vertex_count() / 2;
  std::vector<double> reach;
  bool finite = true;
  for (const double factor : {1.0, 0.1, 1e-6, 1.0}) {
    simulation->post(SetParameter{"bodies[0].material.stiffness", factor * s.number("stiffness")});
    simulation->post(Reset{});
    simulation->post(Drag{"hand", {v}, {0, 3, 0}, 20});
    const StepReport first = simulation->step();
    finite =
        finite && first.status != Status::not_finite && first.edits.size() == 3 && first.edits[0].refused.empty();
    lab::advance(*simulation, 5);
    const double* x = &simulation->positions()[3 * static_cast<std::size_t>(v)];
    const double* rest = &simulation->model().rest[3 * static_cast<std::size_t>(v)];
    findings.picture(fmt::format("Fig. 6: stiffness x {:g}, pulled for six steps", factor),
                     lab::snapshot(simulation->model(), simulation->positions()));
    reach.push_back(std::hypot(x[0] - rest[0], x[1] - rest[1], x[2] - rest[2]));
  }
  findings.holds("stiffness x 1, 0.1, 1e-6, 1: every step finite, every edit taken", finite);
  findings.holds("the softer, the farther a hand pulls it in six steps",
                 reach[0] < reach[1] && reach[1] < reach[2]);
  findings.at_most("stiffness x 1 again: |way - way before| / way", 1e-9, std::abs(reach[3] - reach[0]) / reach[0]);
}

void drag_at_random(const Settings& s, Findings& findings) {
  const auto simulation = body(s, -9.81);
  lab::Random random(5);
  lab::Worst farthest;
  int refused = 0;
  const int n = simulation->model().vertex_count();
  for (int i = 0; i < s.integer("drags"); ++i) {
    if (i % 20 == 0) {
      if (i > 0) simulation->post(Release{"hand"});
      const int v = static_cast<int>(random.bits() % static_cast<std::uint64_t>(n));
      simulation->post(
          Drag{"hand", {v}, {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}, 2000});
    }
    const StepReport report = lab::advance(*simulation);
    for (const EditRecord& edit : report.edits) refused += edit.refused.empty() ? 0 : 1;
    if (i % 100 == 99)
      for (const double x : simulation->state().q) farthest.see(std::abs(x));
  }
  findings.report("random drags: steps", s.integer("drags"));
  findings.near("random drags: edits refused", 0, refused, 0);
  findings.at_most("random drags: largest unknown [m]", 1e3, farthest,
                   "a free fall between two pulls is bounded by them");
}

void run(const Settings& s, Findings& findings) {
  recover_from_a_plane(s, findings), soften_and_stiffen(s, findings), drag_at_random(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E55() {
  return {.title = "Flattened, softened, dragged about: a reduced body recovers",
          .source = "brandt2018",
          .shows = "Fig. 6",
          .doc = "Recovery from a plane, changes of stiffness while it runs, random drags.",
          .params = {integer("vertices", 5000, between(300, 1000000), "of the creature"),
                     integer("handles", 60, between(4, 1000), "of the subspace"),
                     integer("samples", 600, between(10, 1000000), "elements that are evaluated"),
                     integer("iterations", 10, between(1, 1000), "of a step"),
                     number("stiffness", "Pa", 1e4, positive(), "of the body"),
                     integer("frames", 600, between(1, 1000000), "steps after it was flattened"),
                     integer("drags", 100000, between(200, 100000000), "steps with a hand"),
                     number("step", "s", 1.0 / 60, positive(), "time step")},
          .quick =
              Quick{.set = {{"vertices", 800}, {"handles", 16}, {"samples", 200}, {"frames", 300}, {"drags", 400}}},
          .run = run};
}

}  // namespace resilin
