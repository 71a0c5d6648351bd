// E49 (Brandt et al. 2018): sampled and fitted forces have no resultant, because D annihilates translations,
// whatever was sampled and fitted. So momentum is kept exactly, also by a solve that is cut short, and a free fall
// is that of backward Euler: g h^2 n (n + 1)/2.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const double h = s.number("step");
  const int frames = s.integer("frames");
  for (const std::string solver : {"projective_dynamics", "quasi_newton"}) {
    lab::Worst drift, fall;
    for (const double iterations : s.numbers("iterations")) {
      Model model = lab::creature_model(s.integer("vertices"));
      State state = lab::at_rest(lab::bent(model.rest, 60));
      for (std::size_t i = 0; i < state.v.size(); ++i)
        state.v[i] = i % 3 == 0 ? 1 : i % 3 == 2 ? state.q[i - 1] : 0;
      for (const double g : {0.0, -9.81}) {
        model.gravity = {0, g, 0};
        const auto simulation =
            lab::reduced_simulation(model, lab::reduction_of(s.integer("handles"), s.integer("samples")), h,
                                    static_cast<int>(iterations), solver);
        simulation->set_state(state);
        const auto middle = [&] { return lab::mass_mean(simulation->model(), simulation->positions()); };
        const auto p = simulation->momentum(), x = middle();
        const double scale = model.total_mass() * (1 + std::abs(g) * h * frames);
        for (int n = 1; n <= frames; ++n) {
          lab::advance(*simulation);
          const auto now = simulation->momentum(), at = middle();
          for (std::size_t k = 0; k < 3; ++k) {
            const double force = k == 1 ? g : 0;
            drift.see(std::abs(now[k] - p[k] - model.total_mass() * force * h * n) / scale);
            fall.see(std::abs(at[k] - x[k] - p[k] / model.total_mass() * h * n - force * h * h * n * (n + 1) / 2) /
                     model.size());
          }
        }
      }
    }
    findings.at_most(solver + ": largest |change of momentum - impulse of gravity| / momentum", 1e-10, drift);
    findings.at_most(solver + ": largest distance of the middle from the closed form / size", 1e-9, fall);
  }
}

}  // namespace

ExperimentPlugin experiment_E49() {
  return {.title = "Fitted forces have no resultant: momentum and free fall are exact",
          .source = "brandt2018",
          .shows = "Sec. 5",
          .doc = "A bent creature that flies and turns, with and without gravity, by solves that are cut short.",
          .params = {integer("vertices", 5000, between(300, 1000000), "of the creature"),
                     integer("handles", 60, between(2, 1000), "of the subspace"),
                     integer("samples", 500, between(10, 1000000), "elements that are evaluated"),
                     numbers("iterations", "", {1, 3, 10}, at_least(1), "of a step"),
                     integer("frames", 60, between(1, 100000), "steps"),
                     number("step", "s", 1.0 / 60, positive(), "time step")},
          .quick = Quick{.set = {{"vertices", 800}, {"handles", 16}, {"samples", 100}, {"frames", 10}}},
          .run = run};
}

}  // namespace resilin
