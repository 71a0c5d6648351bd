// E48 (Brandt et al. 2018): without reduction of the parts it is the method that it reduces. As many handles as
// vertices and all elements: the iterates of projective dynamics. A small subspace with all elements: forces and
// matrix are those of the whole body, seen through U.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

double iterates_apart(const Settings& s) {
  const Model model =
      lab::solid(lab::beam_mesh(s.integer("cells")), 1000, "arap", {{"stiffness", s.number("stiffness")}});
  const auto whole = lab::reduced_simulation(model, lab::reduction_of(model.vertex_count(), -1), s.number("step"),
                                             s.integer("iterations"));
  SimulationOptions options = whole->options();
  options.reduction.reset();
  const auto plain = std::make_unique<Simulation>(
      model, make_integrator("backward_euler"),
      resilin::make_solver("projective_dynamics", {{"linear_solver", "cholesky"}}), options);
  const State state = lab::at_rest(lab::twisted(model.rest, 120));
  whole->set_state(state), plain->set_state(state);
  lab::Worst apart;
  std::vector<std::vector<double>> iterates;
  plain->solver().observe = [&](const std::vector<double>& y, const IterationRecord&) { iterates.push_back(y); };
  std::size_t at = 0;
  std::vector<double> x(state.q.size());
  whole->solver().observe = [&](const std::vector<double>& y, const IterationRecord&) {
    whole->system().space().coordinates().lift(y.data(), x.data());
    for (std::size_t i = 0; i < x.size() && at < iterates.size(); ++i) apart.see(std::abs(x[i] - iterates[at][i]));
    ++at;
  };
  for (int step = 0; step < 3; ++step) lab::advance(*plain), lab::advance(*whole);
  return at == iterates.size() ? apart / model.size() : std::nan("");
}

// In a small subspace with all elements: U^T grad Phi(U q) and U^T A U x against what the reduced objective has.
void through_u(const Settings& s, Findings& findings) {
  const Model model = lab::creature_model(s.integer("vertices"));
  const double h = s.number("step");
  const auto reduced = lab::reduced_simulation(model, lab::reduction_of(s.integer("handles"), -1), h, 10);
  SimulationOptions options;
  options.step = h;
  Simulation whole(model, make_integrator("backward_euler"), resilin::make_solver("projective_dynamics"), options);
  State state = lab::at_rest(lab::bent(model.rest, 60));
  reduced->set_state(state);
  state.q = reduced->positions();
  const auto stage_of = [&](Simulation& simulation, const std::vector<double>& q) {
    Stage stage;
    stage.time = stage.tau = h;
    stage.origin = stage.target = stage.guess = q, stage.velocity.assign(q.size(), 0.0);
    simulation.system().begin(stage);
  };
  stage_of(*reduced, reduced->state().q), stage_of(whole, state.q);
  const std::vector<double>& q = reduced->state().q;
  std::vector<double> g(q.size()), full(state.q.size()), pulled(q.size()), x(q.size()), product(q.size()),
      lifted(full.size()), moved(full.size());
  reduced->system().problem().evaluate(q.data(), g.data());
  whole.system().problem().evaluate(state.q.data(), full.data());
  const Coordinates& u = reduced->system().space().coordinates();
  u.pull_back(full.data(), pulled.data());
  const auto error = [](const std::vector<double>& a, const std::vector<double>& b) {
    double size = 0;
    for (const double each : b) size = std::max(size, std::abs(each));
    return lab::largest_difference(a, b) / size;
  };
  findings.at_most("subspace alone: |gradient - U^T gradient| / |gradient|", 1e-10, error(g, pulled));
  lab::Random random(3);
  for (double& value : x) value = random.normal();
  reduced->system().problem().constant().matrix().multiply(x.data(), product.data());
  u.lift(x.data(), lifted.data());
  whole.system().problem().constant().matrix().multiply(lifted.data(), moved.data());
  u.pull_back(moved.data(), pulled.data());
  findings.at_most("subspace alone: |A x - U^T A U x| / |A x|", 1e-10, error(product, pulled));
}

void run(const Settings& s, Findings& findings) {
  findings.at_most("all vertices, all elements: largest distance of iterates from projective dynamics / size",
                   1e-10, iterates_apart(s));
  through_u(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E48() {
  return {
      .title = "Without reduction it is projective dynamics",
      .source = "brandt2018",
      .shows = "Sec. 5",
      .doc = "Iterates with as many handles as vertices; forces and matrix of a small subspace with all elements.",
      .params = {integer("cells", 2, between(1, 10), "cells across the beam"),
                 integer("vertices", 3000, between(300, 1000000), "of the creature"),
                 integer("handles", 30, between(2, 1000), "of the small subspace"),
                 integer("iterations", 20, between(1, 1000), "of a step"),
                 number("stiffness", "Pa", 1e6, positive(), "of the beam"),
                 number("step", "s", 1.0 / 60, positive(), "time step")},
      .quick = Quick{.set = {{"vertices", 600}, {"handles", 8}}},
      .run = run};
}

}  // namespace resilin
