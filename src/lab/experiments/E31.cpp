// E31: damping forces of a random state of a beam: no net force and no net torque, for the models that promise it
// (1e-10 of sum |x||f|).
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  struct Case {
    const char* type;
    Values params;
  };
  std::vector<Case> cases = {{"strain_rate", {{"bulk", 50.0}}},
                             {"principal_strain", {}},
                             {"rayleigh", {}},
                             {"rayleigh", {{"momentum", "velocity_gradient"}}}};
  for (const double p : {0.0, 0.5, 2.0})
    for (const char* type : {"strain_rate", "rayleigh"})
      cases.push_back({type, {{"power", p}, {"power_scale", 100.0}}});
  for (const Case& of : cases) {
    Model model = lab::solid(lab::beam_mesh(2), 1000, "neo_hookean", {});
    lab::add_damping(model, 0, of.type, of.params);
    lab::Random random(7);
    std::vector<double> q = model.rest, v(q.size()), f(q.size());
    for (double& x : q) x += s.number("amplitude") * random.normal();
    for (double& x : v) x = random.normal();
    ThreadPool pool(1);
    DynamicSystem system(model, pool);
    system.damping(q.data(), v.data(), f.data(), nullptr);
    double force[3] = {}, torque[3] = {}, size = 0;
    for (std::size_t i = 0; i < q.size(); i += 3) {
      size += std::hypot(q[i], q[i + 1], q[i + 2]) * std::hypot(f[i], f[i + 1], f[i + 2]);
      for (int k = 0; k < 3; ++k) {
        force[k] += f[i + k];
        torque[k] += q[i + (k + 1) % 3] * f[i + (k + 2) % 3] - q[i + (k + 2) % 3] * f[i + (k + 1) % 3];
      }
    }
    const std::string what = std::string(of.type) + " " + Value(of.params).dump();
    findings.at_most(what + ": |sum f| / sum |x||f|", 1e-10, std::hypot(force[0], force[1], force[2]) / size);
    findings.at_most(what + ": |sum x x f| / sum |x||f|", 1e-10,
                     std::hypot(torque[0], torque[1], torque[2]) / size);
  }
}

}  // namespace

ExperimentPlugin experiment_E31() {
  return {.title = "Damping forces conserve momentum",
          .source = "brown2018",
          .doc = "Net force and torque of strain-rate, principal-strain, corrected Rayleigh and power-law damping.",
          .params = {number("amplitude", "m", 0.05, positive(), "amplitude of random displacements")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
