// E38 (Brown et al. 2018, Fig. 9): a stiff block leans against a wall, with friction at the floor and at the wall.
// Statics (X26): it stays if
//   tan theta >= (1 - mu^2)/(2 mu + (1 + mu^2) t/L),   theta from the horizontal, t/L its thickness over its
//   length.
// The paper's sentence has the relation the other way round; its figure does not.
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr double length = 1, thickness = 0.1, density = 1000;

double critical(double mu) {
  return std::atan((1 - mu * mu) / (2 * mu + (1 + mu * mu) * thickness / length)) * 180 / std::numbers::pi;
}

// The wall is x = 0 and the floor y = 0; the block's foot is on the right.
std::unique_ptr<Simulation> leaning(const Settings& s, double degrees, double mu) {
  const int cells = s.integer("cells");
  TetMesh mesh = box({.size = {length, thickness, thickness}, .cells = {cells, 1, 1}});
  const double theta = degrees * std::numbers::pi / 180, c = std::cos(theta), sine = std::sin(theta),
               stiffness = s.number("young") * length / cells,
               weight = density * length * thickness * thickness * 9.81;
  // Two vertices stand on the floor. They rest about so deep, and those at the wall by mu of it.
  const double depth = weight / (1 + mu * mu) / (2 * stiffness);
  double left = 1e9, low = 1e9;
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    const double x = mesh.vertices[i], y = mesh.vertices[i + 1];
    mesh.vertices[i] = -c * x + sine * y, mesh.vertices[i + 1] = sine * x + c * y;
    mesh.vertices[i + 2] = -mesh.vertices[i + 2];  // a reflection and another one: a turn
    left = std::min(left, mesh.vertices[i]), low = std::min(low, mesh.vertices[i + 1]);
  }
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
    mesh.vertices[i] -= left + mu * depth, mesh.vertices[i + 1] -= low + depth;
  Builder builder;
  builder.add(Solid{.mesh = mesh,
                    .material = {"corotated", {{"young", s.number("young")}, {"poisson", 0.3}}},
                    .density = density});
  for (const Value::List& normal : {Value::List{0, 1, 0}, Value::List{1, 0, 0}})
    builder.obstacle({"plane", {{"normal", normal}, {"stiffness", stiffness}, {"friction", mu}}});
  return builder.simulation({.step = s.number("step"),
                             .solver = {s.text("solver"), {{"tolerance", s.number("tolerance")}}},
                             .integrator = s.text("integrator")});
}

struct Leaning {
  double drop = 0;  // of its top / length
  std::string picture;
};

// Until it has fallen, for 5 s at most.
Leaning lean(const Settings& s, double degrees, double mu, double enough) {
  const auto simulation = leaning(s, degrees, mu);
  const auto top = [&] { return bounds(simulation->positions()).upper[1]; };
  const double from = top();
  Leaning out;
  while (simulation->state().time < s.number("seconds") && out.drop < enough)
    lab::advance(*simulation), out.drop = (from - top()) / length;
  out.picture = lab::snapshot(simulation->model(), simulation->positions(), {0, 0, 1});
  return out;
}

void run(const Settings& s, Findings& findings) {
  lab::Share table;
  std::vector<std::vector<std::string>> rows;
  for (const double degrees : s.numbers("degrees")) {
    rows.push_back({fmt::format("{:g} degrees", degrees)});
    for (const double mu : s.numbers("friction")) {
      const bool stays = degrees >= critical(mu);
      const Leaning one = lean(s, degrees, mu, 0.2);
      table.see(stays ? one.drop <= 0.01 : one.drop >= 0.2);
      rows.back().push_back(fmt::format("{}, {:.1e}", stays ? "stays" : "falls", one.drop));
      findings.picture(fmt::format("Fig. 9: {:g} degrees, mu = {:g}", degrees, mu), one.picture);
      findings.progress(1, 1, fmt::format("{:g} degrees, mu = {:g}: drop {:.2g}", degrees, mu, one.drop));
    }
  }
  std::vector<std::string> columns = {"drop / length"};
  for (const double mu : s.numbers("friction")) columns.push_back(fmt::format("mu = {:g}", mu));
  findings.table("Fig. 9", columns, rows);
  table.judge("stays (top drops by at most 1 %) or falls (20 %) as statics say", 1, findings);
  for (const double mu : s.numbers("friction")) {
    double falls = critical(mu) - 6, stays = critical(mu) + 6;
    if (!(lean(s, falls, mu, 0.01).drop > 0.01) || !(lean(s, stays, mu, 0.01).drop <= 0.01))
      falls = stays = std::numeric_limits<double>::quiet_NaN();
    while (stays - falls > s.number("resolution")) {
      const double middle = (falls + stays) / 2;
      (lean(s, middle, mu, 0.01).drop > 0.01 ? falls : stays) = middle;
    }
    findings.near(fmt::format("mu = {:g}: critical angle by bisection [degrees]", mu), critical(mu),
                  (falls + stays) / 2, 1.5);
    findings.progress(1, 1, fmt::format("mu = {:g}: critical angle {:.2f}", mu, (falls + stays) / 2));
  }
  findings.differs_because(
      "The paper gives its angles from the vertical and the relation the other way round, against its own figure "
      "(X26); here they are from the horizontal. It prints no size: a bar of one metre, a tenth of that thick.");
}

}  // namespace

ExperimentPlugin experiment_E38() {
  return {.title = "A block leans against a wall",
          .source = "brown2018",
          .shows = "Fig. 9",
          .doc = "Which of nine leaning blocks stay, and the critical angle, against statics.",
          .params = {numbers("degrees", "degrees", {70, 50, 30}, between(5, 85), "angles from the horizontal"),
                     numbers("friction", "", {0.2, 0.4, 0.6}, positive(), "coefficients"),
                     number("young", "Pa", 1e8, positive(),
                            "Young's modulus of the block, and stiffness of its contact"),
                     number("seconds", "s", 5, positive(), "how long it must stay"),
                     number("step", "s", 0.01, positive(), "time step"),
                     integer("cells", 10, between(1, 100), "cells along the block"),
                     number("resolution", "degrees", 0.5, positive(), "of the bisection"),
                     number("tolerance", "", 0.01, positive(), "at which a stage ends"),
                     text("solver", "quasi_newton", "solver"), text("integrator", "backward_euler", "integrator")},
          .quick = Quick{.set = {{"cells", 5}, {"seconds", 2}, {"friction", Value::List{0.4}}, {"resolution", 2}},
                         .slow = true},
          .run = run};
}

}  // namespace resilin
