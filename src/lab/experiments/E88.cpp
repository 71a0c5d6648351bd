// E88: a nearly incompressible column, clamped at its foot, under a small pressure P on its top. Away from the foot
// the stress is uniaxial: the volume changes by -(P/3)/K, K = E/(3 (1 - 2 nu)). Linear tets lock: how much stiffer
// than P H/E the column is, is reported. Also nu -> 1/2; and dV/V = -p/K with the mean pressure p of all forces,
// reactions included, which no locking touches.
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Measured {
  double volume_change, mean_pressure, shortening, residual;
};

Measured press(const Settings& s, double nu, int across) {
  const double height = s.number("height"), pressure = s.number("pressure") * s.number("young");
  const Vec3 size = {1, height, 1};
  const TetMesh mesh =
      box({.size = size, .cells = lab::cubic_cells(size, across), .pattern = lab::box_pattern(s.text("pattern"))});
  Model model = lab::solid(mesh, 1000, s.text("material"), {{"young", s.number("young")}, {"poisson", nu}});
  lab::pin(model, mesh.vertex_groups.at("y_min"));
  lab::Statics statics(std::move(model));
  std::vector<double> load(mesh.vertices.size()), y = mesh.vertices;
  lab::add_traction(mesh, "y_max", {0, -pressure, 0}, load);
  Measured m{};
  m.residual = statics.equilibrium(load, y).residual;
  TetMesh deformed = mesh;
  deformed.vertices = y;
  m.volume_change = total_volume(deformed) / total_volume(mesh) - 1;
  const auto p = statics.mean_stress(y);
  m.mean_pressure = -(p[0] + p[4] + p[8]) / 3;
  const auto& top = mesh.vertex_groups.at("y_max");
  for (const int v : top)
    m.shortening += (mesh.vertices[3 * v + 1] - y[3 * v + 1]) / static_cast<double>(top.size()) / height;
  return m;
}

void run(const Settings& s, Findings& findings) {
  const double young = s.number("young"), pressure = s.number("pressure") * young;
  const double gap = 1 - 2 * s.number("poisson");
  for (const double part : {1.0, 0.1}) {  // of the distance to 1/2
    const double nu = (1 - gap * part) / 2, bulk = young / (3 * gap * part);
    const Measured m = press(s, nu, s.integer("cells"));
    const std::string what = fmt::format("nu = {:g}: ", nu);
    findings.at_most(what + "residual of the static solve", 1e-4, m.residual,
                     "rounding of stresses against a small load");
    findings.relative(what + "dV/V against -(P/3)/K", -pressure / 3 / bulk, m.volume_change, 0.20);
    findings.relative(what + "dV/V against the mean pressure of all forces over K", -m.mean_pressure / bulk,
                      m.volume_change, std::max(1e-3, 2 * s.number("pressure") / (gap * part)),
                      "small strain: quadratic terms of order (P/E)^2 against (P/E)(1 - 2 nu)");
    const Measured fine = press(s, nu, 2 * s.integer("cells"));
    findings.report(fmt::format("{}shortening / (P/E), cells across {}", what, s.integer("cells")),
                    m.shortening / (pressure / young), "1 without clamp and locking");
    findings.report(what + "shortening / (P/E), twice as many", fine.shortening / (pressure / young));
  }
}

}  // namespace

ExperimentPlugin experiment_E88() {
  return {.title = "Nearly incompressible block: volume change and locking",
          .source = "oracle",
          .doc = "Volume change of a clamped column under pressure against p/K, for nu towards 1/2.",
          .params = {number("poisson", "", 0.49, {0.3, 0.4995, false, false},
                            "Poisson ratio; and one a tenth as far from 1/2"),
                     number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     number("pressure", "E", 1e-6, {1e-7, 1e-5, false, false},
                            "pressure on the top over Young's modulus"),
                     number("height", "m", 6, between(4, 10), "height of the column, 1 m across"),
                     integer("cells", 3, between(1, 8), "cells across; locking is also shown for twice as many"),
                     choice("pattern", {"bcc", "five", "six"}, "how a cell is cut into tets"),
                     text("material", "neo_hookean", "a material with Young's modulus")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
