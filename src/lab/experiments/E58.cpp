// E58 (Brandt et al. 2018): a body follows in the subspace when its target volume is edited: in projective dynamics
// by fitted projections onto the stretches of the target, with any material by quasi-Newton on sampled elements.
// And the ablation: the subspace with all elements is no faster than the full method.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

double volume(const Simulation& simulation) {
  double sum = 0;
  const auto& x = simulation.positions();
  for (const Body& body : simulation.model().bodies)
    for (std::size_t t = 0; t < body.triangles.size(); t += 3) {
      const double *a = &x[3 * body.triangles[t]], *b = &x[3 * body.triangles[t + 1]],
                   *c = &x[3 * body.triangles[t + 2]];
      sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
              a[2] * (b[0] * c[1] - b[1] * c[0])) /
             6;
    }
  return sum;
}

struct Swelling {
  const char *solver, *material, *potential;
  // The edits of one target.
  void (*post)(Simulation& simulation, double target);
};
void post_target(Simulation& simulation, double target) {
  simulation.post(SetParameter{"bodies[0].potentials[0].target", target});
}
// Both ends of the stretches that cost nothing; between the two edits low must stay below high.
void post_stretches(Simulation& simulation, double target) {
  const std::string path = "bodies[0].potentials[0].";
  simulation.post(SetParameter{path + "low", 0.1});
  simulation.post(SetParameter{path + "high", std::cbrt(target)});
  simulation.post(SetParameter{path + "low", std::cbrt(target)});
}
constexpr Swelling ways[] = {{"projective_dynamics", R"({"type": "arap", "stiffness": 1e3})",
                              R"({"type": "strain_limit", "low": 1, "high": 1, "stiffness": )", post_stretches},
                             {"quasi_newton", R"({"type": "neo_hookean", "young": 1e4, "poisson": 0.2})",
                              R"({"type": "volume", "target": 1, "stiffness": )", post_target}};

double largest_miss(const Settings& s, const Swelling& way, Findings& findings) {
  const auto simulation = lab::reduced_scene(
      s, 0, fmt::format("\"{}\"", way.solver),
      fmt::format(R"("material": {}, "potentials": [{}{}}}])", way.material, way.potential, s.number("stiffness")));
  const double before = volume(*simulation);
  lab::Worst off;
  for (const double target : s.numbers("targets")) {
    way.post(*simulation, target);
    lab::advance(*simulation, s.integer("frames"));
    const double reached = volume(*simulation) / before;
    findings.table_row(lab::cells("{} | {:g} | {:.3f}", way.solver, target, reached));
    off.see(std::abs(reached / target - 1));
  }
  return off;
}

void run(const Settings& s, Findings& findings) {
  lab::begin_table(findings, "Volumes", "solver | target | reached");
  for (const Swelling& way : ways)
    findings.at_most(std::string(way.solver) + ": largest |volume / target - 1|", 0.05,
                     largest_miss(s, way, findings));

  const Model model = lab::creature_model(s.integer("vertices"));
  const auto all =
      lab::reduced_simulation(model, lab::reduction_of(s.integer("handles"), -1), s.number("step"), 10);
  SimulationOptions options = all->options();
  options.reduction.reset();
  Simulation full(model, make_integrator("backward_euler"), resilin::make_solver("projective_dynamics"), options);
  const State state = lab::at_rest(lab::bent(model.rest, 60));
  lab::Least of_all, of_full;
  all->set_state(state), full.set_state(state);
  lab::advance(*all), lab::advance(full);
  for (int i = 0; i < 5; ++i) of_all.see(lab::advance(*all).seconds), of_full.see(lab::advance(full).seconds);
  findings.report("step of the subspace with all elements / of the full method", of_all / of_full,
                  "paper: about 1");
}

}  // namespace

ExperimentPlugin experiment_E58() {
  return {
      .title = "Volumes that are edited; the subspace alone",
      .source = "brandt2018",
      .shows = "Fig. 1",
      .doc = "A reduced body follows its target volume; what the subspace costs without sampling.",
      .params = {integer("vertices", 5000, between(300, 1000000), "of the creature"),
                 integer("handles", 60, between(4, 1000), "of the subspace"),
                 integer("samples", 600, between(10, 1000000), "elements that are evaluated"),
                 number("stiffness", "Pa", 1e6, positive(), "of the volume"),
                 numbers("targets", "", {1.5, 2, 1, 0.7, 0.5}, positive(), "volumes, one after the other"),
                 integer("frames", 40, between(1, 100000), "steps for each"),
                 number("step", "s", 1.0 / 60, positive(), "time step")},
      .quick =
          Quick{.set = {{"vertices", 800}, {"handles", 16}, {"samples", 200}, {"targets", Value::List{1.5, 0.7}}}},
      .run = run};
}

}  // namespace resilin
