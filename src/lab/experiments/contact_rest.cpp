// A block on a slope with friction, at rest, held and sliding. Normal forces are those of the weight in every
// frame; below the cone it does not creep; above it, it slides with g (sin - mu cos). Friction is anchored
// (contact/friction.h), so that sticking has no clock: a smoothed velocity would creep for ever. One factorisation
// for all of it: friction stands in no matrix that is factorised.
#include "lab/toolkit.h"
#include "setup/slope.h"

namespace resilin {
namespace {

using lab::Slope;
using lab::SlopeOptions;
using lab::Worst;

// Over the settings.
struct Results {
  lab::Share rest, held, creep, slides, cone, factors;
  Worst force, held_force, drift, late, slide, excess, excess_last, evaluations;
  long trials = 0, searched = 0;
};

struct Run {
  Worst force;                    // |N / weight - 1|, of frames after it has settled
  double travel = 0, late = 0;    // from where it has settled, and from a second later on [m]
  double acceleration = 0;        // of the last second
  double evaluations = 0;         // per frame
  long trials = 0, searched = 0;  // of line searches after the first iteration of a stage
  int factorisations = 0;
  lab::ConeExcess excess;
};

Run simulate(const SlopeOptions& o, double seconds) {
  Slope slope(o);
  Run out;
  const auto frame_at = [&](double time) { return std::lround(time / o.step); };
  const long settled = frame_at(o.settle), frames = frame_at(o.settle + seconds);
  double from = 0, second = 0, speed = 0;
  long evaluations = 0;
  const int stages = make_integrator(o.integrator)->stages();
  for (long i = 1; i <= frames; ++i) {
    const SolveReport report = slope.advance().solve;
    if (i == settled) from = slope.travel();
    if (i == frame_at(o.settle + 1)) second = slope.travel();
    if (i == frame_at(o.settle + seconds - 1)) speed = slope.speed();
    out.factorisations += report.factorisations;
    if (i <= settled) continue;
    out.force.see(std::abs(slope.carried() - 1));
    evaluations += report.evaluations;
    if (report.iterations > stages)
      out.trials += report.line_searches - 2 * stages, out.searched += report.iterations - stages;
  }
  out.travel = slope.travel() - from, out.late = slope.travel() - second;
  out.acceleration = slope.speed() - speed;
  out.evaluations = static_cast<double>(evaluations) / static_cast<double>(frames - settled);
  out.excess = slope.excess();
  return out;
}

void see_costs(const Run& run, bool one_factor, Results& all) {
  all.evaluations.see(run.evaluations);
  all.trials += run.trials, all.searched += run.searched;
  all.excess.see(run.excess.lagged), all.excess_last.see(run.excess.last);
  all.cone.see(run.excess.lagged <= 1e-6);
  if (one_factor) all.factors.see(run.factorisations == 1);
}

void run_setting(const Settings& s, SlopeOptions o, const std::string& name, Results& all, Findings& findings) {
  const double length = o.size[0], seconds = s.number("seconds"), short_run = std::min(seconds, 2.0);
  const bool one_factor =
      o.solver.type == "quasi_newton" && o.integrator != "bdf2";  // whose first step is of tr_bdf2
  const auto at = [&](double ratio, double time) {
    o.angle = std::atan(ratio * o.friction);
    Run run = simulate(o, time);
    see_costs(run, one_factor, all);
    return run;
  };
  const Run rest = at(0, seconds), held = at(0.9, seconds);
  all.force.see(rest.force), all.held_force.see(held.force), all.rest.see(rest.force <= 1e-3);
  all.drift.see(std::abs(held.travel) / length), all.held.see(std::abs(held.travel) <= 1e-3 * length);
  all.late.see(std::abs(held.late) / length), all.creep.see(std::abs(held.late) <= 1e-6 * length);
  std::vector<std::string> cells =
      lab::cells("{} | {:.1e} | {:.1e} | {:.1e}", name, rest.force, held.travel / length, held.late / length);
  for (const double ratio : {1.1, 2.0}) {
    const Run run = at(ratio, short_run);
    const double angle = std::atan(ratio * o.friction),
                 wanted = 9.81 * (std::sin(angle) - o.friction * std::cos(angle));
    const double error = run.acceleration / wanted - 1;
    all.slide.see(std::abs(error)), all.slides.see(std::abs(error) <= 0.02);
    cells.push_back(fmt::format("{:.1e}", error));
  }
  cells.push_back(fmt::format("{:.1f}", rest.evaluations));
  findings.table_row(cells);
}

struct Setting {
  std::string name;
  SlopeOptions options;
};

// One thing at a time.
std::vector<Setting> settings_of(const Settings& s) {
  SlopeOptions base;
  base.settle = 1, base.ramp = 0.5;
  const int cells = s.integer("cells");
  base.cells = {cells, std::max(1, cells / 2), cells};
  std::vector<Setting> out = {{"as it is", base}};
  const auto add = [&](const std::string& name, auto change) {
    out.push_back({name, base});
    change(out.back().options);
  };
  add("gravity inclined, not the plane", [](SlopeOptions& o) { o.inclined_plane = false; });
  for (const double mu : s.numbers("friction"))
    add(fmt::format("mu = {:g}", mu), [&](SlopeOptions& o) { o.friction = mu; });
  for (const double h : s.numbers("steps"))
    add(fmt::format("h = {:.3g} s", h), [&](SlopeOptions& o) { o.step = h; });
  for (const double k : s.numbers("stiffness"))
    add(fmt::format("contact {:g} times as stiff", k), [&](SlopeOptions& o) { o.stiffness = k; });
  for (const double young : s.numbers("young"))
    add(fmt::format("{:.2g} Pa", young), [&](SlopeOptions& o) { o.young = young; });
  if (s.boolean("others"))
    for (const auto& [solver, integrator] :
         {std::pair{"quasi_newton", "bdf2"}, {"quasi_newton", "tr_bdf2"}, {"newton", "backward_euler"}})
      add(fmt::format("{}, {}", solver, integrator),
          [&](SlopeOptions& o) { o.solver = solver, o.integrator = integrator; });
  return out;
}

void run(const Settings& s, Findings& findings) {
  Results all;
  lab::begin_table(findings, "A block on a slope",
                   "setting | |N/weight - 1| | held: drift/L | drift/L after 1 s | 1.1 mu: error of a | 2 mu: "
                   "error of a | evaluations per frame");
  const auto settings = settings_of(s);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    run_setting(s, settings[i].options, settings[i].name, all, findings);
    findings.progress(static_cast<int>(i) + 1, static_cast<int>(settings.size()), settings[i].name);
  }
  all.rest.judge("at rest, |N/weight - 1| <= 1e-3 in every frame", 1, findings,
                 fmt::format("at most {:.1e}", static_cast<double>(all.force)));
  all.held.judge("held at 0.9 mu, drift <= 1e-3 L in all", 1, findings,
                 fmt::format("at most {:.1e} L", static_cast<double>(all.drift)));
  all.creep.judge("held at 0.9 mu, drift <= 1e-6 L after the first second", 1, findings,
                  fmt::format("at most {:.1e} L", static_cast<double>(all.late)));
  all.slides.judge("slides at 1.1 and 2 mu, acceleration within 2 %", 1, findings,
                   fmt::format("error at most {:.1e}", static_cast<double>(all.slide)));
  all.cone.judge("Coulomb's cone at every contact of every step to 1e-6, with the lagged normal force", 1, findings,
                 fmt::format("excess at most {:.1e}", static_cast<double>(all.excess)));
  findings.report("held, largest |N/weight - 1|", all.held_force);
  findings.report("excess over the cone with the final normal forces, of all", all.excess_last);
  all.factors.judge("one factorisation for the whole run", 1, findings);
  findings.at_most("evaluations per frame: 10 iterations of 1.3 each", 13, all.evaluations);
  findings.at_most("trial points of a line search, per iteration after the first of a stage", 1.3,
                   static_cast<double>(all.trials) / static_cast<double>(all.searched));
  findings.differs_because(
      "A frame at rest is one iteration, whose start takes four evaluations (free flight, the best rigid motion "
      "and a step from each): evaluations per iteration are counted after that, per frame against ten iterations. "
      "The pull down the slope grows in half a second; at once it is a blow, which an undamped integrator answers "
      "with a swing of twice the load, beyond the cone. A block of 1e5 Pa shears by 1.6e-3 L under its own weight: "
      "softer ones than 1e6 Pa are left out.");
}

}  // namespace

ExperimentPlugin experiment_contact_rest() {
  return {
      .title = "A block rests, holds and slides",
      .source = "contact",
      .doc = "Normal force, creep and acceleration of a block on a slope with friction.",
      .params = {number("seconds", "s", 10, {2, 1000, false, false}, "how long it rests, and is held"),
                 integer("cells", 4, between(1, 20), "cells along the block"),
                 numbers("friction", "", {0.1, 1}, positive(), "other coefficients than 0.5"),
                 numbers("steps", "s", {1.0 / 30, 1.0 / 120}, positive(), "other steps than 1/60 s"),
                 numbers("stiffness", "", {0.1, 10}, positive(),
                         "other stiffnesses of the contact than that of the body"),
                 numbers("young", "Pa", {1e7, 1e8}, positive(), "other Young's moduli than 1e6 Pa"),
                 boolean("others", true, "also bdf2, tr_bdf2 and newton")},
      .quick = Quick{.set = lab::given(R"({"seconds": 2, "cells": 2, "friction": [], "steps": [0.03333333333333333],
                                               "stiffness": [], "young": [], "others": false})")},
      .run = run};
}

}  // namespace resilin
