// The patch test of membranes: an irregular patch whose boundary follows a linear displacement has that gradient
// and one stress in all triangles, for every material. The inner vertices begin elsewhere, off the plane too.
#include "lab/statics.h"
#include "lab/toolkit.h"
#include "potentials/evaluate.h"
#include "potentials/material.h"

namespace resilin {
namespace {

struct Patch {
  TriangleMesh mesh;
  std::vector<int> boundary;
};

// Inner vertices are moved within the plane by up to `distortion` cells.
Patch make_patch(int cells, double distortion) {
  Patch out{grid_sheet({{1, 1}, {cells, cells}}), {}};
  for (const auto& [name, vertices] : out.mesh.vertex_groups)
    out.boundary.insert(out.boundary.end(), vertices.begin(), vertices.end());
  std::sort(out.boundary.begin(), out.boundary.end());
  out.boundary.erase(std::unique(out.boundary.begin(), out.boundary.end()), out.boundary.end());
  lab::Random random(5);
  for (int v = 0; v < out.mesh.vertex_count(); ++v)
    for (int k = 0; k < 2; ++k) {
      const double shift = distortion / cells * random.uniform(-1, 1);
      if (!std::binary_search(out.boundary.begin(), out.boundary.end(), v)) out.mesh.vertices[3 * v + k] += shift;
    }
  return out;
}

struct Errors {
  lab::Worst gradient, stress;  // |F - wanted|; |P - that of the first triangle| over its size
  double residual = 0;
};

Errors measure(const Patch& patch, const std::string& material, const std::array<double, 9>& f) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const int body =
      builder.add(Shell{.mesh = patch.mesh, .skin = {.thickness = 0.01, .material = material, .bending = "none"}});
  builder.pin({.body = body, .vertices = patch.boundary});
  lab::Statics statics(builder.model(), 1);  // one thread: sweeps below write to the same numbers
  std::vector<double> y = lab::affine(patch.mesh.vertices, f.data());
  lab::Random random(8);
  for (int v = 0; v < patch.mesh.vertex_count(); ++v)
    for (int k = 0; k < 3; ++k) {
      const double shift = 0.01 * random.uniform(-1, 1);
      if (!std::binary_search(patch.boundary.begin(), patch.boundary.end(), v)) y[3 * v + k] += shift;
    }
  Errors out;
  out.residual = statics.equilibrium(std::vector<double>(y.size(), 0.0), y).residual;
  std::vector<double> first;
  double size = 0;
  DynamicSystem& system = statics.system();
  system.problem().sweep(y.data(), nullptr, [&](int, int, SweepBlock& sweep) {
    Block& block = sweep.block;
    evaluate(system.elements().kernels(0), block, 1);
    for (int i = 0; i < block.packs * 8; ++i) {
      if (!(sweep.measure[i] > 0)) continue;  // padding
      const auto at = [&](const double* from, int c) { return from[(i / 8 * 6 + c) * 8 + i % 8]; };
      if (first.empty())
        for (int c = 0; c < 6; ++c) first.push_back(at(block.dpsi_z, c)), size = std::max(size, std::abs(first[c]));
      for (int c = 0; c < 6; ++c) {
        out.gradient.see(std::abs(at(block.z, c) - f[3 * (c % 3) + c / 3]));  // z = F^T
        out.stress.see(std::abs(at(block.dpsi_z, c) - first[c]) / size);
      }
    }
  });
  return out;
}

void run(const Settings& s, Findings& findings) {
  const Patch patch = make_patch(s.integer("cells"), s.number("distortion"));
  const double e = s.number("strain"), c = std::cos(0.7), n = std::sin(0.7);
  // Stretched by 1 + e and 1 + e/2 and sheared, then turned out of its plane.
  const std::array<double, 9> f = {1 + e, 0.3 * e, 0, 0, c * (1 + e / 2), -n, 0, n * (1 + e / 2), c};
  for (const auto& entry : registry<MaterialPlugin>()) {
    if (entry.plugin.make_membrane == nullptr) continue;
    const Errors errors = measure(patch, entry.name, f);
    findings.at_most(entry.name + ": residual of the equilibrium", 1e-6, errors.residual);
    findings.at_most(entry.name + ": largest error of F", 1e-9, errors.gradient);
    findings.at_most(entry.name + ": largest difference of stress", 1e-8, errors.stress);
  }
}

}  // namespace

ExperimentPlugin experiment_shells_patch() {
  return {.title = "The patch test of membranes",
          .source = "shells",
          .doc = "Deformation gradients and stresses of an irregular patch under a linear displacement.",
          .params = {integer("cells", 6, between(2, 100), "cells along each side"),
                     number("distortion", "", 0.25, between(0, 0.3), "of inner vertices, in cells"),
                     number("strain", "", 0.1, between(1e-3, 1), "of the patch along its first axis")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
