// E59 (Brandt et al. 2018): the matrix of the subspace is sparse, and soon factorised anew. A stiffness that is
// scaled for a whole body needs no new fit; one that changes in a part gets one, in about a frame.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"
#include "resilin/scene.h"

namespace resilin {
namespace {

// `part`: of what is within the radius of the origin.
std::unique_ptr<Simulation> creature(const Settings& s, double stiffness, double part = 0) {
  const std::string regions =
      part > 0 ? fmt::format(R"(, "regions": [{{"select": {{"sphere": {{"center": [0, 0, 0], "radius": {}}}}},
                                               "material": {{"stiffness": {}}}}}])",
                             s.number("radius"), part)
               : "";
  return lab::reduced_scene(
      s, 0, R"({"type": "projective_dynamics", "iterations": 10, "gradient_tolerance": 1e-12})",
      fmt::format(R"("material": {{"type": "arap", "stiffness": {}}}{})", stiffness, regions));
}

// The way of a body, and of one that was reduced with another stiffness and edited to be the same.
double apart(Simulation& direct, Simulation& edited, const char* path, double stiffness) {
  edited.post(SetParameter{path, stiffness});
  const State state = lab::at_rest(lab::bent(direct.model().rest, 60));
  direct.set_state(state), edited.set_state(state);
  lab::Worst worst;
  for (int i = 0; i < 20; ++i) {
    lab::advance(direct), lab::advance(edited);
    worst.see(lab::distance(direct.model(), direct.positions(), edited.positions()));
  }
  return worst;
}

void run(const Settings& s, Findings& findings) {
  const auto cost =
      lab::reduced_cost(lab::creature_model(s.integer("vertices")),
                        lab::reduction_of(s.integer("handles"), s.integer("samples")), s.number("step"), 10, 3);
  findings.table("The matrix of the subspace", lab::cost_columns(), {lab::cost_row(cost, 10)});
  findings.at_most("fill of the matrix", 1, cost.fill);
  findings.time("new factor [ms]", "<=", 16, 1e3 * cost.factor, "paper: below 16 for 2160 unknowns");
  findings.at_most("stiffness scaled while it runs: largest distance from a body made with it / size", 1e-8,
                   apart(*creature(s, 1e4), *creature(s, 7e4), "bodies[0].material.stiffness", 1e4));

  const char* part = "bodies[0].regions[0].material.stiffness";
  const auto edited = creature(s, 1e4, 1e4);
  findings.at_most("stiffness of a part edited while it runs: the same", 1e-8,
                   apart(*creature(s, 1e4, 1e5), *edited, part, 1e5));
  // Phases of a step: matrices, fit and factor are in the global one, beside ten solves that any step has.
  lab::Least change, usual;
  for (int i = 0; i < 5; ++i) {
    edited->post(SetParameter{part, (2 + i) * 1e4});
    change.see(lab::advance(*edited).solve.phases.global);
    usual.see(lab::advance(*edited).solve.phases.global);
  }
  findings.time("new fit, matrix and factor [ms]", "<=", 16, 1e3 * (change - usual),
                "a frame; the paper precomputes anew where stiffness changes in a part");
}

}  // namespace

ExperimentPlugin experiment_E59() {
  return {.title = "The matrix of the subspace: sparse, and soon factorised",
          .source = "brandt2018",
          .shows = "Sec. 7, generality",
          .doc = "Fill and factor of a subspace of 2160 unknowns; a stiffness that is scaled.",
          .params = {integer("vertices", 19000, between(300, 1000000), "of the creature"),
                     integer("handles", 180, between(4, 10000), "of the subspace"),
                     integer("samples", 1000, between(10, 1000000), "elements that are evaluated"),
                     number("radius", "m", 0.3, positive(),
                            "radius of the part whose stiffness changes, around the origin"),
                     number("step", "s", 1.0 / 60, positive(), "time step")},
          .quick = Quick{.set = {{"vertices", 800}, {"handles", 16}, {"samples", 200}, {"radius", 0.5}}},
          .run = run,
          .timed = Value::Object{}};
}

}  // namespace resilin
