// XPBD (Macklin et al. 2016; Ledwon 2024, Section 3.4.5): Gauss-Seidel over compliant constraints with multipliers that are zero at
// the start of a stage and tend to -c/alpha (X41). Theory, and what it does not do: docs/theory/xpbd.md.
#include "resilin/registry.h"
#include "solvers/constraint_solver.h"

namespace resilin {

SolverPlugin solver_xpbd() {
  Params params = constraint_params();
  params.add({boolean("coupled", true,
                      "constraints of one energy on one element in one solve; false: one after the other"),
              number("damping", "s", 0, at_least(0),
                     "of constraints, in proportion to their stiffness; not in the objective")});
  return {"Gauss-Seidel over compliant constraints (Macklin et al. 2016): cheap, stable, biased.", params,
          [](const Settings& s) {
            ConstraintOptions options;
            options.name = "xpbd";
            options.serial = s.text("order") == "serial";
            options.coupled = s.boolean("coupled");
            options.damping = s.number("damping");
            return std::make_unique<ConstraintSolver>(options);
          },
          false};
}

}  // namespace resilin
