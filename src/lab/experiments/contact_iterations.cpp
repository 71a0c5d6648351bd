// Contact in the preconditioner: two blocks on the ground, one on the other, as they come to rest. The error of the positions after k iterations, relative to that of
// free flight. With the default start, the rigid motion of both, hardly anything is left to do; so what rows are worth is measured from free flight
// (start "target"), with the rows of interfaces and contact_rows and without both.
#include <fmt/format.h>

#include <cmath>

#include "lab/contact_scenes.h"
#include "lab/experiment.h"
#include "lab/share.h"
#include "lab/worst.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

struct Needs {
  int iterations = 0, evaluations = 0;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// Of a frame from a state: to an error of `wanted`.
Needs needs(const Builder& builder, const State& from, const std::vector<double>& reference, double step,
            const char* first, bool rows, double wanted, int most) {
  const auto simulation = builder.simulation({.step = step,
                                              .solver = {"quasi_newton",
                                                         {{"iterations", most},
                                                          {"tolerance", 0},
                                                          {"start", first},
                                                          {"contact_rows", rows},
                                                          {"interface_rows", rows}}}});
  simulation->set_state(from);
  double start = 0;
  for (std::size_t i = 0; i < from.q.size(); ++i) {
    const double free =
        from.q[i] + step * from.v[i] + (i % 3 == 1 ? step * step * simulation->model().gravity[1] : 0);
    start += (free - reference[i]) * (free - reference[i]);
  }
  start = std::sqrt(start);
  Needs out{most + 1, 0};
  int evaluations = 0, iteration = -1;
  simulation->solver().observe = [&](const std::vector<double>& y, const IterationRecord& record) {
    ++iteration, evaluations += record.evaluations;
    if (out.iterations <= most || !(distance(y, reference) <= wanted * start)) return;
    out = {iteration, evaluations};
  };
  simulation->step();
  if (out.iterations > most) out.evaluations = evaluations;
  return out;
}

void run(const Settings& s, Findings& findings) {
  lab::Worst most, most_flying;
  double with = 0, without = 0;
  const double step = 1.0 / 60;
  for (const double young : s.numbers("young")) {
    Builder builder = lab::box_stack(2, s.integer("cells"), young, 0.007, 0.5);
    builder.contact({.friction = 0.5});
    const auto simulation = builder.simulation({.step = step});
    for (int i = 0; i < s.integer("settle"); ++i) simulation->step();
    for (int frame = 0; frame < s.integer("frames"); ++frame) {
      const State state = simulation->state();
      const auto exact = builder.simulation(
          {.step = step, .solver = {"quasi_newton", {{"iterations", 2000}, {"gradient_tolerance", 1e-10}}}});
      exact->set_state(state);
      exact->step();
      const auto until = [&](const char* first, bool rows) {
        return needs(builder, state, exact->positions(), step, first, rows, 1e-2, 200);
      };
      const Needs rows = until("target", true), none = until("target", false);
      most.see(until("best", true).iterations), most_flying.see(rows.iterations);
      with += rows.evaluations, without += none.evaluations;
      simulation->step();
    }
  }
  findings.at_most("iterations to an error of 1e-2, most", 3, most);
  findings.report("the same from free flight", most_flying);
  findings.at_least("from free flight: evaluations without rows / with them", 3, without / with);
}

}  // namespace

ExperimentPlugin experiment_contact_iterations() {
  return {.title = "Contact in the preconditioner",
          .source = "contact",
          .doc = "Two blocks: iterations and evaluations to an error of 1e-2, with and without rows of contact.",
          .params = {numbers("young", "Pa", {1e5, 1e6, 1e7}, positive(), "Young's moduli"),
                     integer("cells", 4, between(1, 50), "cells along a side of a block"),
                     integer("settle", 30, between(0, 10000), "frames before"),
                     integer("frames", 5, between(1, 1000), "frames that are looked at")},
          .quick = Quick{.set = {{"young", Value::List{1e6}}, {"cells", 2}, {"frames", 2}}, .slow = true},
          .run = run};
}

}  // namespace resilin
