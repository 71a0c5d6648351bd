// E91: a block on a rough plane and a spring, against closed forms; w^2 = K/m, d = mu g/w^2 the stretch at which
// the spring overcomes friction.
//   pulled   the spring's end moves with V. The block sticks until V t = d, then v = V (1 - cos w (t - d/V)): it
//            comes to rest once in a period 2 pi/w
//   let go   the spring is stretched by A at first. Every half swing, of pi/w, ends 2 d nearer to the middle, and
//   the last one within d of it: there it sticks
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Spring {
  double friction, period, step;
  std::string integrator;
};

struct Path {
  std::vector<double> time, x, v;  // of the middle of mass
  double w = 0, reach = 0;         // d
};

// Springs hold all vertices alike, so that nothing turns the block: together they are K.
Path simulate(const Settings& s, const Spring& o, double stretch, double pull, double seconds) {
  constexpr std::array<double, 3> size{0.1, 0.05, 0.1};
  const double young = 1e7, density = 1000, mass = density * size[0] * size[1] * size[2];
  const int cells = s.integer("cells");
  TetMesh mesh = box({.size = size, .cells = {cells, 1, cells}});
  const double contact = young * size[0] / cells, touching = (cells + 1.0) * (cells + 1);
  for (std::size_t i = 1; i < mesh.vertices.size(); i += 3)
    mesh.vertices[i] += size[1] / 2 - mass * 9.81 / (touching * contact);
  Path out;
  out.w = 2 * std::numbers::pi / o.period, out.reach = o.friction * 9.81 / (out.w * out.w);
  Builder builder;
  const int body = builder.add(
      Solid{.mesh = mesh, .material = {"corotated", {{"young", young}, {"poisson", 0.3}}}, .density = density});
  const int count = mesh.vertex_count();
  Hold hold{.body = body, .vertices = {}, .at = mesh.vertices};
  for (int v = 0; v < count; ++v) hold.vertices.push_back(v);
  for (std::size_t i = 0; i < hold.at.size(); i += 3) hold.at[i] += stretch;
  MotionStep motion;
  motion.direction = {pull, 0, 0};
  motion.amount.keyframes = {{0, 0}, {1000, 1000}};
  if (pull != 0) hold.motion = Motion({motion});
  builder.soft_pin(hold, mass * out.w * out.w / count);
  builder.obstacle({"plane", {{"stiffness", contact}, {"friction", o.friction}}});
  const auto simulation = builder.simulation(
      {.step = o.step, .solver = {"quasi_newton", {{"tolerance", 1e-3}}}, .integrator = o.integrator});
  const auto mean = [&](const std::vector<double>& of) { return lab::mass_mean(simulation->model(), of)[0]; };
  const double from = mean(simulation->positions());
  while (simulation->state().time < seconds) {
    lab::advance(*simulation);
    out.time.push_back(simulation->state().time);
    out.x.push_back(mean(simulation->positions()) - from), out.v.push_back(mean(simulation->velocities()));
  }
  return out;
}

struct Shares {
  lab::Share stick, period, peak, halt, swings, stuck;
};

// Times between the fastest moments of one slip and the next.
void pulled(const Settings& s, const Spring& o, const std::string& name, Shares& all, Findings& findings,
            Plot& plot) {
  const double pull = s.number("pull"),
               first = o.friction * 9.81 / (std::pow(2 * std::numbers::pi / o.period, 2) * pull);
  Path path = simulate(s, o, 0, pull, first + 3.2 * o.period);
  double start = 0;
  std::vector<double> peaks;
  lab::Worst fastest;
  lab::Least slowest;
  for (std::size_t i = 1; i + 1 < path.v.size(); ++i) {
    if (start == 0 && path.v[i] > 0.01 * pull) start = path.time[i] - std::acos(0.99) / path.w;
    if (path.v[i] > pull && path.v[i] > path.v[i - 1] && path.v[i] >= path.v[i + 1]) {
      const double bend = path.v[i - 1] - 2 * path.v[i] + path.v[i + 1];  // the parabola's top
      peaks.push_back(path.time[i] + 0.5 * o.step * (path.v[i - 1] - path.v[i + 1]) / bend);
      fastest.see(path.v[i]);
    }
    if (peaks.size() == 1) slowest.see(path.v[i]);
  }
  const double period =
      peaks.size() >= 2 ? (peaks.back() - peaks.front()) / static_cast<double>(peaks.size() - 1) : std::nan("");
  all.stick.see(std::abs(start - first) <= 0.02 * first + o.step);
  all.period.see(std::abs(period / o.period - 1) <= 0.02);
  all.peak.see(std::abs(fastest / (2 * pull) - 1) <= 0.05);
  all.halt.see(std::abs(slowest) <= 0.05 * pull);
  findings.table_row(lab::cells("{} | {:.4f} ({:.4f}) | {:.4f} ({:.4f}) | {:.3f} | {:.3f} |  | ", name, start,
                                first, period, o.period, fastest / (2 * pull), slowest / pull));
  if (plot.series.empty()) plot.series.push_back({"speed / pull", path.time, path.v});
}

void let_go(const Settings& s, const Spring& o, const std::string& name, Shares& all, Findings& findings) {
  const double reach = o.friction * 9.81 / std::pow(2 * std::numbers::pi / o.period, 2),
               stretch = s.number("stretch") * reach;
  const Path path = simulate(s, o, stretch, 0, (0.5 * s.number("stretch") + 1) * o.period);
  // Where it turns, from the middle: A, -(A - 2 d), A - 4 d, ... until it is within d.
  double expected = stretch, side = -1;
  lab::Worst error;
  std::size_t i = 0;
  for (; expected > reach; side = -side) {
    expected -= 2 * reach;
    double furthest = -1e9;
    const std::size_t until = i + static_cast<std::size_t>(std::lround(0.5 * o.period / o.step));
    for (; i < std::min(until, path.x.size()); ++i) furthest = std::max(furthest, -side * (path.x[i] - stretch));
    error.see(std::abs(furthest - expected) / stretch);
  }
  const double late = path.x.back() - path.x[path.x.size() - static_cast<std::size_t>(0.5 * o.period / o.step)];
  all.swings.see(error <= 0.02);
  all.stuck.see(std::abs(late) <= 1e-6 * stretch && std::abs(path.x.back() - stretch) <= 1.02 * reach);
  findings.table_row(lab::cells("{} |  |  |  |  | {:.1e} | {:.1e}", name, error, late / stretch));
}

void run(const Settings& s, Findings& findings) {
  Shares all;
  Plot plot = lab::linear("A block pulled by a spring", "time [s]", "speed [m/s]");
  lab::begin_table(findings, "Stick and slip",
                   "setting | slips at [s] | period [s] | largest speed / 2 V | smallest speed / V | let go: error "
                   "of turns / A | moved late / A");
  const Spring base{s.number("friction"), s.number("period"), s.number("period") / s.integer("steps"), "tr_bdf2"};
  const auto with = [&](const std::string& name, auto change) {
    Spring o = base;
    change(o);
    pulled(s, o, name, all, findings, plot);
    let_go(s, o, name, all, findings);
  };
  with("as it is", [](Spring&) {});
  if (s.boolean("others")) {
    with("bdf2", [](Spring& o) { o.integrator = "bdf2"; });
    with("twice the steps", [](Spring& o) { o.step /= 2; });
    with("mu = 0.1", [](Spring& o) { o.friction = 0.1; });
    with("mu = 0.6", [](Spring& o) { o.friction = 0.6; });
    with("half the period", [](Spring& o) { o.period /= 2, o.step /= 2; });
  }
  all.stick.judge("pulled: slips after d/V within 2 % and a step", 1, findings);
  all.period.judge("pulled: period 2 pi/w within 2 %", 1, findings);
  all.peak.judge("pulled: largest speed 2 V within 5 %", 1, findings);
  all.halt.judge("pulled: comes to rest once in a period, to 5 % of V", 1, findings);
  all.swings.judge("let go: every half swing ends 2 d nearer, within 2 % of A", 1, findings);
  all.stuck.judge("let go: ends within d of the middle and sticks there to 1e-6 A", 1, findings);
  findings.plot(plot);
  findings.differs_because(
      "Friction at rest and in motion has the same coefficient: the block pulled by a spring sticks for no longer "
      "than a moment in each period. Backward Euler damps the swing and is left out.");
}

}  // namespace

ExperimentPlugin experiment_E91() {
  return {.title = "Stick and slip of a block on a spring",
          .source = "oracle",
          .doc = "A block pulled by a spring over a rough plane, and one let go, against closed forms.",
          .params = {number("friction", "", 0.3, positive(), "mu"),
                     number("period", "s", 0.5, positive(), "2 pi/w of block and spring"),
                     integer("steps", 200, between(20, 100000), "steps in a period"),
                     number("pull", "m/s", 0.1, positive(), "V"),
                     number("stretch", "", 7.5, {1, 100, true, false},
                            "A/d, the first stretch of the spring that is let go"),
                     integer("cells", 3, between(1, 20), "cells along the block"),
                     boolean("others", true, "also other integrators, steps, coefficients and periods")},
          .quick = Quick{.set = {{"cells", 1}, {"others", false}}},
          .run = run};
}

}  // namespace resilin
