// Bending against the theory of thin plates, under refinement, small deflections. A strip six times as wide as
// long, clamped at one end: it bends into a cylinder, so its stiffness is D per width whatever Poisson's ratio, P
// L^3/(3 D) under a load P per width at its end and q L^4/(8 D) under its own weight. And a plate on simple
// supports under a uniform load, against Navier's series, where Poisson's ratio does not count either.
#include "lab/statics.h"
#include "lab/toolkit.h"
#include "potentials/bending/bending.h"
#include "potentials/evaluate.h"

namespace resilin {
namespace {

constexpr double young = 1e9, thickness = 1e-2, density = 1000;  // [Pa], [m], [kg/m^3]
constexpr double deflection = 1e-3;                              // of the size: far below the thickness

struct Pattern {
  const char* name;
  GridPattern pattern;
  double row;  // height of a row over the length of a cell
  // Hinges on it are a plate, docs/theory/shells.md: along kxx^2 + along kyy^2 + what makes 2 twist in Navier's
  // series. NaN: there is no such figure.
  double along, twist;
  double distortion;  // of inner vertices at random, in cells
};
const double none = std::nan("");
const Pattern patterns[] = {{"alternating", GridPattern::alternating, 1, 5.0 / 6, 11.0 / 6, 0},
                            {"parallel", GridPattern::parallel, 1, 1, none, 0},
                            {"regular", GridPattern::regular, std::sqrt(3.0) / 2, 1, 1, 0},
                            {"irregular", GridPattern::regular, std::sqrt(3.0) / 2, none, none, 0.2}};

// Only what is above the first `still` rows is distorted.
TriangleMesh grid(const Pattern& p, double cell, int columns, int rows, double still = 0) {
  const double height = rows * p.row * cell, width = columns * cell;
  TriangleMesh mesh = grid_sheet({{width, height}, {columns, rows}, p.pattern});
  lab::Random random(2);
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    const double x = mesh.vertices[i], y = mesh.vertices[i + 1];
    const double dx = random.uniform(-1, 1), dy = random.uniform(-1, 1);
    if (std::abs(x) > 0.4999 * width || std::abs(y) > 0.4999 * height) continue;
    if (y + height / 2 < (still + 0.5) * p.row * cell) continue;
    mesh.vertices[i] += p.distortion * cell * dx, mesh.vertices[i + 1] += p.distortion * cell * dy;
  }
  return mesh;
}

// Judged where theory has a figure.
void judge(Findings& findings, const std::string& row, double expected, double measured,
           const std::string& note = "") {
  if (std::isnan(expected)) findings.report(row, measured, "theory has no figure for this");
  else findings.relative(row, expected, measured, 0.05, note);
}

Model sheet(const TriangleMesh& mesh, const std::string& bending, double poisson, const std::vector<int>& pinned) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const int body = builder.add(Shell{.mesh = mesh,
                                     .skin = {.thickness = thickness,
                                              .material = {"corotated", {{"young", young}, {"poisson", poisson}}},
                                              .density = density,
                                              .bending = bending}});
  builder.pin({.body = body, .vertices = pinned});
  return builder.model();
}

// Without that of the membrane.
double bending_energy(lab::Statics& statics, const std::vector<double>& y) {
  double sum = 0;
  const auto& terms = statics.model().terms;
  statics.system().problem().sweep(y.data(), nullptr, [&](int t, int, SweepBlock& sweep) {
    if (terms[static_cast<std::size_t>(t)].elements.kind() == ElementKind::triangle) return;
    evaluate(statics.system().elements().kernels(t), sweep.block, 0);
    sum += block_energy(sweep);
  });
  return sum;
}

// Weight g on every vertex, or shares of `end` on the last row.
std::vector<double> weight(const Model& model, double g) {
  std::vector<double> load(model.rest.size(), 0.0);
  for (std::size_t v = 0; v < model.mass.size(); ++v) load[3 * v + 2] = model.mass[v] * g;
  return load;
}
std::vector<double> end_load(const Model& model, const TriangleMesh& mesh, double per_width) {
  std::vector<double> load(model.rest.size(), 0.0);
  const auto& row = mesh.vertex_groups.at("y_max");  // from left to right
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const double width = mesh.vertices[3 * row[i + 1]] - mesh.vertices[3 * row[i]];
    for (const int v : {row[i], row[i + 1]}) load[3 * v + 2] += per_width * width / 2;
  }
  return load;
}

struct Ends {
  double end_load, weight;  // deflection in the middle of the last row over that of theory
};

// The rows at the clamp are pinned, both of them: the strip begins in the middle between them, where its hinges
// begin to count.
Ends strip(int rows, const Pattern& p, const std::string& bending, double poisson) {
  const double length = 0.1, row = length / (rows - 0.5), cell = row / p.row;
  const int columns = 2 * static_cast<int>(std::lround(3 * length / cell));
  const TriangleMesh mesh = grid(p, cell, columns, rows, 1);
  std::vector<int> pinned;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.vertices[3 * v + 1] < mesh.vertices[1] + 1.5 * row) pinned.push_back(v);
  lab::Statics statics(sheet(mesh, bending, poisson, pinned));
  const auto& last = mesh.vertex_groups.at("y_max");
  const auto middle = static_cast<std::size_t>(last[last.size() / 2]);
  const double d = plate_stiffness(young, poisson, thickness), w = deflection * length;
  const auto measured = [&](const std::vector<double>& load) {
    std::vector<double> y = statics.model().rest;
    const bool solved = statics.equilibrium(load, y).residual < 1e-4;
    return solved ? y[3 * middle + 2] / w : std::nan("");
  };
  return {measured(end_load(statics.model(), mesh, w * 3 * d / std::pow(length, 3))),
          measured(weight(statics.model(), w * 8 * d / (density * thickness * std::pow(length, 4))))};
}

// Deflection in the middle of a plate a x b over q/D; `along` and `twist` are 1 for an isotropic one.
double navier(double a, double b, double along = 1, double twist = 1) {
  double sum = 0;
  for (int m = 1; m < 80; m += 2)
    for (int n = 1; n < 80; n += 2) {
      const double x = m * m / (a * a), y = n * n / (b * b);
      sum += ((m + n) / 2 % 2 == 1 ? 1 : -1) / (m * n * (along * (x * x + y * y) + 2 * twist * x * y));
    }
  return 16 / std::pow(std::numbers::pi, 6) * sum;
}

double plate(int cells, const Pattern& p, const std::string& bending) {
  const double a = 0.1, row = p.row * a / cells;
  const int rows = 2 * static_cast<int>(std::lround(a / row / 2));
  const TriangleMesh mesh = grid(p, a / cells, cells, rows);
  std::vector<int> pinned;
  for (const auto& [name, vertices] : mesh.vertex_groups)
    pinned.insert(pinned.end(), vertices.begin(), vertices.end());
  std::sort(pinned.begin(), pinned.end());
  pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
  lab::Statics statics(sheet(mesh, bending, 0.3, pinned));
  const double d = plate_stiffness(young, 0.3, thickness), w = deflection * a;
  std::vector<double> y = statics.model().rest;
  const auto result =
      statics.equilibrium(weight(statics.model(), w * d / (density * thickness * navier(a, rows * row))), y);
  return result.residual < 1e-4 ? bounds(y).upper[2] / w : std::nan("");
}

void strips(const Settings& s, Findings& findings) {
  Plot plot = lab::semilogx("Cantilever under an end load", "rows", "deflection / theory");
  for (const char* bending : {"quadratic", "dihedral"})
    for (const Pattern& p : patterns)
      for (const double poisson : s.numbers("poisson")) {
        Series series{fmt::format("{}, {}, nu = {:.2g}", bending, p.name, poisson), {}, {}};
        Ends finest{};
        for (const double rows : s.numbers("rows")) {
          finest = strip(static_cast<int>(rows), p, bending, poisson);
          series.x.push_back(rows), series.y.push_back(finest.end_load);
        }
        const std::string at = "strip, " + series.name + ": deflection / theory, ";
        const std::string note = p.along == 1 ? "" : "the plate that hinges on such a grid are";
        judge(findings, at + "end load", 1 / p.along, finest.end_load, note);
        judge(findings, at + "own weight", 1 / p.along, finest.weight, note);
        plot.series.push_back(series);
      }
  findings.plot(plot);
}

void plates(const Settings& s, Findings& findings) {
  Plot plot = lab::semilogx("Plate on simple supports", "cells", "deflection / theory");
  for (const char* bending : {"quadratic", "dihedral", "mean_curvature"})
    for (const Pattern& p : patterns) {
      Series series{fmt::format("{}, {}", bending, p.name), {}, {}};
      for (const double cells : s.numbers("cells"))
        series.x.push_back(cells), series.y.push_back(plate(static_cast<int>(cells), p, bending));
      const std::string row = "plate, " + series.name + ": deflection / theory";
      const bool hinges = std::string(bending) != "mean_curvature";
      const double expected = hinges ? navier(1, 1, p.along, p.twist) / navier(1, 1) : 1;
      judge(findings, row, expected, series.y.back(),
            expected == 1 ? "" : "the plate that hinges on such a grid are");
      plot.series.push_back(series);
    }
  findings.plot(plot);
}

// 2 E/(D area) of hinges whose vertices are on a surface of curvature k, which is xx, yy and xy.
double hinge_energy(const Pattern& p, const Vec3& k) {
  const double xx = k[0] * k[0], yy = k[1] * k[1], xy = k[2] * k[2], trace = k[0] + k[1];
  if (p.pattern == GridPattern::alternating) return xx + yy + 4 * xy;
  if (p.pattern == GridPattern::parallel) return xx + yy + 6 * xy + 2 * k[2] * trace;
  return trace * trace - 8.0 / 3 * (k[0] * k[1] - xy);
}

// Energies of cylinders, spheres and saddles, where vertices may not give way.
void energies(const Settings& s, Findings& findings) {
  const struct {
    const char* name;
    Vec3 k;
  } surfaces[] = {{"cylinder across its rows", {0, 1, 0}},
                  {"cylinder along the diagonal", {0.5, 0.5, 0.5}},
                  {"cylinder along the other diagonal", {0.5, 0.5, -0.5}},
                  {"sphere", {1, 1, 0}},
                  {"saddle", {1, -1, 0}}};
  const int cells = s.integer("surface_cells");
  for (const char* bending : {"quadratic", "dihedral", "mean_curvature"})
    for (const Pattern& p : patterns) {
      if (p.distortion > 0) continue;
      const TriangleMesh mesh = grid(p, 0.1 / cells, cells, cells);
      lab::Statics statics(sheet(mesh, bending, 0.3, {0}), 1);
      const double flat = 0.1 * 0.1 * p.row * plate_stiffness(young, 0.3, thickness) / 2;
      for (const auto& [name, k] : surfaces) {
        const double size = 1e-3;
        std::vector<double> y = mesh.vertices;
        for (std::size_t i = 0; i < y.size(); i += 3)
          y[i + 2] = size / 2 * (k[0] * y[i] * y[i] + k[1] * y[i + 1] * y[i + 1] + 2 * k[2] * y[i] * y[i + 1]);
        const double expected =
            std::string(bending) == "mean_curvature" ? (k[0] + k[1]) * (k[0] + k[1]) : hinge_energy(p, k);
        findings.near(fmt::format("{}, {}: energy of a {} / D area k^2/2", bending, p.name, name), expected,
                      bending_energy(statics, y) / (flat * size * size), 0.05 * std::max(expected, 1.0));
      }
    }
}

void run(const Settings& s, Findings& findings) {
  energies(s, findings), strips(s, findings), plates(s, findings);
  findings.differs_because(
      "Hinges make a plate of their own: its constants belong to the mesh, not to the material "
      "(docs/theory/shells.md). On alternating diagonals vertices give way by turns, and the strip is 6/5 as soft "
      "as in theory. A narrow strip, whose section may curve, would be off by the mesh's Poisson's ratio. Mean "
      "curvature has no strip: saddles cost it nothing, so free edges have no stiffness in the linear theory.");
}

}  // namespace

ExperimentPlugin experiment_shells_strip() {
  return {
      .title = "Bending against the theory of plates",
      .source = "shells",
      .doc = "Deflections of a clamped strip and of a plate on simple supports, on three patterns of triangles.",
      .params = {numbers("rows", "", {6, 12, 24}, at_least(2), "rows of triangles along the strip"),
                 numbers("cells", "", {8, 16, 32}, at_least(2), "cells along a side of the plate; even numbers"),
                 integer("surface_cells", 80, between(20, 1000), "cells along a side of sheets on given surfaces"),
                 numbers("poisson", "", {0, 0.3}, between(0, 0.49), "Poisson's ratios of the strip")},
      .quick = Quick{.set = lab::given(R"({"surface_cells": 60, "rows": [16], "cells": [16], "poisson": [0.3]})")},
      .run = run};
}

}  // namespace resilin
