// Coulomb's cone |f_t| <= mu f_n at every contact of every stage: on obstacles and between bodies, that stick,
// slide and collide, with all integrators that friction takes. The normal force is lagged: with it the cone holds;
// with that of the stage's end it is exceeded where the force falls, by how much is reported.
#include "lab/contact_scenes.h"
#include "lab/toolkit.h"
#include "setup/cone.h"

namespace resilin {
namespace {

Solid block(double height) {
  return {.mesh = box({.size = {0.1, 0.05, 0.1}, .cells = {4, 2, 4}, .center = {0, 0.025 + height, 0}}),
          .material = {"corotated", {{"young", 1e6}, {"poisson", 0.3}}}};
}

// A block on a plane whose gravity is inclined by atan(ratio mu), at a height and a speed along the plane.
Builder block_on_plane(double mu, double ratio, double height, double speed) {
  Builder builder;
  const double angle = std::atan(ratio * mu);
  const int body = builder.add(block(height));
  builder.gravity({9.81 * std::sin(angle), -9.81 * std::cos(angle), 0});
  builder.launch(body, {speed, 0, 0});
  builder.obstacle({"plane", {{"friction", mu}}});
  return builder;
}

// A soft ball falls beside the top of a sphere: it slides and rolls off.
Builder ball_on_sphere(double mu) {
  Builder builder;
  builder.add(Solid{.mesh = sphere({.radius = 0.1, .spacing = 0.05, .center = {0.03, 0.41, 0}}),
                    .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.4}}}});
  builder.obstacle({"sphere", {{"radius", 0.3}, {"friction", mu}}});
  return builder;
}

// The ground is a belt.
Builder block_on_belt(double mu) {
  Builder builder;
  builder.add(block(0));
  MotionStep along{MotionStep::Kind::translate, {1, 0, 0}, {0, 0, 0}, {}};
  along.amount.keyframes = {{0, 0}, {1000, 1000}};
  builder.obstacle({"plane", {{"friction", mu}}}, Motion({along}));
  return builder;
}

// Of two boxes on the ground the upper one is pushed with a speed.
Builder two_boxes(double mu, double speed) {
  Builder builder = lab::box_stack(2, 3, 1e6, 0.007, mu);
  builder.launch(1, {speed, 0, 0});
  builder.contact({.friction = mu});
  return builder;
}

// Balls meet off centre, spinning.
Builder oblique_balls(double mu) {
  Builder builder;
  builder.gravity({0, 0, 0});
  for (const double side : {-1.0, 1.0}) {
    const int body =
        builder.add(Solid{.mesh = sphere({.radius = 0.1, .spacing = 0.05, .center = {0.12 * side, 0.03 * side, 0}}),
                          .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
    builder.launch(body, {-2 * side, 0, 0});
  }
  builder.contact({.friction = mu});
  return builder;
}

struct Case {
  const char* name;
  bool bodies;  // between bodies, else on an obstacle
  std::function<Builder(double)> make;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"block sticks on a slope", false, [](double mu) { return block_on_plane(mu, 0.9, 0, 0); }},
      {"block slides on a slope", false, [](double mu) { return block_on_plane(mu, 1.5, 0, 0); }},
      {"block is thrown on a plane", false, [](double mu) { return block_on_plane(mu, 0, 0.1, 2); }},
      {"ball falls beside the top of a sphere", false, ball_on_sphere},
      {"block on a belt", false, block_on_belt},
      {"box rests on a box", true, [](double mu) { return two_boxes(mu, 0); }},
      {"box slides on a box", true, [](double mu) { return two_boxes(mu, 1); }},
      {"balls meet off centre", true, oblique_balls}};
  return all;
}

lab::ConeExcess follow(const Case& c, double mu, const std::string& integrator, const std::string& solver,
                       double step, double seconds) {
  const auto simulation = c.make(mu).simulation({.step = step, .solver = solver, .integrator = integrator});
  lab::ConeWatch watch(*simulation, mu);
  while (simulation->state().time < seconds - step / 2) lab::advance(*simulation), watch.observe();
  return watch.excess();
}

void run(const Settings& s, Findings& findings) {
  lab::Share holds[2], touches, lags;
  lab::Worst excess[2], last[2], limit;
  double sum[2] = {}, stages[2] = {};
  const double step = s.number("step"), seconds = s.number("seconds");
  lab::begin_table(findings, "Coulomb's cone",
                   "case | mu | integrator | solver | contacts | at the limit | excess, lagged | excess, final");
  std::vector<std::array<const char*, 2>> methods = {{"backward_euler", "quasi_newton"},
                                                     {"tr_bdf2", "quasi_newton"}};
  if (s.boolean("others")) methods.insert(methods.end(), {{"bdf2", "quasi_newton"}, {"backward_euler", "newton"}});
  int done = 0;
  for (const Case& c : cases()) {
    for (const double mu : s.numbers("friction"))
      for (const auto& [integrator, solver] : methods) {
        const lab::ConeExcess found = follow(c, mu, integrator, solver, step, seconds);
        touches.see(found.contacts > 0);
        holds[c.bodies].see(found.lagged <= 1e-6);
        excess[c.bodies].see(found.lagged), last[c.bodies].see(found.last);
        sum[c.bodies] += found.last_sum, stages[c.bodies] += static_cast<double>(found.stages);
        if (!c.bodies) lags.see(found.limit <= 1e-9), limit.see(found.limit);
        findings.table_row(lab::cells("{} | {:g} | {} | {} | {} | {} | {:.1e} | {:.1e}", c.name, mu, integrator,
                                      solver, found.contacts, found.slid, found.lagged, found.last));
      }
    findings.progress(++done, static_cast<int>(cases().size()), c.name);
  }
  const char* where[2] = {"obstacles", "bodies"};
  for (int i = 0; i < 2; ++i) {
    holds[i].judge(
        fmt::format("{}: the cone at every contact of every stage to 1e-6, with the lagged normal force", where[i]),
        1, findings, fmt::format("excess at most {:.1e}", static_cast<double>(excess[i])));
    findings.report(fmt::format("{}: excess with the final normal forces, of all, worst stage", where[i]), last[i]);
    findings.report(fmt::format("{}: the same, mean of all stages", where[i]), sum[i] / stages[i]);
  }
  lags.judge("obstacles: limits are mu times the normal force where the stage began, to 1e-9", 1, findings,
             fmt::format("off by at most {:.1e}", static_cast<double>(limit)));
  touches.judge("something touches", 1, findings);
  findings.differs_because(
      "A stage in which bodies part has contacts without a final normal force: all of the lagged friction is "
      "excess.");
}

}  // namespace

ExperimentPlugin experiment_contact_cone() {
  return {
      .title = "Coulomb's cone at every contact",
      .source = "contact",
      .doc = "Bodies that stick, slide and collide, on obstacles and on each other: tangential over normal forces.",
      .params = {numbers("friction", "", {0.2, 0.6}, positive(), "coefficients"),
                 number("seconds", "s", 1.5, positive(), "duration of a run"),
                 number("step", "s", 1.0 / 60, positive(), "time step"),
                 boolean("others", true, "also bdf2, and Newton's method")},
      .quick = Quick{.set = {{"friction", Value::List{0.4}}, {"seconds", 0.2}, {"others", false}}},
      .run = run};
}

}  // namespace resilin
