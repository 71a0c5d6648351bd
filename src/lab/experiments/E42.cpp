// E42: damping takes energy out: R >= 0 and a force against the motion for every registered model at random states,
// and a total energy that never rises in a step of backward Euler.
#include "lab/small_systems.h"
#include "lab/toolkit.h"
#include "setup/damping_probe.h"

namespace resilin {
namespace {

void random_states(const std::string& type, const Values& params, int samples, Findings& findings) {
  lab::DampingProbe model(type, params);
  lab::Random random(3);
  lab::Least least, against;
  for (int i = 0; i < samples; ++i) {
    double z[9], w[9], force[9], power = 0, size = 1e-300;
    for (int e = 0; e < model.size(); ++e) z[e] = random.normal(), w[e] = random.normal();
    const double r = model.rate(z, w, nullptr, force);
    for (int e = 0; e < model.size(); ++e) power += w[e] * force[e], size += std::abs(w[e] * force[e]);
    least.see(r / size), against.see(power / size);
  }
  const std::string what = type + " " + Value(params).dump();
  findings.at_least(what + ": least R / |f||v|", -1e-12, least);
  findings.at_least(what + ": least power / |f||v|", -1e-12, against);
}

double largest_rise(const std::string& type, const Values& params, int steps) {
  Model model = lab::solid(lab::beam_mesh(1), 1000, "corotated", {{"young", 1e5}});
  lab::add_damping(model, 0, type, params);
  const std::vector<double> q = lab::twisted(model.rest, 90);
  const auto simulation = lab::precise_simulation(std::move(model), 0.01, "backward_euler");
  lab::start_from(*simulation, q, {});
  lab::Worst worst;
  double last = lab::total_energy(*simulation);
  const double first = last;
  for (int i = 0; i < steps; ++i) {
    lab::advance(*simulation);
    const double now = lab::total_energy(*simulation);
    worst.see((now - last) / first);
    last = now;
  }
  return worst;
}

void run(const Settings& s, Findings& findings) {
  const int samples = s.integer("samples");
  for (const auto& entry : registry<DampingPlugin>())
    for (const double power : {0.0, 1.0, 2.0})
      random_states(entry.name, {{"power", power}, {"power_scale", 100.0}}, samples, findings);
  for (const auto& entry : registry<DampingPlugin>())
    if (entry.plugin.damps != Damps::springs)
      findings.at_most(entry.name + ": largest rise of energy in a step / first energy", 1e-12,
                       largest_rise(entry.name, {}, s.integer("steps")));
}

}  // namespace

ExperimentPlugin experiment_E42() {
  return {.title = "Damping dissipates",
          .source = "brown2018",
          .doc = "Signs of R and its power at random states; change of energy in steps of backward Euler.",
          .params = {integer("samples", 70000, between(1, 10000000), "random states of each model"),
                     integer("steps", 20, between(1, 10000), "steps of backward Euler")},
          .quick = Quick{.set = {{"samples", 2000}}},
          .run = run};
}

}  // namespace resilin
