#include "solvers/requirements.h"

#include <fmt/format.h>

#include "resilin/errors.h"

namespace resilin {

void refuse_hard(const Problem& problem, const std::string& solver) {
  for (int t = 0; t < problem.elements().term_count(); ++t)
    for (const auto& potential : problem.elements().term(t).elastic)
      if (potential->response() == Response::hard)
        throw InputError("solver",
                         fmt::format("{} cannot take the hard obstacle \"{}\": it follows gradients, and an "
                                     "inequality has none; use admm or xpbd, or response \"energy\"",
                                     solver, potential->name()));
}

void require_smooth(const Problem& problem, const std::string& solver) {
  refuse_hard(problem, solver);
  for (int t = 0; t < problem.elements().term_count(); ++t) {
    const Term& term = problem.elements().term(t);
    for (const auto& damping : term.damping)
      if (!damping->smooth())
        throw InputError(
            "solver", fmt::format("{} cannot take \"{}\" of term \"{}\": its force jumps at rest; use admm, or a "
                                  "smoothing above 0",
                                  solver, damping->name(), term.name));
  }
}

}  // namespace resilin
