// E34: a stretched block with dry damping (p = 0) comes to rest DEFORMED, at a finite time; with viscous damping (p
// = 1) it returns to its rest shape (Brown et al. Fig. 11).
#include <algorithm>
#include <cmath>

#include "lab/experiment.h"
#include "lab/small_systems.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

struct Rest {
  double speed, elastic, first_elastic;
};

Rest after(const Settings& s, double power) {
  BoxOptions options;
  options.cells = {2, 1, 1};
  Model model = lab::solid(box(options), 1000, "corotated", {{"young", s.number("young")}, {"poisson", 0.3}});
  add_damping(model, 0, "strain_rate",
              {{"shear", s.number("shear")},
               {"bulk", s.number("shear")},
               {"power", power},
               {"power_scale", s.number("power_scale")},
               {"smoothing", s.number("smoothing")}});
  std::vector<double> q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] *= s.number("stretch");
  const auto simulation = lab::precise_simulation(std::move(model), s.number("step"), "backward_euler");
  lab::start_from(*simulation, q, {});
  const double first = simulation->energy().elastic;
  for (int i = 0; i < s.integer("steps"); ++i) simulation->step();
  double speed = 0;
  for (const double v : simulation->state().v) speed = std::max(speed, std::abs(v));
  return {speed, simulation->energy().elastic, first};
}

void run(const Settings& s, Findings& findings) {
  const Rest dry = after(s, 0), viscous = after(s, 1);
  findings.at_most("p = 0: speed at the end [m/s]", 1e-6, dry.speed);
  findings.at_least("p = 0: elastic energy that stays / first", 1e-3, dry.elastic / dry.first_elastic);
  findings.at_most("p = 1: elastic energy that stays / first", 1e-6, viscous.elastic / viscous.first_elastic);
}

}  // namespace

ExperimentPlugin experiment_E34() {
  return {.title = "Dry damping rests in a deformed state",
          .source = "brown2018",
          .doc = "A stretched block with p = 0 and with p = 1.",
          .params = {number("young", "Pa", 1e4, positive(), "Young's modulus"),
                     number("shear", "Pa s", 500, positive(), "viscosity"),
                     number("power_scale", "W/m^3", 1000, positive(), "A of the power law"),
                     number("smoothing", "", 1e-8, positive(), "of p = 0"),
                     number("stretch", "", 1.5, positive(), "of the start"),
                     number("step", "s", 0.02, positive(), "time step"),
                     integer("steps", 250, between(1, 100000), "number of steps")},
          .run = run};
}

}  // namespace resilin
