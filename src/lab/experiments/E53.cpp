// E53 (Brandt et al. 2018): the cost of a hyper-reduced step depends on handles and samples and not on the mesh.
// The paper has 789, 1072 and 1081 us an iteration at 19k, 197k and 439k vertices, with other dimensions each.
// Times are shown here and judged by `resilin bench experiment_times`.
#include "lab/reduced_bodies.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  findings.table("Cost of a step", lab::cost_columns(), {});
  lab::Worst slower;
  lab::Least unknowns;
  double first = 0;
  const auto sizes = s.numbers("vertices");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto cost = lab::reduced_cost(lab::creature_model(static_cast<int>(sizes[i])),
                                        lab::reduction_of(s.integer("handles"), s.integer("samples")),
                                        s.number("step"), s.integer("iterations"), s.integer("frames"));
    if (i == 0) first = cost.step;
    slower.see(cost.step / first), unknowns.see(cost.unknowns);
    findings.table_row(lab::cost_row(cost, s.integer("iterations")));
    findings.progress(static_cast<int>(i) + 1, static_cast<int>(sizes.size()),
                      std::to_string(cost.vertices) + " vertices");
  }
  findings.time("step of the slowest body / of the first", "<=", 1.25, slower,
                "same handles and samples; display excluded");
  findings.at_least("least number of unknowns / 12 handles", 0.9, unknowns / (12.0 * s.integer("handles")));
}

}  // namespace

ExperimentPlugin experiment_E53() {
  return {
      .title = "The cost of a reduced step does not depend on the mesh",
      .source = "brandt2018",
      .shows = "Table 1",
      .doc = "The same creature with more and more vertices, the same handles and samples.",
      .params = {numbers("vertices", "", {19000, 52000, 200000}, at_least(300), "of the bodies"),
                 integer("handles", 120, between(4, 10000), "of the subspace"),
                 integer("samples", 1000, between(10, 1000000), "elements that are evaluated"),
                 integer("iterations", 10, between(1, 1000), "of a step"),
                 integer("frames", 30, between(1, 100000), "steps; the fastest counts"),
                 number("step", "s", 1.0 / 60, positive(), "time step")},
      .quick =
          Quick{.set = {{"vertices", Value::List{800, 1600}}, {"handles", 16}, {"samples", 200}, {"frames", 3}}},
      .run = run,
      .timed = Value::Object{{"vertices", Value::List{19000, 200000}}}};
}

}  // namespace resilin
