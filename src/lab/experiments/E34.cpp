// E34: a stretched block with dry damping (p = 0) comes to rest DEFORMED, at a finite time; with viscous damping (p
// = 1) it returns to its rest shape (Brown et al. Fig. 11).
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Rest {
  lab::Worst speed;
  std::vector<double> time, elastic, q;  // elastic energy at every step; positions at the end
  double kept() const { return elastic.back() / elastic.front(); }
};

Model block(const Settings& s) {
  return lab::solid(box({.cells = {2, 1, 1}}), 1000, "corotated", {{"young", s.number("young")}, {"poisson", 0.3}});
}

Rest run_from_stretched(const Settings& s, Simulation& simulation) {
  lab::start_from(simulation, lab::stretched(simulation.model().rest, s.number("stretch")), {});
  Rest out{0, {0}, {simulation.energy().elastic}, {}};
  for (int i = 0; i < s.integer("steps"); ++i) {
    lab::advance(simulation);
    out.time.push_back(simulation.state().time);
    out.elastic.push_back(simulation.energy().elastic);
  }
  for (const double v : simulation.velocities()) out.speed.see(std::abs(v));
  out.q = simulation.positions();
  return out;
}

// No power: no damping.
Rest after(const Settings& s, std::optional<double> power, const std::string& integrator = "backward_euler") {
  Model model = block(s);
  if (power)
    lab::add_damping(model, 0, "strain_rate",
                     {{"shear", s.number("shear")},
                      {"bulk", s.number("shear")},
                      {"power", *power},
                      {"power_scale", s.number("power_scale")},
                      {"smoothing", s.number("smoothing")}});
  return run_from_stretched(s, *lab::precise_simulation(std::move(model), s.number("step"), integrator));
}

// No smoothing at all: stretch_rate in a term of its own, whose local step is known (Appendix B with X20).
Rest exactly_dry(const Settings& s) {
  Model model = block(s);
  lab::add_damping(model, 0, "stretch_rate",
                   {{"viscosity", 2 * s.number("shear")},
                    {"power", 0.0},
                    {"power_scale", s.number("power_scale")},
                    {"smoothing", 0.0},
                    {"separate", true}});
  return run_from_stretched(s, *lab::make_simulation(std::move(model), s.number("step"), "admm",
                                                     {{"iterations", 300}, {"tolerance", 0.0}}));
}

// The same with TR-BDF2, which loses next to nothing by itself: what is seen is the damping.
void show(const Settings& s, Findings& findings) {
  Plot plot = lab::linear("Fig. 11: elastic energy of a released block", "time [s]", "elastic energy / first");
  const Model model = block(s);
  const std::vector<double> start = lab::stretched(model.rest, s.number("stretch"));
  const auto add = [&](const std::string& name, std::optional<double> power) {
    Rest rest = after(s, power, "tr_bdf2");
    const double first = rest.elastic.front();
    for (double& e : rest.elastic) e /= first;
    plot.series.push_back({name, rest.time, rest.elastic});
    findings.picture("Fig. 11: " + name + ", at the end", lab::snapshot(model, rest.q, {0, 1, 0}, start));
  };
  add("no damping", {}), add("p = 0", 0), add("p = 1", 1), add("p = 2", 2);
  findings.plot(std::move(plot));
  findings.differs_because("a block stands for the bunny, and it is released instead of dropped");
}

void run(const Settings& s, Findings& findings) {
  const Rest dry = after(s, 0), viscous = after(s, 1);
  findings.at_most("p = 0: speed at the end [m/s]", 1e-6, dry.speed);
  findings.at_least("p = 0: elastic energy that stays / first", 1e-3, dry.kept());
  findings.at_most("p = 1: elastic energy that stays / first", 1e-6, viscous.kept());
  const Rest exact = exactly_dry(s);
  findings.at_most("p = 0, exact local step: speed at the end [m/s]", 1e-6, exact.speed);
  findings.at_least("p = 0, exact local step: elastic energy that stays / first", 1e-3, exact.kept());
  show(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E34() {
  return {.title = "Dry damping rests in a deformed state",
          .source = "brown2018",
          .shows = "Fig. 11",
          .doc = "A stretched block with p = 0 and with p = 1.",
          .params = {number("young", "Pa", 1e4, positive(), "Young's modulus"),
                     number("shear", "Pa s", 500, positive(), "viscosity"),
                     number("power_scale", "W/m^3", 1000, positive(), "A of the power law"),
                     number("smoothing", "", 1e-8, positive(), "smoothing of p = 0"),
                     number("stretch", "", 1.5, positive(), "stretch of the start"),
                     number("step", "s", 0.02, positive(), "time step"),
                     integer("steps", 250, between(1, 100000), "number of steps")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
