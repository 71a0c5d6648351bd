// E7: the line search is a safeguard (Liu et al. Fig. 3). The polynomial head under impulsive motion: without it
// the simulation explodes within 100 frames (paper: frame 24); with it, 400 frames stay finite and Phi never rises
// from one iteration to the next.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

std::unique_ptr<Simulation> start(const Settings& s, bool search) {
  return lab::start_scene(
      lab::liu_head(s.number("spacing"), s.number("mu"), true, s.number("step"), s.number("jerk")),
      s.number("step"), "quasi_newton",
      {{"iterations", s.integer("iterations")},
       {"history", s.integer("history")},
       {"line_search", search},
       {"tolerance", 0}});
}

struct Guarded {
  int frames = 0;
  lab::Worst rise, reach, energy;  // of Phi relative to its parts; of |x|; of the total energy
  std::vector<double> reaches;     // by frame
};

Guarded with_search(const Settings& s) {
  Guarded out;
  const auto simulation = start(s, true);
  simulation->solver().tracing = true;
  for (; out.frames < s.integer("frames"); ++out.frames) {
    const StepReport report = simulation->step();
    if (report.status == Status::not_finite) break;
    const auto& trace = report.solve.trace;
    for (std::size_t k = 1; k < trace.size(); ++k) {
      const double scale = std::max(std::abs(trace[k - 1].inertia), std::abs(trace[k - 1].potential));
      out.rise.see((trace[k].objective - trace[k - 1].objective) / scale);
    }
    const Energy e = simulation->energy();
    out.energy.see(e.kinetic + e.elastic);
    out.reaches.push_back(lab::largest_coordinate(simulation->positions()));
    out.reach.see(out.reaches.back());
  }
  return out;
}

// The frame at which it exploded, or frames + 1.
int without_search(const Settings& s, double energy, double size, std::vector<double>& reaches) {
  const auto simulation = start(s, false);
  for (int frame = 1; frame <= s.integer("explode_within"); ++frame) {
    if (simulation->step().status == Status::not_finite) return frame;
    const Energy e = simulation->energy();
    reaches.push_back(lab::largest_coordinate(simulation->positions()));
    if (reaches.back() > 1e3 * size || e.kinetic + e.elastic > 1e3 * energy) return frame;
  }
  return s.integer("explode_within") + 1;
}

void run(const Settings& s, Findings& findings) {
  const Guarded guarded = with_search(s);
  const double size = lab::liu_head(s.number("spacing"), s.number("mu"), true, s.number("step")).model.size();
  std::vector<double> reaches;
  const int exploded = without_search(s, guarded.energy, size, reaches);
  findings.plot(lab::semilogy("Fig. 3: with and without line search", "frame", "max |x| [m]",
                              {lab::counted("line search", guarded.reaches), lab::counted("none", reaches)}));
  findings.near("line search on: frames that stayed finite", s.integer("frames"), guarded.frames, 0);
  findings.at_most("line search on: largest rise of Phi in an iteration / its parts", 1e-12, guarded.rise,
                   "round-off allowance of X11");
  findings.at_most("line search on: max |x| / size", 10, guarded.reach / size);
  findings.at_most("line search off: frame at which |x| > 1e3 size or energy x 1e3", s.integer("explode_within"),
                   exploded, "paper: frame 24");
}

}  // namespace

ExperimentPlugin experiment_E7() {
  return {.title = "The line search keeps quasi-Newton stable",
          .source = "liu2017",
          .shows = "Fig. 3",
          .doc = "The polynomial head under jerks, with and without the Armijo line search.",
          .params = {integer("frames", 400, between(1, 100000), "frames with line search"),
                     integer("explode_within", 100, between(1, 100000), "frames without"),
                     integer("iterations", 10, between(1, 1000), "per frame"),
                     integer("history", 5, between(0, 100), "m of L-BFGS"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     number("mu", "Pa", 1.5e6, positive(), "factor mu of the polynomial material"),
                     number("jerk", "m", 0.4, positive(), "displacement of the neck within one frame"),
                     number("spacing", "m", 0.08, between(0.02, 0.3), "lattice of the head")},
          .quick = Quick{.set = {{"frames", 60}, {"spacing", 0.12}}},
          .run = run};
}

}  // namespace resilin
