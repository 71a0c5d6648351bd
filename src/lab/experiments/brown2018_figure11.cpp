// Fig. 11 of Brown et al. 2018 as it is told there: a soft body dropped on the ground rests deformed with p = 0 and
// only settles with p = 1; a stiffer one shaken by its bottom hardly stretches with p = 2 and still swings
// afterwards, while p = 1 that stretches as little stops the swinging too. E34 has the same on a block of few tets,
// where it is exact.

#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Course {
  std::vector<double> time, kinetic, elastic;  // after every step
  double ms = 0;                               // of a step
  double most_elastic() const { return lab::Worst::of(elastic); }
  // The last time at which the kinetic energy was above `part` of its largest.
  double settled(double part) const {
    const double bound = part * lab::Worst::of(kinetic);
    double last = 0;
    for (std::size_t i = 0; i < time.size(); ++i)
      if (!(kinetic[i] <= bound)) last = time[i];
    return last;
  }
  // Mean from `from` to `to` [s].
  double mean_kinetic(double from, double to) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < time.size(); ++i)
      if (time[i] >= from && time[i] <= to) sum += kinetic[i], ++count;
    return sum / count;
  }
};

Course follow(Simulation& simulation, double duration) {
  Course out;
  const auto steps = std::lround(duration / simulation.options().step);
  for (long i = 0; i < steps; ++i) {
    out.ms += 1e3 * lab::advance(simulation).seconds / static_cast<double>(steps);
    const Energy energy = simulation.energy();
    out.time.push_back(simulation.state().time);
    out.kinetic.push_back(energy.kinetic), out.elastic.push_back(energy.elastic);
  }
  return out;
}

void add(Plot& plot, const std::string& name, const Course& course) {
  plot.series.push_back({name, course.time, course.kinetic});
}

// ---- dropped

Model ball_above_ground(const Settings& s) {
  TetMesh mesh = sphere({.radius = 0.3, .spacing = s.number("spacing")});
  translate(mesh, {0, 0.5, 0});
  Model model = lab::solid(mesh, 1000, "corotated", {{"young", s.number("soft")}, {"poisson", 0.4}});
  model.gravity = {0, -9.81, 0};
  // As stiff as a vertex of the body itself: modulus times spacing.
  lab::add_obstacle(model, "plane", {}, 5 * s.number("soft") * s.number("spacing"));
  return model;
}

// p = 0 has no smoothing: ADMM takes its local step in closed form (X20).
Course dropped(const Settings& s, std::optional<double> power, Findings& findings) {
  Model model = ball_above_ground(s);
  const Model shown = model;
  lab::Values damping = {{"viscosity", s.number("viscosity")}, {"separate", true}};
  if (power) damping.emplace_back("power", *power);
  if (power == 0)
    damping.emplace_back("power_scale", s.number("power_scale")), damping.emplace_back("smoothing", 0.0);
  if (power) lab::add_damping(model, 0, "stretch_rate", damping);
  const auto simulation = lab::make_simulation(std::move(model), s.number("step"), "admm",
                                               {{"iterations", s.integer("iterations")}, {"tolerance", 0.0}});
  const Course out = follow(*simulation, s.number("fall"));
  findings.picture(fmt::format("Fig. 11, dropped: {}", power ? fmt::format("p = {:g}", *power) : "no damping"),
                   lab::snapshot(shown, simulation->positions()));
  return out;
}

void drop(const Settings& s, Findings& findings) {
  const Course none = dropped(s, {}, findings), dry = dropped(s, 0, findings), linear = dropped(s, 1, findings);
  const double end = s.number("fall"), late = 0.9 * end;
  const double most = lab::Worst::of(dry.kinetic);
  findings.at_most("dropped, p = 0: kinetic energy in the last tenth / largest", 1e-6,
                   dry.mean_kinetic(late, end) / most, "completely at rest");
  findings.at_least("dropped: elastic energy at the end, p = 0 over p = 1", 1.1,
                    dry.elastic.back() / linear.elastic.back(), "at rest in a deformed state");
  // Revised once: at first the kinetic energies of the last tenth were compared, where both may be round-off.
  findings.at_least("dropped: time until the kinetic energy stays below 1e-4 of its largest, p = 1 over p = 0", 1,
                    linear.settled(1e-4) / dry.settled(1e-4), "decays gradually");
  findings.report("dropped, p = 0: step [ms]", dry.ms, "Table 2: 491 ms for 40 ms of 2435 vertices");
  Plot plot = lab::semilogy("Fig. 11, dropped", "time [s]", "kinetic energy [J]");
  add(plot, "no damping", none), add(plot, "p = 0", dry), add(plot, "p = 1", linear);
  findings.plot(std::move(plot));
}

// ---- shaken

// A trunk, a head and two ears.
const std::vector<Ball> rabbit = {{{0, 0.2, 0}, 0.2},       {{0, 0.45, 0}, 0.14},     {{0, 0.62, 0.07}, 0.05},
                                  {{0, 0.72, 0.09}, 0.045}, {{0, 0.62, -0.07}, 0.05}, {{0, 0.72, -0.09}, 0.045}};
constexpr double shaking = 0.75;  // [s]

Course shaken(const Settings& s, double viscosity, double power, Findings* shown) {
  Model model = lab::solid(metaballs({.balls = rabbit, .blend = 0.03, .spacing = s.number("spacing")}), 1000,
                           "corotated", {{"young", s.number("stiff")}, {"poisson", 0.4}});
  const Model rest = model;
  std::vector<int> bottom;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (model.rest[3 * v + 1] < 0.1) bottom.push_back(v);
  MotionStep shake;
  shake.direction = {1, 0, 0};
  shake.amount.constant = 0, shake.amount.amplitude = s.number("amplitude"), shake.amount.frequency = 4,
  shake.amount.stop = shaking;
  lab::pin(model, bottom, Motion({shake}));
  if (viscosity > 0)
    lab::add_damping(model, 0, "strain_rate",
                     {{"shear", viscosity}, {"bulk", viscosity}, {"power", power}, {"power_scale", 1e3}});
  const auto simulation = lab::make_simulation(std::move(model), 0.01, "quasi_newton",
                                               {{"iterations", 100}, {"gradient_tolerance", 1e-4}}, "tr_bdf2");
  const Course out = follow(*simulation, s.number("swing"));
  if (shown != nullptr)
    shown->picture(
        fmt::format("Fig. 11, shaken: {}", viscosity > 0 ? fmt::format("p = {:g}", power) : "no damping"),
        lab::snapshot(rest, simulation->positions()));
  return out;
}

void shake(const Settings& s, Findings& findings) {
  const double viscosity = s.number("shear");
  const Course none = shaken(s, 0, 1, &findings), quadratic = shaken(s, viscosity, 2, &findings);
  double heavy = viscosity;
  Course linear = shaken(s, heavy, 1, nullptr);
  while (linear.most_elastic() > quadratic.most_elastic() && heavy < 1e3 * viscosity)
    heavy *= 1.25, linear = shaken(s, heavy, 1, nullptr);
  const double end = s.number("swing");
  findings.at_most("shaken, p = 2: largest elastic energy over that without damping", 0.5,
                   quadratic.most_elastic() / none.most_elastic(), "no excessive shearing and stretching");
  findings.at_most("shaken, p = 1 with larger viscosity: largest elastic energy over that of p = 2", 1,
                   linear.most_elastic() / quadratic.most_elastic(), fmt::format("{:g} Pa s", heavy));
  // Revised once: 3 was asked of a p = 1 up to twice as viscous as it has to be. The paper has no number, only that
  // p = 1 damps more.
  findings.at_least("shaken: kinetic energy long after, p = 2 over that p = 1", 1,
                    quadratic.mean_kinetic(end - 0.5, end) / linear.mean_kinetic(end - 0.5, end),
                    "small oscillations persist");
  findings.report("shaken, p = 2: step [ms]", quadratic.ms, "Table 2: 1727 ms for 40 ms of 2435 vertices");
  Plot plot = lab::semilogy("Fig. 11, shaken", "time [s]", "kinetic energy [J]");
  add(plot, "no damping", none), add(plot, "p = 2", quadratic), add(plot, "p = 1, as little stretched", linear);
  findings.plot(std::move(plot));
}

void run(const Settings& s, Findings& findings) {
  drop(s, findings), shake(s, findings);
  findings.differs_because(
      "bodies are ours and smaller: a ball for the bunny that is dropped, a trunk with two ears for the one that "
      "is shaken; the paper prints neither stiffness nor viscosity nor motion. The ball steps by backward Euler, "
      "since TR-BDF2 bounces. Of Table 2 only the times of these two are here, on another machine and mesh.");
}

}  // namespace

ExperimentPlugin experiment_brown2018_figure11() {
  return {.title = "Power-law damping of bodies that are dropped and shaken",
          .source = "brown2018",
          .shows = "Fig. 11, Table 2",
          .doc = "A soft ball that falls with p = 0 and 1, a rabbit that is shaken with p = 2 and 1.",
          .params = {number("soft", "Pa", 4e4, positive(), "Young's modulus of the ball"),
                     number("viscosity", "Pa s", 1000, positive(), "viscosity of the ball"),
                     number("power_scale", "W/m^3", 3e4, positive(), "A of the ball's power law"),
                     number("step", "s", 0.02, positive(), "time step of the ball"),
                     integer("iterations", 100, between(1, 10000), "iterations of ADMM, per step of the ball"),
                     number("fall", "s", 1.2, positive(), "time that the ball is watched"),
                     number("stiff", "Pa", 2e5, positive(), "Young's modulus of the rabbit"),
                     number("shear", "Pa s", 100, positive(), "viscosity of the rabbit with p = 2"),
                     number("amplitude", "m", 0.15, positive(), "amplitude of the shaking, 4 Hz for 0.75 s"),
                     number("swing", "s", 2.5, between(1.5, 100), "time that the rabbit is watched"),
                     number("spacing", "m", 0.09, between(0.03, 0.12), "lattice of both")},
          .quick = Quick{.set = {{"fall", 0.9}, {"swing", 1.5}, {"spacing", 0.12}}, .slow = true},
          .run = run};
}

}  // namespace resilin
