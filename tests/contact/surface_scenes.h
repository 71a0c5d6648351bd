// Models of bodies that are close to each other, for the tests of detection: boxes, sheets, a rope, particles;
// rough positions.
#pragma once
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "contact/broad_phase/contact_surface.h"
#include "resilin/shapes.h"

namespace resilin {

inline TriangleMesh grid_sheet(int nx, int ny, double spacing, Vec3 corner) {
  TriangleMesh mesh;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      mesh.vertices.insert(mesh.vertices.end(), {corner[0] + spacing * i, corner[1], corner[2] + spacing * j});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1;
      if ((i + j) % 2 == 0) mesh.triangles.insert(mesh.triangles.end(), {a, c, b, a, d, c});
      else mesh.triangles.insert(mesh.triangles.end(), {a, d, b, b, d, c});
    }
  return mesh;
}

/// A right one in the plane z = height.
inline TriangleMesh one_triangle(double height) {
  TriangleMesh mesh;
  mesh.vertices = {0, 0, height, 1, 0, height, 0, 1, height};
  mesh.triangles = {0, 1, 2};
  return mesh;
}

inline int add_sheet(Model& model, const TriangleMesh& mesh) {
  const double thickness[1] = {1e-3}, density[1] = {1000};
  return add_shell_body(model, "sheet" + std::to_string(model.bodies.size()), mesh, thickness, density);
}

inline int add_box(Model& model, const BoxOptions& options) {
  const double density[1] = {1000};
  return add_tet_body(model, "box" + std::to_string(model.bodies.size()), box(options), density);
}

/// Vertices of unit mass; edges from each to the next when `rope`.
inline int add_string(Model& model, const std::vector<double>& rest, bool rope) {
  Body body;
  body.name = rope ? "rope" : "particles";
  body.first_vertex = model.add_vertices(rest);
  body.vertex_count = static_cast<int>(rest.size() / 3);
  for (int i = body.first_vertex; i < model.vertex_count(); ++i) model.mass[i] = 1;
  for (int i = 0; rope && i + 1 < body.vertex_count; ++i)
    body.edges.insert(body.edges.end(), {body.first_vertex + i, body.first_vertex + i + 1});
  model.bodies.push_back(body);
  return static_cast<int>(model.bodies.size()) - 1;
}

/// Two sheets, two boxes, a rope and some particles, none far from the others.
inline Model mixed_scene() {
  Model model;
  add_sheet(model, grid_sheet(9, 7, 0.1, {0, 0, 0}));
  add_box(model, {.size = {0.3, 0.3, 0.3}, .cells = {3, 3, 3}, .center = {0.3, 0.2, 0.3}});
  add_string(model, {0, 0.05, 0, 0.1, 0.06, 0.1, 0.2, 0.02, 0.22, 0.3, 0.05, 0.3, 0.45, 0.4, 0.3}, true);
  add_sheet(model, grid_sheet(6, 6, 0.12, {0.1, 0.38, 0.05}));
  add_string(model, {0.1, 0.03, 0.1, 0.5, 0.4, 0.4, 0.2, -0.05, 0.35, 3, 3, 3}, false);
  add_box(model, {.size = {0.2, 0.2, 0.2}, .cells = {2, 2, 2}, .center = {2.0, 0.2, 0.3}});
  return model;
}

/// The rest shape, every coordinate moved by up to `size`.
inline std::vector<double> shaken(const Model& model, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> move(-size, size);
  std::vector<double> x = model.rest;
  for (double& value : x) value += move(random);
  return x;
}

/// A sheet folded in the middle, its halves `gap` apart.
inline std::vector<double> folded(const Model& model, double middle, double gap) {
  std::vector<double> x = model.rest;
  for (std::size_t i = 0; i < x.size(); i += 3)
    if (x[i] > middle) x[i] = 2 * middle - x[i], x[i + 1] += gap;
  return x;
}

}  // namespace resilin
