// E26: order of TR-BDF2 with damping (Brown et al. 7.1, Fig. 8): (i) a stretching beam with strain-rate damping,
// (ii) one neo-Hookean tet with uncorrected Rayleigh damping, against Runge-Kutta with a small step. Without
// damping and with the corrected S (Eq. 30) the order is two; with Eq. 28 and a strong dR/dz it falls to one.
#include <algorithm>
#include <cmath>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/small_systems.h"
#include "lab/worst.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

struct Case {
  std::string name, damping, order;
  double amount, expected;
};

Model tet() {
  TetMesh mesh;
  mesh.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.tets = {0, 1, 2, 3};
  return lab::solid(mesh, 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.3}});
}

Model beam() {
  BoxOptions options;
  options.size = {1, 0.25, 0.25};
  options.cells = {4, 1, 1};
  return lab::solid(box(options), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.3}});
}

// Positions at the end, from a stretched start.
std::vector<double> end_state(const Settings& s, const Case& of, bool single, const std::string& integrator,
                              int steps) {
  Model model = single ? tet() : beam();
  if (!of.damping.empty()) {
    Values params = {{"order", of.order}, {of.damping == "rayleigh" ? "beta" : "shear", of.amount}};
    if (of.damping == "rayleigh") params.emplace_back("momentum", "off");
    lab::add_damping(model, 0, of.damping, params);
  }
  std::vector<double> q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] *= s.number("stretch");
  const auto simulation = lab::precise_simulation(std::move(model), s.number("duration") / steps, integrator);
  lab::start_from(*simulation, q, {});
  for (int i = 0; i < steps; ++i) lab::advance(*simulation);
  return simulation->positions();
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  lab::Worst worst;
  for (std::size_t k = 0; k < a.size(); ++k) worst.see(std::abs(a[k] - b[k]));
  return worst;
}

// Fig. 8: errors of one body over the step, with lines of slope one and two through the first point of the first curve.
lab::Plot convergence(const std::string& body) {
  return {.title = "Fig. 8: " + body, .x_label = "step [s]", .y_label = "error [m]", .log_x = true, .log_y = true};
}

void add_curve(lab::Plot& plot, const std::string& name, const Settings& s, const std::vector<double>& errors) {
  std::vector<double> step;
  for (std::size_t i = 0; i < errors.size(); ++i)
    step.push_back(s.number("duration") / (s.integer("steps") * std::pow(2, i)));
  plot.series.push_back({name, step, errors});
}

void add_slopes(lab::Plot& plot, const Settings& s) {
  const double first = plot.series[0].y[0];
  for (const int order : {1, 2}) {
    std::vector<double> line;
    for (std::size_t i = 0; i < plot.series[0].y.size(); ++i) line.push_back(first / std::pow(2, order * i));
    add_curve(plot, "order " + std::to_string(order), s, line);
  }
}

void run(const Settings& s, Findings& findings) {
  lab::Plot plots[2] = {convergence("a stretching beam with strain-rate damping"),
                        convergence("a tetrahedron with Rayleigh damping")};
  const Case cases[] = {{"no damping", "", "first", 0, 2},
                        {"corrected S", "strain_rate", "second", s.number("shear"), 2},
                        {"uncorrected S", "strain_rate", "first", s.number("shear"), 1},
                        {"corrected S", "rayleigh", "second", s.number("beta"), 2},
                        {"uncorrected S", "rayleigh", "first", s.number("beta"), 1}};
  for (const Case& of : cases) {
    const bool single = of.damping == "rayleigh";
    const std::vector<double> reference = end_state(s, of, single, "runge_kutta4", s.integer("reference_steps"));
    std::vector<double> errors;
    const std::vector<double> coarser = end_state(s, of, single, "runge_kutta4", s.integer("reference_steps") / 2);
    for (int steps = s.integer("steps"), i = 0; i < 5; ++i, steps *= 2) {
      const std::vector<double> q = end_state(s, of, single, "tr_bdf2", steps);
      errors.push_back(distance(q, reference));
    }
    add_curve(plots[single], of.name, s, errors);
    const auto slope = lab::slopes(errors);
    const std::string what = "order, " + (of.damping.empty() ? "" : of.damping + ", ") + of.name;
    findings.at_most(what + ": error of the reference / finest error", 0.01,
                     distance(coarser, reference) / errors.back());
    findings.near(what + ", last halving but one", of.expected, slope[2], 0.15);
    findings.near(what + ", last halving", of.expected, slope[3], 0.15);
  }
  for (lab::Plot& plot : plots) {
    add_slopes(plot, s);
    findings.plot(std::move(plot));
  }
}

}  // namespace

ExperimentPlugin experiment_E26() {
  return {.title = "Order of accuracy with damping",
          .source = "brown2018",
          .shows = "Fig. 8",
          .doc = "TR-BDF2 with the first- and second-order forms of S against a Runge-Kutta reference.",
          .params = {number("duration", "s", 0.1, positive(), "simulated time"),
                     integer("steps", 16, between(1, 10000), "steps of the coarsest run"),
                     integer("reference_steps", 8192, between(1, 10000000), "steps of Runge-Kutta"),
                     number("stretch", "", 1.3, positive(), "stretch of the start along x"),
                     number("shear", "Pa s", 1000, positive(), "shear viscosity of strain-rate damping"),
                     number("beta", "s", 0.02, positive(), "coefficient beta of Rayleigh damping")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
