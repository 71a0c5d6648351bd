// E75: the patch test. Affine boundary data on a distorted mesh reproduce the affine field inside; rigid motions
// cost nothing; a small dV/V is met by the pressure p = -K dV/V. For every material that is stiff at rest; K is
// that of Young's modulus and Poisson's ratio, or of the energy where it has no such parameters.
#include "lab/statics.h"
#include "lab/toolkit.h"
#include "potentials/material.h"
#include "setup/probe.h"

namespace resilin {
namespace {

std::vector<int> surface_vertices(const TetMesh& mesh) {
  std::vector<int> out = boundary_triangles(mesh);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// F = 1 + strain * random, the same for all materials.
void draw_gradient(double strain, lab::Random& random, double f[9]) {
  for (int i = 0; i < 9; ++i) f[i] = (i % 4 == 0 ? 1 : 0) + strain * random.uniform(-1, 1);
}

double patch_error(const Settings& s, const TetMesh& mesh, const std::string& material, const lab::Values& params,
                   double& force) {
  Model model = lab::solid(mesh, 1000, material, params);
  lab::pin(model, surface_vertices(mesh));
  lab::Statics statics(std::move(model));
  lab::Random random(s.integer("seed"));
  double f[9];
  draw_gradient(s.number("strain"), random, f);
  const auto exact = lab::affine(mesh.vertices, f);
  auto y = exact;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (statics.system().space().free_index()[i / 3] >= 0)
      y[i] += s.number("disturbance") / s.integer("cells") * random.uniform(-1, 1);
  force = statics.equilibrium(std::vector<double>(y.size(), 0.0), y).residual;
  return lab::largest_difference(y, exact);
}

void run(const Settings& s, Findings& findings) {
  const int cells = s.integer("cells");
  const TetMesh mesh =
      lab::distorted_box({.cells = {cells, cells, cells}, .pattern = lab::box_pattern(s.text("pattern"))},
                         s.number("distortion"), s.integer("seed"));
  const double young = s.number("young"), nu = s.number("poisson"), volume = total_volume(mesh);
  for (const auto& entry : registry<MaterialPlugin>()) {
    const lab::Values params = lab::as_stiff_as(entry.name, young, nu);
    const auto [mu, lambda] = lame_at_rest(entry.plugin, lab::material_settings(entry.name, params));
    if (!(mu > 0)) continue;
    const bool stated = entry.plugin.params.find("poisson") != nullptr;
    const double bulk = stated ? young / (3 * (1 - 2 * nu)) : lambda + 2.0 / 3 * mu;
    double force = 0;
    const double error = patch_error(s, mesh, entry.name, params, force);
    findings.at_most(entry.name + ": distance from the affine field / size", 1e-10, error);

    lab::Statics statics(lab::solid(mesh, 1000, entry.name, params));
    lab::Random random(s.integer("seed"));
    lab::Worst worst;
    double rotation[9];
    for (int n = 0; n < 20; ++n) {
      random.rotation(rotation);
      auto y = lab::affine(mesh.vertices, rotation);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.1 * static_cast<double>(i % 3 + 1);
      worst.see(std::abs(statics.energy(y)));
    }
    findings.at_most(entry.name + ": energy of rigid motions / (E volume)", 1e-12, worst / (young * volume));

    const double e = s.number("volume_change"), l = std::cbrt(1 + e);
    const double f[9] = {l, 0, 0, 0, l, 0, 0, 0, l};
    const auto p = statics.mean_stress(lab::affine(mesh.vertices, f));
    const double pressure = -(p[0] + p[4] + p[8]) / 3 / (l * l);  // Cauchy: P F^T / J
    findings.relative(entry.name + ": pressure of dV/V [Pa]", -bulk * e, pressure, std::max(10 * std::abs(e), 1e-6),
                      "small strain: relative error of the order of dV/V");
  }
}

}  // namespace

ExperimentPlugin experiment_E75() {
  return {
      .title = "Patch test, rigid motions, bulk modulus",
      .source = "oracle",
      .doc = "Affine boundary data on a distorted mesh give the affine field, for every stiff material.",
      .params = {number("young", "Pa", 1e6, positive(), "Young's modulus"),
                 number("poisson", "", 0.3, {-0.5, 0.495, false, false}, "Poisson ratio"),
                 number("strain", "", 0.1, between(0, 0.2), "size of the random entries of F - 1"),
                 number("disturbance", "cells", 0.05, between(0, 0.1),
                        "random shift of the inner vertices at the start of the solve"),
                 number("volume_change", "", 1e-4, {-1e-2, 1e-2, false, false}, "dV/V of the hydrostatic state"),
                 integer("cells", 4, between(2, 12), "cells along each side"),
                 choice("pattern", {"five", "six", "bcc"}, "how a cell is cut into tets"),
                 number("distortion", "cells", 0.2, between(0, 0.25), "random shift of the mesh's vertices"),
                 integer("seed", 2, at_least(0), "seed of mesh and F")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
