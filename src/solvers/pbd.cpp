// PBD (Mueller et al. 2007; Ledwon 2024, Section 3.4.2): every constraint is projected in turn, dp = -k' c w grad c
// / sum w |grad c|^2. Stiffness of materials is ignored: bodies become rigid with the number of iterations. Kept to
// compare.
#include "resilin/registry.h"
#include "solvers/local/constraint_solver.h"

namespace resilin {

SolverPlugin solver_pbd() {
  Params params = constraint_params();
  params.add({number("stiffness", "", 1, between(0, 1), "share k of every constraint that is removed"),
              boolean("stiffness_per_iteration", false,
                      "true: k applies to every iteration; false: k applies to all n iterations together, k' = 1 - "
                      "(1 - k)^(1/n)")});
  return {
      "Position-based dynamics (Mueller et al. 2007): projects one constraint after the other. Bodies get stiffer "
      "with more iterations, whatever their material.",
      params,
      [](const Settings& s) {
        ConstraintOptions options;
        options.name = "pbd";
        options.compliant = options.coupled = false;
        options.serial = s.text("order") == "serial";
        options.stiffness = s.number("stiffness");
        options.per_iteration = s.boolean("stiffness_per_iteration");
        return std::make_unique<ConstraintSolver>(options);
      },
      false};
}

}  // namespace resilin
