// E21: fibres kappa/2 (|F d| - 1)^2 in a corotated cube (Liu et al. Section 5). Pulled by two faces it deforms
// homogeneously, and linear tets are exact: the modulus along d is E + kappa; across d, with C' = C + kappa (d d)(d
// d), 1/E_t = 1/E - kappa nu^2 / (E (E + kappa)), both ways alike. A hanging cube stretches less with fibres.
#include "lab/toolkit.h"

namespace resilin {
namespace {

Model cube_model(const Settings& s, const TetMesh& mesh, double kappa, int fibre_axis) {
  Model model = lab::solid(mesh, 1, "corotated", {{"mu", s.number("mu")}, {"lambda", s.number("lambda")}});
  std::array<double, 3> d{0, 0, 0};
  d[fibre_axis] = 1;
  if (kappa > 0) lab::add_fibre(model, 0, kappa, d);
  return model;
}

// Equal and opposite tractions [Pa] on the two faces across `axis`: a third of each triangle's area to each of its
// vertices.
void pull(Model& model, const TetMesh& mesh, int axis, double traction) {
  const auto triangles = boundary_triangles(mesh);
  std::vector<double> force(mesh.vertex_count(), 0.0);
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    const double* x[3];
    for (int a = 0; a < 3; ++a) x[a] = &mesh.vertices[3 * triangles[t + a]];
    const double at = x[0][axis];
    if (std::abs(std::abs(at) - 0.5) > 1e-9 || x[1][axis] != at || x[2][axis] != at) continue;
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double area =
        std::abs((x[1][i] - x[0][i]) * (x[2][j] - x[0][j]) - (x[1][j] - x[0][j]) * (x[2][i] - x[0][i])) / 2;
    for (int a = 0; a < 3; ++a) force[triangles[t + a]] += (at > 0 ? 1 : -1) * traction * area / 3;
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (force[v] == 0) continue;
    ExternalForce& f = model.forces.emplace_back();
    f.vertices = {v}, f.vector[axis] = force[v];
  }
}

// Strain between the two faces across `axis` once backward Euler with large steps has come to rest.
double static_strain(Model model, int axis, int& unfinished) {
  const auto simulation = lab::make_simulation(
      std::move(model), 1.0, "newton", {{"iterations", 100}, {"gradient_tolerance", 1e-13}, {"start", "best"}});
  for (int step = 0; step < 30; ++step) {
    const Status status = simulation->step().status;
    unfinished += status != Status::converged && status != Status::stalled ? 1 : 0;  // stalled: at round-off
  }
  const auto& rest = simulation->model().rest;
  const auto& q = simulation->positions();
  double sum[2] = {}, count[2] = {};
  for (std::size_t i = 0; i < rest.size(); i += 3) {
    if (std::abs(std::abs(rest[i + axis]) - 0.5) > 1e-9) continue;
    const int side = rest[i + axis] > 0;
    sum[side] += q[i + axis], ++count[side];
  }
  return sum[1] / count[1] - sum[0] / count[0] - 1;
}

double modulus(const Settings& s, const TetMesh& mesh, double kappa, int fibre_axis, int axis, double traction,
               int& unfinished) {
  Model model = cube_model(s, mesh, kappa, fibre_axis);
  pull(model, mesh, axis, traction);
  return traction / static_strain(std::move(model), axis, unfinished);
}

// Held by its upper face under its own weight, which acts along the fibres.
double hang(const Settings& s, const TetMesh& mesh, double kappa, int& unfinished) {
  Model model = cube_model(s, mesh, kappa, 1);
  model.gravity = {0, -s.number("gravity"), 0};
  lab::pin(model, mesh.vertex_groups.at("y_max"));
  return static_strain(std::move(model), 1, unfinished);
}

void run(const Settings& s, Findings& findings) {
  const double mu = s.number("mu"), lambda = s.number("lambda"), kappa = s.number("kappa");
  const double e = mu * (3 * lambda + 2 * mu) / (lambda + mu), nu = lambda / (2 * (lambda + mu));
  const int d = s.integer("axis");
  const TetMesh mesh = lab::cube_mesh(s.integer("cells"), BoxPattern::six);
  const double traction = s.number("strain") * e;
  int unfinished = 0;
  const double along = modulus(s, mesh, kappa, d, d, traction, unfinished);
  const double across1 = modulus(s, mesh, kappa, d, (d + 1) % 3, traction, unfinished),
               across2 = modulus(s, mesh, kappa, d, (d + 2) % 3, traction, unfinished);
  const double plain = modulus(s, mesh, 0, d, d, traction, unfinished);
  findings.relative("modulus without fibres: E", e, plain, 1e-4);
  findings.relative("modulus along d: E + kappa", e + kappa, along, 0.05);
  findings.relative("rise of the modulus along d: kappa", kappa, along - plain, 0.05);
  const double expected = 1 / (1 / e - kappa * nu * nu / (e * (e + kappa)));
  findings.relative("modulus across d", expected, across1, 1e-2);
  findings.relative("modulus across d is isotropic", across1, across2, 1e-6);
  const double soft = hang(s, mesh, 0, unfinished), stiff = hang(s, mesh, kappa, unfinished);
  findings.at_most("hanging: strain along d with fibres, at most that without", soft, stiff);
  findings.differs_because(
      "Newton begins at the best rigid motion and has 100 iterations; from the target, with 50, moduli a thousand "
      "times larger came out wrong by eight orders of magnitude");
  findings.near("steps of Newton's that neither converged nor came down to round-off", 0, unfinished, 0);
  findings.report("hanging: strain with / without fibres", stiff / soft, "E / (E + kappa) for a long bar");
}

}  // namespace

ExperimentPlugin experiment_E21() {
  return {
      .title = "Fibres stiffen their direction only",
      .source = "liu2017",
      .shows = "Fig. 5",
      .doc = "Uniaxial moduli of a corotated cube with fibres, along and across them, and a hanging cube.",
      .params = {integer("cells", 3, between(1, 10), "cells per edge of the unit cube"),
                 number("mu", "Pa", 10, positive(), "shear modulus"),
                 number("lambda", "Pa", 100, at_least(0), "first Lame constant"),
                 number("kappa", "Pa", 50, positive(), "stiffness of the fibres"),
                 number("strain", "", 1e-3, {0, 0.1, true, false}, "strain that the traction makes without fibres"),
                 integer("axis", 0, between(0, 2), "direction of the fibres"),
                 number("gravity", "m/s^2", 1, positive(), "gravity on the hanging cube of density 1 kg/m^3")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
