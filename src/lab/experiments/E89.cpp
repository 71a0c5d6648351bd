// E89: a body is thrown on a rough plane with restitution. It bounces to e^2 of the height that it fell from, each
// bounce takes at most mu times the normal impulse of its speed along the plane, and at every contact of every step
// the tangential force is at most mu times the normal force.
#include "lab/toolkit.h"
#include "setup/slope.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  lab::Share heights, cone, along;
  lab::begin_table(findings, "Thrown",
                   "mu | e | h [s] | height / e^2 of the fall | speed lost / mu (1 + e) v | excess over the cone");
  const double fall = s.number("height"), speed = s.number("speed");
  for (const double mu : s.numbers("friction"))
    for (const double e : s.numbers("restitution"))
      for (const double h : s.numbers("steps")) {
        lab::SlopeOptions o;
        o.friction = mu, o.restitution = e, o.step = h, o.drop = fall, o.speed = speed;
        o.young = 1e7, o.cells = {2, 1, 2};
        lab::Slope slope(o);
        const double v = std::sqrt(2 * 9.81 * fall), start = slope.height();
        double top = 0, lowest = start;
        const double until = (1 + 1.2 * e) * v / 9.81;
        bool bounced = false;
        while (slope.simulation().state().time < until) {
          slope.advance();
          bounced = bounced || slope.height() < start - 0.98 * fall;
          lowest = std::min(lowest, slope.height());
          if (bounced) top = std::max(top, slope.height() - (start - fall));
        }
        const double lost = (speed - slope.speed()) / (mu * (1 + e) * v);
        heights.see(std::abs(std::sqrt(top / fall) - e) <= 0.05);
        along.see(lost <= 1.05);
        cone.see(slope.excess().lagged <= 1e-6);
        findings.table_row(lab::cells("{:g} | {:g} | {:.3g} | {:.3f} | {:.3f} | {:.1e}", mu, e, h,
                                      top / (e * e * fall), lost, slope.excess().lagged));
      }
  heights.judge("bounces to e^2 of the height, e within 0.05", 1, findings);
  along.judge("loses at most mu (1 + e) v of its speed along the plane, within 5 %", 1, findings);
  cone.judge("Coulomb's cone at every contact of every step to 1e-6, with the lagged normal force", 1, findings);
}

}  // namespace

ExperimentPlugin experiment_E89() {
  return {
      .title = "A thrown block bounces and rubs",
      .source = "oracle",
      .doc = "Height of a bounce, loss of speed along the plane, and Coulomb's cone in every step.",
      .params = {number("height", "m", 0.5, positive(), "of the fall"),
                 number("speed", "m/s", 2, positive(), "along the plane"),
                 numbers("friction", "", {0.1, 0.3}, positive(), "coefficients of friction"),
                 numbers("restitution", "", {0.3, 0.6, 0.9}, between(0.1, 1), "coefficients of restitution"),
                 numbers("steps", "s", {1.0 / 240, 1.0 / 480}, positive(), "time steps")},
      .quick =
          Quick{.set = lab::given(R"({"friction": [0.2], "restitution": [0.6], "steps": [0.004166666666666667]})")},
      .run = run};
}

}  // namespace resilin
