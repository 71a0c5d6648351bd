// E37: a block on an incline sticks if tan phi <= mu and slides with g (sin phi - mu cos phi) otherwise, on the
// right side of atan mu within half a degree.
#include "lab/toolkit.h"
#include "setup/slope.h"

namespace resilin {
namespace {

using lab::Slope;
using lab::SlopeOptions;

struct Shares {
  lab::Share holds, slides, cone;
};

// The first half second is left out: the block is set down on the incline.
void see(SlopeOptions o, double degrees, const std::string& name, const Settings& s, Shares& all,
         Findings& findings) {
  o.angle = degrees * std::numbers::pi / 180;
  const double a = 9.81 * (std::sin(o.angle) - o.friction * std::cos(o.angle));
  Slope slope(o);
  const double seconds = a > 0 ? std::min(1.5, s.number("seconds")) : s.number("seconds");
  const long frames = std::lround(seconds / o.step), first = std::lround(0.5 / o.step);
  double speed = 0;
  for (long i = 1; i <= frames; ++i) {
    slope.advance();
    if (i == first) speed = slope.speed();
  }
  const double measured = (slope.speed() - speed) / (static_cast<double>(frames - first) * o.step);
  if (a > 0) all.slides.see(std::abs(measured / a - 1) <= 0.03);
  else all.holds.see(std::abs(slope.travel()) <= 1e-4);
  all.cone.see(slope.excess().lagged <= 1e-6);
  findings.table_row(lab::cells("{} | {:g} | {:.1e} | {:.4f} | {:.4f}", name, degrees, slope.travel(), measured,
                                std::max(a, 0.0)));
}

void run(const Settings& s, Findings& findings) {
  Shares all;
  lab::begin_table(findings, "Incline", "setting | degrees | travel [m] | acceleration | wanted");
  const int cells = s.integer("cells");
  const auto with = [&](const std::string& name, auto change) {
    SlopeOptions o;
    o.friction = s.number("friction"), o.cells = {cells, std::max(1, cells / 2), cells};
    change(o);
    const double limit = std::atan(o.friction) * 180 / std::numbers::pi;
    for (const double beyond : s.numbers("beyond")) see(o, limit + beyond, name, s, all, findings);
    for (const double degrees : s.numbers("degrees")) see(o, degrees, name, s, all, findings);
    findings.progress(1, 1, name);
  };
  with("as it is", [](SlopeOptions&) {});
  with("gravity inclined, not the plane", [](SlopeOptions& o) { o.inclined_plane = false; });
  for (const double h : s.numbers("steps"))
    with(fmt::format("h = {:.3g} s", h), [&](SlopeOptions& o) { o.step = h; });
  for (const double k : s.numbers("stiffness"))
    with(fmt::format("contact {:g} times as stiff", k), [&](SlopeOptions& o) { o.stiffness = k; });
  if (s.boolean("others")) {
    for (const char* solver : {"newton", "chebyshev"}) with(solver, [&](SlopeOptions& o) { o.solver = solver; });
    with("admm to 1e-3", [](SlopeOptions& o) { o.solver = {"admm", {{"iterations", 2000}, {"tolerance", 1e-3}}}; });
  }
  all.holds.judge("below atan mu it holds: travel <= 1e-4 m", 1, findings);
  all.slides.judge("above atan mu it slides with g (sin - mu cos) within 3 %", 1, findings);
  all.cone.judge("Coulomb's cone to 1e-6, with the lagged normal force", 1, findings);
}

}  // namespace

ExperimentPlugin experiment_E37() {
  return {
      .title = "A block on an incline sticks or slides",
      .source = "oracle",
      .doc = "Whether a block holds, and its acceleration, on both sides of atan mu.",
      .params = {number("friction", "", 0.2, positive(), "mu"),
                 numbers("degrees", "degrees", {11, 12, 15, 30}, between(0, 89), "inclines"),
                 numbers("beyond", "degrees", {-0.5, 0.5}, any_number(), "inclines from the limit"),
                 number("seconds", "s", 5, {1.5, 1000, false, false}, "how long it must hold"),
                 integer("cells", 4, between(1, 20), "cells along the block"),
                 numbers("steps", "s", {1.0 / 30, 1.0 / 120}, positive(), "other steps than 1/60 s"),
                 numbers("stiffness", "", {0.1, 10}, positive(),
                         "other stiffnesses of the contact than that of the body"),
                 boolean("others", true, "also newton, chebyshev and admm")},
      .quick =
          Quick{.set = lab::given(R"({"cells": 2, "seconds": 2, "steps": [], "stiffness": [], "others": false})")},
      .run = run};
}

}  // namespace resilin
