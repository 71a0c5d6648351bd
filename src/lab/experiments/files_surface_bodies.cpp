// files.surface_bodies: surfaces become simulated bodies. A sphere with a hole, two cubes that intersect and a
// torus are filled with tets: number, volume against the closed form, worst dihedral angle; the embedded surface
// follows a rigid motion to rounding and stays finite while the body hangs and swings.
#include "lab/toolkit.h"
#include "resilin/embedding.h"
#include "resilin/state.h"

namespace resilin {
namespace {

struct Case {
  std::string name;
  TriangleMesh surface;
  double volume, tolerance;  // [m^3], relative
};

// Only the lattice's own error and that of the facets remain; the hole is closed by the half-way level of the
// winding number, which bulges by less than the cap that is missing.
std::vector<Case> cases() {
  constexpr double pi = std::numbers::pi, r = 0.5, top = 0.4, cap = r - top;
  TriangleMesh open = surface(sphere({.radius = r, .spacing = 0.04}));
  std::vector<int> kept;
  for (std::size_t t = 0; t < open.triangles.size(); t += 3) {
    const auto z = [&](std::size_t k) { return open.vertices[3 * open.triangles[t + k] + 2]; };
    if (std::min({z(0), z(1), z(2)}) < top) kept.insert(kept.end(), &open.triangles[t], &open.triangles[t] + 3);
  }
  open.triangles = std::move(kept);
  TriangleMesh cubes = surface(lab::cube_mesh(4));
  const TriangleMesh other = surface(box({.cells = {4, 4, 4}, .center = {0.5, 0.5, 0.5}}));
  for (const int v : other.triangles) cubes.triangles.push_back(v + cubes.vertex_count());
  cubes.vertices.insert(cubes.vertices.end(), other.vertices.begin(), other.vertices.end());
  return {{"sphere with a hole", open, 4 * pi / 3 * r * r * r - pi * cap * cap * (3 * r - cap) / 3, 0.03},
          {"two cubes", cubes, 2 - 0.125, 0.03},
          {"torus", surface(torus({.spacing = 0.04})), 2 * pi * pi * 0.5 * 0.2 * 0.2, 0.03}};
}

// Largest distance between the carried surface and the surface moved by itself.
double rigid_error(const TetMesh& cage, const Embedding& embedding) {
  std::vector<double> moved = cage.vertices, expected = embedding.surface.vertices, carried;
  for (std::vector<double>* x : {&moved, &expected}) {
    rotate(*x, {1, -2, 3}, 123);
    translate(*x, {2, 1, -3});
  }
  embedding.place(cage.tets, moved, carried);
  return lab::largest_difference(expected, carried);
}

// Held at its left end under gravity; returns whether everything, the surface included, stayed finite and together.
bool swings(const TetMesh& cage, const Embedding& embedding, const Settings& s) {
  Model model = lab::solid(cage, 1000, "neo_hookean", {{"young", s.number("young")}, {"poisson", 0.4}});
  model.gravity = {0, -9.81, 0};
  model.bodies[0].embedded = embedding;
  const Bounds box = bounds(cage.vertices);
  std::vector<int> held;
  for (int v = 0; v < cage.vertex_count(); ++v)
    if (cage.vertices[3 * v] < 0.8 * box.lower[0] + 0.2 * box.upper[0]) held.push_back(v);
  lab::pin(model, held);
  const auto simulation = lab::make_simulation(std::move(model), 1.0 / 30, "quasi_newton");
  lab::advance(*simulation, s.integer("frames"));
  const std::vector<double> x = with_embedded(simulation->model(), simulation->positions());
  return is_finite(simulation->state()) &&
         std::all_of(x.begin(), x.end(), [](double v) { return std::abs(v) < 10; });
}

void run(const Settings& s, Findings& findings) {
  for (const Case& c : cases()) {
    const int tets = s.integer("tets");
    const TetMesh cage = fill_surface(c.surface, {.tets = tets});
    const Embedding embedding = embed(cage, c.surface);
    findings.relative(c.name + ": number of tets", tets, cage.tet_count(), 0.1);
    findings.relative(c.name + ": volume [m^3]", c.volume, total_volume(cage), c.tolerance);
    findings.at_least(c.name + ": smallest dihedral angle [degrees]", 10.7, quality(cage).min_dihedral,
                      "Labelle and Shewchuk 2007");
    findings.at_most(c.name + ": rigid motion, error of the surface [m]", 1e-12, rigid_error(cage, embedding));
    findings.holds(c.name + ": finite and together after the last frame", swings(cage, embedding, s));
  }
}

}  // namespace

ExperimentPlugin experiment_files_surface_bodies() {
  return {.title = "Surface meshes are filled with tets and simulated",
          .source = "files",
          .doc = "Open and intersecting surfaces filled with tets by winding numbers, with the surface embedded.",
          .params = {integer("tets", 10000, between(4000, 1000000), "wanted number of tets"),
                     integer("frames", 30, between(1, 100000), "frames of 1/30 s"),
                     number("young", "Pa", 1e5, positive(), "Young's modulus")},
          .quick = Quick{.set = {{"frames", 2}}, .slow = true},
          .run = run};
}

}  // namespace resilin
