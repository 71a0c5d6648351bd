// Cook's panel: a tapered panel, 48 wide, 44 high where it is clamped and 16 where it is sheared, in its plane.
// Deflections of the middle of the loaded edge under refinement, small strains, against the finest mesh and against
// the value of the literature, 23.96 with all constants 1 and nu = 1/3.
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr double total = 1e-4;  // the load: rotations are of this size

// Out of the plane the panel has no stiffness where it is clamped by a line: springs far below any other stiffness
// hold it there.
constexpr double hold = 1e-10;

TriangleMesh panel(int cells) {
  TriangleMesh mesh = grid_sheet({{1, 1}, {cells, cells}, GridPattern::alternating, {0.5, 0.5, 0}});
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    const double s = mesh.vertices[i], t = mesh.vertices[i + 1];
    mesh.vertices[i] = 48 * s, mesh.vertices[i + 1] = 44 * s + t * (44 - 28 * s);
  }
  return mesh;
}

double deflection(const std::string& material, int cells) {
  const TriangleMesh mesh = panel(cells);
  Builder builder;
  builder.gravity({0, 0, 0});
  const int body = builder.add(
      Shell{.mesh = mesh,
            .skin = {.thickness = 1,
                     .material = {material, {{"young", 1.0}, {"poisson", 1.0 / 3}}},
                     .density = 1,
                     .bending = "dihedral"}});  // quadratic bending resists in-plane gradients of strain
  builder.pin({.body = body, .vertices = mesh.vertex_groups.at("x_min")});
  std::vector<int> rest;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.vertices[3 * v] > 0) rest.push_back(v);
  builder.soft_pin({.body = body, .vertices = rest}, hold);
  lab::Statics statics(builder.model());
  std::vector<double> y = mesh.vertices, load(y.size(), 0.0);
  const auto& edge = mesh.vertex_groups.at("x_max");
  for (std::size_t i = 0; i + 1 < edge.size(); ++i)
    for (const int v : {edge[i], edge[i + 1]}) load[3 * v + 1] += total / (2.0 * (edge.size() - 1));
  if (!(statics.equilibrium(load, y).residual < 1e-4)) return std::nan("");
  const auto middle = 3 * static_cast<std::size_t>(edge[edge.size() / 2]) + 1;
  return (y[middle] - mesh.vertices[middle]) / total;
}

void run(const Settings& s, Findings& findings) {
  const std::vector<double> levels = s.numbers("cells");
  Plot plot = lab::semilogx("Cook's panel", "cells", "deflection");
  for (const char* material : {"corotated", "neo_hookean", "st_venant_kirchhoff"}) {
    const double fine = deflection(material, s.integer("finest"));
    Series series{material, {}, {}};
    for (const double cells : levels)
      series.x.push_back(cells), series.y.push_back(deflection(material, static_cast<int>(cells)));
    findings.relative(fmt::format("{}: finest mesh against the literature", material), 23.96, fine, 0.01);
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
      findings.at_most(fmt::format("{}: error of {} cells over that of {}", material, levels[i + 1], levels[i]),
                       0.6, std::abs(series.y[i + 1] - fine) / std::abs(series.y[i] - fine));
    findings.relative(fmt::format("{}: {} cells against the finest mesh", material, levels.back()), fine,
                      series.y.back(), 0.05);
    plot.series.push_back(series);
  }
  findings.plot(plot);
}

}  // namespace

ExperimentPlugin experiment_shells_cook() {
  return {
      .title = "Cook's panel",
      .source = "shells",
      .doc = "Deflection of a tapered panel that is sheared in its plane, under refinement.",
      .params = {numbers("cells", "", {4, 8, 16}, at_least(2), "cells along each side, ascending; even numbers"),
                 integer("finest", 64, between(4, 1000), "cells of the mesh that counts as exact")},
      .quick = Quick{.set = {{"finest", 48}}},
      .run = run};
}

}  // namespace resilin
