// E39 (Brown et al. 2018, Fig. 5): a ball that spins is set down. Friction turns spin into motion until it rolls:
// then v = 2/7 w0 r (a solid sphere), after a slip of 2 w0 r/(7 mu g). It goes where the spin sends it, and without
// friction nowhere.
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Ball {
  std::vector<double> time, speed;
  double along = 0, across = 0;    // velocities at the end [m/s]
  double radius = 0, inertia = 0;  // of the mesh: I/(m r^2), 2/5 of a sphere
  double slip = 0;                 // first time at 97 % of the last speed
  double first_spin = 0;
  std::string picture;
};

Vec3 mean(const Simulation& simulation, const std::vector<double>& x) {
  const auto& mass = simulation.model().mass;
  Vec3 out{};
  for (std::size_t v = 0; v < mass.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) out[k] += mass[v] * x[3 * v + k] / simulation.model().total_mass();
  return out;
}

// Spinning about z: it is sent along -x for w0 > 0.
std::unique_ptr<Simulation> spinning(const Settings& s, double young, double mu, Ball& out) {
  const double radius = s.number("radius"), w0 = s.number("spin");
  TetMesh mesh = sphere({.radius = radius, .spacing = s.number("spacing"), .center = {0, 0, 0}});
  Builder builder;
  const int body = builder.add(
      Solid{.mesh = mesh, .material = {"corotated", {{"young", young}, {"poisson", 0.3}}}, .density = 1000});
  std::vector<double> velocity(mesh.vertices.size());
  double low = 0, moment = 0, total = 0;
  for (std::size_t i = 0; i < velocity.size(); i += 3) {
    const double x = mesh.vertices[i], y = mesh.vertices[i + 1], m = builder.masses(body)[i / 3];
    velocity[i] = -w0 * y, velocity[i + 1] = w0 * x;
    low = std::min(low, y), moment += m * (x * x + y * y), total += m;
  }
  out.radius = -low, out.inertia = moment / (total * low * low), out.first_spin = w0;
  builder.launch(body, velocity);
  Values plane{{"height", low}};
  if (mu > 0) plane.emplace_back("friction", mu);
  builder.obstacle({"plane", plane});
  return builder.simulation({.step = s.number("step"),
                             .solver = {"quasi_newton", {{"tolerance", s.number("tolerance")}}},
                             .integrator = s.text("integrator")});
}

Ball roll(const Settings& s, double young, double mu) {
  Ball out;
  const auto simulation = spinning(s, young, mu, out);
  while (simulation->state().time < s.number("seconds")) {
    lab::advance(*simulation);
    out.time.push_back(simulation->state().time);
    out.speed.push_back(-mean(*simulation, simulation->velocities())[0]);
  }
  const Vec3 v = mean(*simulation, simulation->velocities());
  out.along = -v[0], out.across = v[2];
  for (std::size_t i = 0; i < out.time.size() && out.slip == 0; ++i)
    if (out.speed[i] >= 0.97 * out.along) out.slip = out.time[i];
  out.picture = lab::snapshot(simulation->model(), simulation->positions(), {0, 0, 1});
  return out;
}

void run(const Settings& s, Findings& findings) {
  lab::Share speed, direction, still;
  Plot plot = lab::linear("Fig. 5: a spinning ball begins to roll", "time [s]", "speed [m/s]");
  for (const double young : s.numbers("young"))
    for (const double mu : s.numbers("friction")) {
      Ball ball = roll(s, young, mu);
      // w0 I = w I + m v r with v = w r.
      const double wanted = ball.first_spin * ball.radius * ball.inertia / (1 + ball.inertia);
      const std::string at = fmt::format("{:.2g} Pa, mu = {:g}: ", young, mu);
      findings.report(at + "v / (w0 r)", ball.along / (ball.first_spin * ball.radius),
                      fmt::format("a sphere has 2/7 = {:.4f}, this mesh {:.4f}", 2.0 / 7,
                                  wanted / (ball.first_spin * ball.radius)));
      findings.report(at + "slip time [s]", ball.slip, fmt::format("rigid: {:.3f}", wanted / (mu * 9.81)));
      findings.report(at + "velocity across / along", ball.across / ball.along);
      speed.see(std::abs(ball.along / wanted - 1) <= 0.1);
      direction.see(ball.along > 0 && std::abs(ball.across) <= 0.02 * ball.along);
      findings.picture(at + "at the end", ball.picture);
      plot.series.push_back({at, std::move(ball.time), std::move(ball.speed)});
      findings.progress(1, 1, at + fmt::format("{:.3f} m/s, wanted {:.3f}", ball.along, wanted));
    }
  const Ball smooth = roll(s, s.numbers("young")[0], 0);
  still.see(std::abs(smooth.along) <= 1e-3 * smooth.first_spin * smooth.radius);
  speed.judge("rolls with 2/7 w0 r within 10 %", 1, findings);
  direction.judge("goes where the spin sends it", 1, findings);
  still.judge("without friction it stays where it is", 1, findings);
  findings.plot(plot);
}

}  // namespace

ExperimentPlugin experiment_E39() {
  return {
      .title = "A spinning ball begins to roll",
      .source = "brown2018",
      .shows = "Fig. 5",
      .doc = "Speed of a ball that was set down spinning, once it rolls, against 2/7 of its first surface speed.",
      .params = {number("spin", "rad/s", 20, positive(), "w0"), number("radius", "m", 0.5, positive(), "radius"),
                 number("spacing", "m", 0.1, positive(), "spacing of the ball's mesh"),
                 numbers("friction", "", {0.2, 0.4}, positive(), "coefficients"),
                 numbers("young", "Pa", {5e6, 2e7}, positive(), "Young's moduli"),
                 number("seconds", "s", 2, positive(), "how long it is watched"),
                 number("step", "s", 1.0 / 240, positive(), "time step"),
                 number("tolerance", "", 0.1, positive(), "at which a stage ends"),
                 text("integrator", "tr_bdf2", "integrator: backward Euler loses the spin by itself")},
      .quick = Quick{.set = lab::given(R"({"spacing": 0.15, "friction": [0.4], "young": [5e6], "seconds": 1.2})"),
                     .slow = true},
      .run = run};
}

}  // namespace resilin
