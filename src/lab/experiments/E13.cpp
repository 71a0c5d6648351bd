// E13: ten quasi-Newton iterations beat one Newton iteration (Liu et al. Table I): on scenes of their own motion,
// from the same states, relative error against the minimum found by Newton to 1e-9. Newton projects element
// Hessians to positive semidefinite. Ratios of wall time (paper: 4.3 to 42 per frame, 43 to 418 per iteration) are
// reported.
#include <algorithm>

#include "lab/contest.h"
#include "lab/experiment.h"

namespace resilin {
namespace {

lab::Contest contest(const std::string& name, const Settings& s) {
  return lab::contest(lab::liu_scene(name, s.number("detail")),
                      {s.integer("iterations"), s.integer("history"), s.integer("frames"), s.integer("every")});
}

void run(const Settings& s, Findings& findings) {
  for (const char* name :
       {"thin_sheet", "sphere_a", "sphere_b", "shaking_bar", "creature", "twisting_bar", "cloth"}) {
    const lab::Contest c = contest(name, s);
    const std::string at = std::string(name) + ": ";
    findings.at_most(at + "mean rel.err of quasi-Newton, at most that of one Newton iteration", c.newton, c.ours);
    findings.report(at + "error ratio Newton / quasi-Newton", c.newton / std::max(c.ours, 1e-300),
                    "paper 2.9 to 3e4");
    findings.report(at + "wall-time ratio Newton / quasi-Newton", c.newton_seconds / c.ours_seconds,
                    "paper 4.3 to 42");
    findings.report(at + "wall-time ratio per iteration",
                    c.newton_seconds / c.ours_seconds * s.integer("iterations"), "paper 43 to 418");
  }
  const lab::Contest slow = contest("twisting_bar_slow", s);
  findings.report("twisting_bar_slow: error ratio Newton / quasi-Newton", slow.newton / slow.ours,
                  "3 degrees per frame is almost linear: Newton is nearly exact there");
}

}  // namespace

ExperimentPlugin experiment_E13() {
  return {.title = "Ten quasi-Newton iterations against one Newton iteration",
          .source = "liu2017",
          .shows = "Table I",
          .doc = "Relative error from the same states on seven scenes of Table I.",
          .params = {integer("iterations", 10, between(1, 1000), "iterations of quasi-Newton"),
                     integer("history", 5, between(0, 100), "m of L-BFGS"),
                     integer("frames", 4, between(1, 1000), "states compared in each scene"),
                     integer("every", 8, between(1, 1000), "frames between them"),
                     number("detail", "", 1, between(0.3, 4), "size of the scenes")},
          .quick = Quick{.set = {{"detail", 0.7}, {"frames", 2}}, .slow = true},
          .run = run};
}

}  // namespace resilin
