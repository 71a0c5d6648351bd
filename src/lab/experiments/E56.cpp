// E56 and Figure 3 (Brandt et al. 2018): the objective of one large step of a bent body, by the full and by the
// reduced method. With all elements the reduced one descends in every iteration and ends above the full minimum,
// because it minimises over less; with sampled elements it may not descend (X36), and ends near the same value.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"
#include "simulation/solve_stage.h"

namespace resilin {
namespace {

// Phi of the whole body after every iteration of a step, and the seconds of each.
struct Course {
  std::vector<double> value, seconds;
};

Course course(Simulation& simulation, DynamicSystem& system, const State& state) {
  simulation.set_state(state);
  std::vector<std::vector<double>> iterates;
  Course out;
  simulation.solver().observe = [&](const std::vector<double>& y, const IterationRecord& record) {
    iterates.push_back(y), out.seconds.push_back(record.seconds);
  };
  simulation.step();
  std::vector<double> x(state.q.size());
  for (const auto& y : iterates) {
    simulation.system().space().coordinates().lift(y.data(), x.data());
    out.value.push_back(system.problem().evaluate(x.data(), nullptr).value());
  }
  return out;
}

void run(const Settings& s, Findings& findings) {
  const Model model = lab::creature_model(s.integer("vertices"), s.number("stiffness"));
  const double h = s.number("step");
  const int iterations = s.integer("iterations");
  const auto all = lab::reduced_simulation(model, lab::reduction_of(s.integer("handles"), -1), h, iterations),
             sampled = lab::reduced_simulation(model, lab::reduction_of(s.integer("handles"), s.integer("samples")),
                                               h, iterations);
  SimulationOptions options = all->options();
  options.reduction.reset();
  Simulation full(model, make_integrator("backward_euler"), resilin::make_solver("projective_dynamics"), options);
  State state = lab::at_rest(lab::bent(model.rest, 90));
  all->set_state(state);
  state.q = all->positions();  // a state that the subspace can have
  ThreadPool pool(available_cores());
  DynamicSystem system(model, pool);
  Stage stage;
  stage.time = stage.tau = h;
  stage.origin = stage.target = stage.guess = state.q, stage.velocity = state.v;
  system.begin(stage);
  const Course of_full = course(full, system, state), of_all = course(*all, system, state),
               of_sampled = course(*sampled, system, state);
  const double first = of_full.value.front();
  Memory memory;
  std::vector<double> y = state.q;
  const StopRule converged{.iterations = 5000, .gradient = 1e-7};
  const double minimum = solve_stage(system, *make_solver("quasi_newton"), stage, y, memory, converged).objective;
  lab::Worst rise;
  for (std::size_t k = 1; k < of_all.value.size(); ++k) rise.see((of_all.value[k] - of_all.value[k - 1]) / first);
  findings.at_most("subspace with all elements: largest rise of Phi in an iteration / Phi at the start", 1e-12,
                   rise);
  findings.at_least("subspace with all elements: Phi at its end / full minimum", 1 - 1e-9,
                    of_all.value.back() / minimum);
  findings.report("hyper-reduced: Phi at its end / that of the subspace with all elements",
                  of_sampled.value.back() / of_all.value.back());
  const auto per_iteration = [](const Course& c) {
    return c.seconds.back() / std::max<double>(1, static_cast<double>(c.seconds.size()) - 1);
  };
  findings.time("iteration of the full method / hyper-reduced", ">=", 30,
                per_iteration(of_full) / per_iteration(of_sampled), "paper: 30 at 19k vertices");
  findings.plot(
      lab::semilogy("Fig. 3: the objective by iteration", "iteration", "Phi / Phi at the start",
                    {lab::counted("full", of_full.value), lab::counted("subspace, all elements", of_all.value),
                     lab::counted("hyper-reduced", of_sampled.value)}));
  findings.plot(
      {"Fig. 3: the objective by time",
       "s",
       "Phi",
       true,
       true,
       {{"full", of_full.seconds, of_full.value}, {"hyper-reduced", of_sampled.seconds, of_sampled.value}}});
}

}  // namespace

ExperimentPlugin experiment_E56() {
  return {.title = "The objective of a large step, in full and reduced",
          .source = "brandt2018",
          .shows = "Fig. 3",
          .doc = "Phi of all vertices at the iterates of three methods from one bent state.",
          .params = {integer("vertices", 19000, between(300, 1000000), "of the creature"),
                     integer("handles", 120, between(4, 1000), "of the subspace"),
                     integer("samples", 1000, between(10, 1000000), "elements that are evaluated"),
                     integer("iterations", 100, between(1, 10000), "of the step"),
                     number("stiffness", "Pa", 1e4, positive(), "of the body"),
                     number("step", "s", 0.1, positive(), "time step")},
          .quick = Quick{.set = {{"vertices", 800}, {"handles", 16}, {"samples", 200}, {"iterations", 30}}},
          .run = run,
          .timed = Value::Object{{"iterations", 30}}};
}

}  // namespace resilin
