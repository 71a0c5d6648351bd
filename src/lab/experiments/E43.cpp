// E43: the force that TR-BDF2 recovers from its own velocities (Brown et al. Eq. 37) is the explicit one on smooth
// problems, and a body that begins in contact does not blow up.

#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

double recovered_error(const Settings& s) {
  Model model = lab::solid(lab::beam_mesh(1), 1000, "neo_hookean", {{"young", 1e5}});
  lab::add_damping(model, 0, "drag", {{"coefficient", 5.0}});
  const std::vector<double> q = lab::twisted(model.rest, 45);
  const auto simulation = lab::precise_simulation(std::move(model), s.number("step"), "tr_bdf2");
  lab::start_from(*simulation, q, {});
  lab::Worst worst;
  for (int i = 0; i < 20; ++i) {
    lab::advance(*simulation);
    const State& now = simulation->state();
    std::vector<double> a(now.q.size());
    simulation->system().acceleration(now.time, now.q.data(), now.v.data(), a.data());
    lab::Worst size;
    for (const double x : a) size.see(std::abs(x));
    worst.see(lab::largest_difference(a, now.history.entries.at("force.a").values) / size);
  }
  return worst;
}

// A block that stands on a plane, slightly in it.
double growth_in_contact(const Settings& s) {
  Model model = lab::solid(lab::cube_mesh(2), 1000, "neo_hookean", {{"young", 1e5}});
  const double height = *std::min_element(model.rest.begin(), model.rest.end()) + 1e-3;
  lab::add_obstacle(model, "plane", {{"height", height}}, 1e5);
  model.gravity = {0, -9.81, 0};
  const auto simulation = lab::make_simulation(std::move(model), s.number("step"), "newton",
                                               {{"iterations", 50}, {"gradient_tolerance", 1e-10}}, "tr_bdf2");
  const double first = lab::total_energy(*simulation);
  lab::Worst most;
  for (int i = 0; i < 100; ++i) {
    lab::advance(*simulation);
    most.see(lab::total_energy(*simulation) - first);
  }
  return most / (simulation->model().total_mass() * 9.81);
}

void run(const Settings& s, Findings& findings) {
  findings.at_most("recovered against explicit acceleration, relative", 1e-9, recovered_error(s));
  findings.at_most("begun in contact: largest gain of energy / weight [m]", 0.01, growth_in_contact(s));
}

}  // namespace

ExperimentPlugin experiment_E43() {
  return {.title = "Force recovery of TR-BDF2",
          .source = "brown2018",
          .doc = "Recovered against explicit forces, and a start in contact.",
          .params = {number("step", "s", 0.01, positive(), "time step")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
