// E44: bounces. With backward Euler a body that falls on the ground loses nearly all of its speed; TR-BDF2 lets it
// bounce. An obstacle with "restitution" gives any body the share e of its normal speed back.
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Drop {
  bool ball = false;
  double young = 1e7, step = 1.0 / 120, restitution = -1;  // negative: none
  std::string integrator = "backward_euler";
};

struct Fall {
  double bounce = 0;  // speed after the bounce over that before it
  double height = 0;  // sqrt of the height of the bounce over that of the fall
  std::vector<double> time, path;
};

// Heights of the middle of mass above where it is when it touches.
Fall fall(const Settings& s, const Drop& o) {
  const double height = s.number("height"), size = 0.1;
  TetMesh mesh = o.ball ? sphere({.radius = size / 2, .spacing = size / 6, .center = {0, 0, 0}})
                        : box({.size = {size, size, size}, .cells = {3, 3, 3}});
  const double low = bounds(mesh.vertices).lower[1];
  translate(mesh, {0, height - low, 0});
  Builder builder;
  builder.add(
      Solid{.mesh = mesh, .material = {"corotated", {{"young", o.young}, {"poisson", 0.3}}}, .density = 1000});
  Values plane;
  if (o.restitution >= 0) plane.emplace_back("restitution", o.restitution);
  builder.obstacle({"plane", plane});
  const auto simulation = builder.simulation({.step = o.step, .integrator = o.integrator});
  Fall out;
  double top = 0;
  bool bounced = false;
  const auto mean = [&](const std::vector<double>& of) { return lab::mass_mean(simulation->model(), of)[1]; };
  while (simulation->state().time < 2.5 * std::sqrt(2 * height / 9.81)) {
    lab::advance(*simulation);
    const double y = mean(simulation->positions()) + low;
    bounced = bounced || mean(simulation->velocities()) > 0;
    if (bounced) top = std::max(top, y);
    out.time.push_back(simulation->state().time), out.path.push_back(y);
  }
  // With backward Euler v^2/(2 g) is v h/2 less than the height of a fall, and more than that of a rise.
  const double late = o.integrator == "backward_euler" ? 9.81 * o.step / 2 : 0;
  const double down = std::sqrt(late * late + 2 * 9.81 * height) - late;
  out.bounce = top > 0 ? (std::sqrt(late * late + 2 * 9.81 * top) + late) / down : 0;
  out.height = std::sqrt(top / height);
  return out;
}

void run(const Settings& s, Findings& findings) {
  lab::Share euler, given;
  lab::Worst worst;
  Plot plot = lab::linear("A cube falls", "time [s]", "height [m]");
  lab::begin_table(findings, "Bounces", "body | h [s] | Young [Pa] | e asked for | e by speeds | e by heights");
  for (const bool ball : {false, true})
    for (const double h : s.numbers("steps"))
      for (const double young : s.numbers("young")) {
        Drop drop{.ball = ball, .young = young, .step = h};
        const auto row = [&](const std::string& asked, const Fall& one) {
          findings.table_row(lab::cells("{} | {:.3g} | {:.2g} | {} | {:.3f} | {:.3f}", ball ? "ball" : "cube", h,
                                        young, asked, one.bounce, one.height));
        };
        const Fall plain = fall(s, drop);
        euler.see(plain.bounce <= 0.05);
        row("none, backward Euler", plain);
        for (const double e : s.numbers("restitution")) {
          drop.restitution = e;
          Fall bounced = fall(s, drop);
          given.see(std::abs(bounced.bounce - e) <= 0.05);
          worst.see(std::abs(bounced.bounce - e));
          row(fmt::format("{:g}", e), bounced);
          if (plot.series.size() < s.numbers("restitution").size())
            plot.series.push_back({fmt::format("e = {:g}", e), std::move(bounced.time), std::move(bounced.path)});
        }
        drop.restitution = -1, drop.integrator = "tr_bdf2";
        row("none, TR-BDF2", fall(s, drop));
      }
  given.judge("e within 0.05 of what is asked for", 1, findings,
              fmt::format("at most {:.3f} off", static_cast<double>(worst)));
  euler.report("backward Euler by itself: e <= 0.05", findings);
  findings.plot(plot);
  findings.differs_because(
      "Speeds are compared, found from heights: with backward Euler a body that leaves with v rises by v h/2 less "
      "than v^2/(2 g).");
}

}  // namespace

ExperimentPlugin experiment_E44() {
  return {.title = "Bounces",
          .source = "oracle",
          .doc = "How high a body bounces that falls on the ground: by the integrator alone, and with restitution.",
          .params = {number("height", "m", 0.5, positive(), "of the fall"),
                     numbers("restitution", "", {0, 0.3, 0.6, 0.9}, between(0, 1), "coefficients asked for"),
                     numbers("steps", "s", {1.0 / 60, 1.0 / 120}, positive(), "time steps"),
                     numbers("young", "Pa", {1e6, 1e7}, positive(), "Young's moduli")},
          .quick =
              Quick{.set = lab::given(R"({"steps": [0.008333333333333333], "young": [1e7], "restitution": [0.6]})"),
                    .slow = true},
          .run = run};
}

}  // namespace resilin
