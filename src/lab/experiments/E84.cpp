// E84: convergence of the mesh with itself. A neo-Hookean beam between two held ends, one of them turned (twist) or
// tilted (bend); three meshes, each twice as fine as the one before. With the quantity Q_i of mesh i, Richardson's
// slope is log2((Q_1 - Q_2)/(Q_2 - Q_3)); linear elements give 2 for energies and displacements of smooth fields.
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// The end at x = length turned by `angle` about x (twist) or about z (bend); in between a smooth guess.
std::vector<double> deformed(const std::vector<double>& rest, double length, double angle, bool bend) {
  std::vector<double> y = rest;
  for (std::size_t i = 0; i < rest.size(); i += 3) {
    const double part = rest[i] / length + 0.5, c = std::cos(angle * part), s = std::sin(angle * part);
    if (!bend) {
      y[i + 1] = c * rest[i + 1] - s * rest[i + 2];
      y[i + 2] = s * rest[i + 1] + c * rest[i + 2];
      continue;
    }
    // A circular arc of the beam's length.
    const double radius = angle == 0 ? 0 : length / angle;
    y[i] = -length / 2 + (angle == 0 ? length * part : radius * s) - s * rest[i + 1];
    y[i + 1] = (angle == 0 ? 0 : radius * (1 - c)) + c * rest[i + 1];
  }
  return y;
}

struct Level {
  double energy, residual;
};

Level solve(const Settings& s, int across, bool bend) {
  const double length = s.number("length");
  const Vec3 size = {length, 1, 1};
  const TetMesh mesh =
      box({.size = size, .cells = lab::cubic_cells(size, across), .pattern = lab::box_pattern(s.text("pattern"))});
  Model model =
      lab::solid(mesh, 1000, s.text("material"), {{"young", s.number("young")}, {"poisson", s.number("poisson")}});
  lab::pin(model, mesh.vertex_groups.at("x_min"));
  lab::pin(model, mesh.vertex_groups.at("x_max"));
  lab::Statics statics(std::move(model));
  auto y = deformed(mesh.vertices, length, s.number("angle") * std::numbers::pi / 180, bend);
  const double residual = statics.equilibrium(std::vector<double>(y.size(), 0.0), y).residual;
  return {statics.energy(y), residual};
}

void run(const Settings& s, Findings& findings) {
  const int cells = s.integer("cells");
  for (const bool bend : {false, true}) {
    const std::string what = bend ? "bend: " : "twist: ";
    lab::Worst residual;
    double q[3];
    for (int i = 0; i < 3; ++i) {
      const Level level = solve(s, cells << i, bend);
      q[i] = level.energy, residual.see(level.residual);
    }
    findings.at_most(what + "residual of the static solves", 1e-8, residual);
    const double first = q[0] - q[1], second = q[1] - q[2];
    findings.between(what + "Richardson slope of the strain energy", 1.5, 2.2, std::log2(first / second));
    if (s.text("pattern") == "six")
      findings.holds(what + "the energy falls with every refinement", first > 0 && second > 0,
                     "meshes are nested: each minimises over more");
    findings.report(what + "energy on the finest mesh / extrapolated", q[2] / (q[2] - second / 3));
  }
}

}  // namespace

ExperimentPlugin experiment_E84() {
  return {.title = "Self-convergence under mesh refinement",
          .source = "oracle",
          .doc = "Static twist and bend of a beam on three meshes; Richardson slope of the strain energy.",
          .params = {integer("cells", 2, between(1, 6),
                             "cells across the coarsest mesh; twice and four times as many in the others"),
                     number("length", "m", 2, between(2, 6), "length of the beam, 1 m across"),
                     number("angle", "degrees", 30, between(1, 60), "angle of twist and bend"),
                     number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     number("poisson", "", 0.3, {0, 0.4, false, false}, "Poisson ratio"),
                     choice("pattern", {"six", "five"}, "how a cell is cut into tets; only six is nested"),
                     text("material", "neo_hookean", "a material with Young's modulus")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
