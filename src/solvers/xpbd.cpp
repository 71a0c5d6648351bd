// XPBD (Macklin et al. 2016; Ledwon 2024, Section 3.4.5): Gauss-Seidel over compliant constraints with multipliers
// that are zero at the start of a stage and tend to -c/alpha (X41). Theory, and what it does not do:
// docs/theory/xpbd.md.
#include "resilin/registry.h"
#include "solvers/local/constraint_solver.h"

namespace resilin {

SolverPlugin solver_xpbd() {
  Params params = constraint_params();
  params.add({boolean("coupled", true,
                      "true: all constraints of an element are solved together; false: one after the other"),
              number("damping", "s", 0, at_least(0),
                     "damping time of the constraints: damping over stiffness; it is not part of the objective")});
  return {
      "Extended position-based dynamics (Macklin et al. 2016): visits one compliant constraint after the other. "
      "Cheap and stable; ends near the minimum, not at it.",
      params,
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
