// E41: minimising the objective is solving the equation of motion (Brown et al. Eq. 7) when dR/dz = 0 (drag): 1e-8.
// Otherwise velocities differ by tau^2 M^-1 dR/dz (Eq. 22): order two in the step. Eq. 7 is solved by taking tau
// dR/dz of the last solution out of the forces, repeatedly.
#include "lab/small_systems.h"
#include "lab/toolkit.h"
#include "simulation/solve_stage.h"

namespace resilin {
namespace {

// Largest difference of velocities after one step of backward Euler.
double difference(const Settings& s, const std::string& type, const Values& params, double h) {
  Model model = lab::solid(lab::cube_mesh(1), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.3}});
  lab::add_damping(model, 0, type, params);
  lab::Random random(5);
  std::vector<double> q = model.rest, v(q.size());
  for (double& x : q) x *= s.number("stretch");
  for (double& x : v) x = random.normal();
  const std::vector<double> mass = model.mass;
  lab::OneStage one(std::move(model), q, v, h, 1);
  DynamicSystem& system = one.system();
  std::vector<double> minimum, y, gradient(q.size()), elastic(q.size()), drag(q.size()), rate(q.size());
  one.minimum(minimum, 1e-13);
  y = minimum;
  Stage stage = one.stage();
  const std::vector<double> target = stage.target;
  const auto newton = lab::make_solver("newton", {});
  Memory memory;
  for (int round = 0; round < 30; ++round) {
    // tau dR/dz = grad Phi - inertia - grad V - dR/dzdot, at y
    system.problem().evaluate(y.data(), gradient.data());
    system.potential_energy(y.data(), elastic.data());
    for (std::size_t i = 0; i < y.size(); ++i) rate[i] = (y[i] - q[i]) / h;
    system.damping(y.data(), rate.data(), drag.data(), nullptr);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double m = mass[i / 3],
                   extra = gradient[i] - m / (h * h) * (y[i] - stage.target[i]) - elastic[i] - drag[i];
      gradient[i] = target[i] + h * h / m * extra;
    }
    stage.target = gradient;
    system.begin(stage);
    solve_stage(system, *newton, stage, y, memory, {.iterations = 100, .gradient = 1e-13});
  }
  lab::Worst worst;
  for (std::size_t i = 0; i < y.size(); ++i) worst.see(std::abs(y[i] - minimum[i]) / h);
  return worst;
}

void run(const Settings& s, Findings& findings) {
  findings.at_most("drag, dR/dz = 0: difference of velocities [m/s]", 1e-8,
                   difference(s, "drag", {{"coefficient", 20.0}}, 0.01));
  std::vector<double> gaps;
  for (const double h : {0.004, 0.002, 0.001, 0.0005})
    gaps.push_back(difference(s, "strain_rate", {{"shear", s.number("shear")}}, h));
  findings.report("strain_rate: difference of velocities at 4 ms [m/s]", gaps[0]);
  findings.near("strain_rate: its order in the step", 2, lab::slopes(gaps).back(), 0.2);
}

}  // namespace

ExperimentPlugin experiment_E41() {
  return {.title = "Minimisation against the equation of motion",
          .source = "brown2018",
          .doc = "One step by minimising Phi and by solving Eq. 7, with and without dR/dz.",
          .params = {number("stretch", "", 1.2, positive(), "stretch of the start"),
                     number("shear", "Pa s", 300, positive(), "shear viscosity of strain-rate damping")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
