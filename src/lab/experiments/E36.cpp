// E36 (Brown et al. 2018, Fig. 4): an elastic box with a first speed slides on a level surface and is stopped by
// friction. It slows down by mu g, stops after v0/(mu g) and has gone v0^2/(2 mu g), less h v0/2 with backward
// Euler. ADMM, whose iterations the figure varies, comes nearer with more of them.
#include "lab/toolkit.h"
#include "setup/slope.h"

namespace resilin {
namespace {

using lab::Slope;
using lab::SlopeOptions;

struct Slide {
  double deceleration = 0;  // over the first half of the way to rest
  double distance = 0, stop = 0;
  lab::ConeExcess excess;
  std::vector<double> time, speed;
};

Slide slide(const SlopeOptions& o) {
  Slope slope(o);
  Slide out;
  const double wanted = o.speed / (o.friction * slope.gravity());
  const auto frame_at = [&](double time) { return std::lround(time / o.step); };
  const long early = frame_at(0.1 * wanted), middle = frame_at(0.6 * wanted);
  double from = 0;
  for (long i = 1; i <= frame_at(1.5 * wanted); ++i) {
    slope.advance();
    const double time = static_cast<double>(i) * o.step;
    if (i == early) from = slope.speed();
    if (i == middle) out.deceleration = (from - slope.speed()) / (static_cast<double>(middle - early) * o.step);
    if (out.stop == 0 && !(slope.speed() > 0.01 * o.speed)) out.stop = time;
    out.time.push_back(time), out.speed.push_back(slope.speed());
  }
  out.distance = slope.travel(), out.excess = slope.excess();
  return out;
}

SlopeOptions options_of(const Settings& s) {
  const int cells = s.integer("cells");
  return {.friction = s.number("friction"),
          .size = {0.5, 0.25, 0.5},
          .cells = {cells, std::max(1, cells / 2), cells},
          .young = 1e5,
          .speed = s.number("speed"),
          .settled = true,
          .step = s.number("step")};
}

struct Shares {
  lab::Share deceleration, distance, stop, cone;
};

void see(const SlopeOptions& o, const std::string& name, Shares& all, Findings& findings) {
  const Slide one = slide(o);
  const double a = o.friction * 9.81, time = o.speed / a;
  const double distance = o.speed * time / 2 - (o.integrator == "backward_euler" ? o.step * o.speed / 2 : 0);
  all.deceleration.see(std::abs(one.deceleration / a - 1) <= 0.02);
  all.distance.see(std::abs(one.distance / distance - 1) <= 0.02);
  all.stop.see(std::abs(one.stop - time) <= 0.02 * time + o.step);
  all.cone.see(one.excess.lagged <= 1e-6);
  findings.table_row(lab::cells("{} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.3f} | {:.3f} | {:.1e}", name,
                                one.deceleration, a, one.distance, distance, one.stop, time, one.excess.last));
}

void run_admm(const Settings& s, Findings& findings) {
  Plot plot = lab::linear("Fig. 4: speed of the box", "time [s]", "speed [m/s]");
  lab::Share falls;
  double before = std::numeric_limits<double>::infinity(), error = before;
  for (const double count : s.numbers("iterations")) {
    SlopeOptions o = options_of(s);
    o.solver = {"admm", {{"iterations", count}, {"tolerance", 1e-9}}};
    Slide one = slide(o);
    error = std::abs(one.deceleration / (o.friction * 9.81) - 1);
    falls.see(error <= before + 1e-3);
    before = error;
    findings.report(fmt::format("ADMM, {:g} iterations: error of the deceleration", count), error);
    plot.series.push_back({fmt::format("{:g} iterations", count), std::move(one.time), std::move(one.speed)});
  }
  falls.judge("ADMM, error of the deceleration does not grow with the iterations", 1, findings);
  findings.at_most("ADMM, error of the deceleration with the most iterations", 0.02, error);
  findings.plot(plot);
}

void run(const Settings& s, Findings& findings) {
  Shares all;
  lab::begin_table(findings, "Sliding to rest",
                   "setting | deceleration | mu g | distance | wanted | stop | wanted | excess");
  const SlopeOptions base = options_of(s);
  const auto with = [&](const std::string& name, auto change) {
    SlopeOptions o = base;
    change(o);
    see(o, name, all, findings);
  };
  with("as it is", [](SlopeOptions&) {});
  for (const double mu : s.numbers("frictions"))
    with(fmt::format("mu = {:g}", mu), [&](SlopeOptions& o) { o.friction = mu; });
  for (const double h : s.numbers("steps"))
    with(fmt::format("h = {:g} s", h), [&](SlopeOptions& o) { o.step = h; });
  for (const double young : s.numbers("young"))
    with(fmt::format("{:.2g} Pa", young), [&](SlopeOptions& o) { o.young = young; });
  for (const double k : s.numbers("stiffness"))
    with(fmt::format("contact {:g} times as stiff", k), [&](SlopeOptions& o) { o.stiffness = k; });
  for (const char* integrator : {"bdf2", "tr_bdf2"})
    with(integrator, [&](SlopeOptions& o) { o.integrator = integrator; });
  with("newton", [](SlopeOptions& o) { o.solver = "newton"; });
  with("chebyshev", [](SlopeOptions& o) { o.solver = "chebyshev"; });
  all.deceleration.judge("deceleration mu g within 2 %", 1, findings);
  all.distance.judge("distance v0^2/(2 mu g), less h v0/2 of backward Euler, within 2 %", 1, findings);
  all.stop.judge("stops after v0/(mu g) within 2 % and a step", 1, findings);
  all.cone.judge("Coulomb's cone to 1e-6, with the lagged normal force", 1, findings);
  run_admm(s, findings);
  findings.differs_because(
      "The paper prints neither size nor stiffness of its box: half a metre, 1e5 Pa. Normal forces are those of "
      "the start of a step, in the paper of the iteration before: so every solver minimises the same objective.");
}

}  // namespace

ExperimentPlugin experiment_E36() {
  return {
      .title = "Friction stops a sliding box",
      .source = "brown2018",
      .shows = "Fig. 4",
      .doc = "Deceleration, stopping time and distance of an elastic box against mu g.",
      .params = {number("friction", "", 0.2, positive(), "mu"), number("speed", "m/s", 2, positive(), "v0"),
                 number("step", "s", 0.04, positive(), "time step"),
                 integer("cells", 4, between(1, 20), "cells along the box"),
                 numbers("frictions", "", {0.1, 0.4}, positive(), "other coefficients"),
                 numbers("steps", "s", {0.02, 0.01}, positive(), "other time steps"),
                 numbers("young", "Pa", {1e6, 1e7}, positive(), "other Young's moduli than 1e5 Pa"),
                 numbers("stiffness", "", {0.1, 10}, positive(),
                         "other stiffnesses of the contact than that of the body"),
                 numbers("iterations", "", {10, 20, 40, 80}, between(1, 1e6), "iterations of ADMM, ascending")},
      .quick =
          Quick{.set = lab::given(R"({"cells": 2, "frictions": [], "steps": [], "young": [], "stiffness": []})")},
      .run = run};
}

}  // namespace resilin
