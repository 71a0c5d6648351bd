// E86: nothing depends on how the mesh is numbered or on the number of threads. A pinned and swinging beam above
// the ground, with vertices and tets shuffled, gives the same motion to 1e-9 for every registered solver; and the
// same mesh gives the same bits for 1, 2, 3 and 4 threads, with every linear solver.
#include <numeric>

#include "lab/toolkit.h"
#include "linear/linear_solver.h"

namespace resilin {
namespace {

struct Shuffled {
  TetMesh mesh;
  std::vector<int> new_id;  // of every vertex
};

Shuffled shuffled(const TetMesh& mesh, std::uint64_t seed) {
  lab::Random random(seed);
  const auto shuffle = [&](std::vector<int>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.bits() % i]);
  };
  Shuffled out;
  out.new_id.resize(mesh.vertex_count());
  std::iota(out.new_id.begin(), out.new_id.end(), 0);
  shuffle(out.new_id);
  std::vector<int> order(mesh.tet_count());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order);
  out.mesh.vertices.resize(mesh.vertices.size());
  for (int v = 0; v < mesh.vertex_count(); ++v)
    std::copy_n(&mesh.vertices[3 * v], 3, &out.mesh.vertices[3 * out.new_id[v]]);
  for (const int t : order) {  // an even permutation of the corners, too
    const int turn = static_cast<int>(random.bits() % 3);
    for (int c = 0; c < 3; ++c) out.mesh.tets.push_back(out.new_id[mesh.tets[4 * t + (c + turn) % 3]]);
    out.mesh.tets.push_back(out.new_id[mesh.tets[4 * t + 3]]);
  }
  for (const auto& [name, ids] : mesh.vertex_groups) {
    auto& group = out.mesh.vertex_groups[name];
    for (const int v : ids) group.push_back(out.new_id[v]);
    std::sort(group.begin(), group.end());
  }
  return out;
}

// PD strain where the solver takes no other, and no ground there.
Model beam(const TetMesh& mesh, const std::string& solver, const Settings& s) {
  const bool projective = lab::wants_strain(solver);
  const double k = s.number("young");
  Model model = projective ? lab::solid(mesh, 1000, "arap", {{"stiffness", k}})
                           : lab::solid(mesh, 1000, "neo_hookean", {{"young", k}, {"poisson", 0.4}});
  model.gravity = {0, -9.81, 0};
  lab::pin(model, mesh.vertex_groups.at("x_min"));
  if (!projective) lab::add_obstacle(model, "plane", {{"height", -0.52}}, k / 10);
  return model;
}

TetMesh beam_mesh(int across) { return box({.size = {3, 1, 1}, .cells = {3 * across, across, across}}); }

State simulate(const TetMesh& mesh, const std::string& solver, const lab::Values& params, const Settings& s,
               int frames, int threads) {
  auto simulation =
      lab::make_simulation(beam(mesh, solver, s), s.number("step"), solver, params, "backward_euler", threads);
  lab::advance(*simulation, frames);
  return simulation->state();
}

void run(const Settings& s, Findings& findings) {
  const TetMesh mesh = beam_mesh(s.integer("cells"));
  const Shuffled other = shuffled(mesh, s.integer("seed"));
  const int frames = s.integer("frames");
  for (const auto& solver : registry<SolverPlugin>()) {
    const lab::Values params =
        lab::with_double_factor(solver.name, {{"iterations", s.integer("iterations")}, {"tolerance", 0}});
    const State a = simulate(mesh, solver.name, params, s, frames, 0),
                b = simulate(other.mesh, solver.name, params, s, frames, 0);
    lab::Worst worst;
    for (std::size_t i = 0; i < a.q.size(); ++i) worst.see(std::abs(a.q[i] - b.q[3 * other.new_id[i / 3] + i % 3]));
    const std::string what = solver.name + ": shuffled mesh, largest difference / size";
    if (solver.plugin.minimises) findings.at_most(what, 1e-9, worst / 3);
    else findings.report(what, worst / 3, "not judged: Gauss-Seidel depends on the order of the elements");
    findings.at_least(solver.name + ": it did move / size", 1e-4, lab::largest_difference(a.q, mesh.vertices) / 3);
  }
  const TetMesh larger = beam_mesh(s.integer("thread_cells"));
  for (const auto& solver : registry<SolverPlugin>())
    for (const auto& linear : registry<LinearSolverPlugin>()) {
      const bool chosen = solver.plugin.params.find("linear_solver") != nullptr;
      if (!chosen && linear.name != registry<LinearSolverPlugin>().front().name) continue;
      const bool heavy = solver.name == "newton";
      lab::Values params = {{"iterations", heavy ? 1 : 5}, {"tolerance", 0}};
      if (chosen) params.emplace_back("linear_solver", linear.name);
      const auto hash_with = [&](int threads) {
        return hash(simulate(larger, solver.name, params, s, heavy ? 1 : 3, threads));
      };
      const std::uint64_t one = hash_with(1);
      int different = 0;
      for (const int threads : {1, 2, 3, 4}) different += hash_with(threads) != one;
      const std::string what = solver.name + (chosen ? ", " + linear.name : "");
      findings.near(what + ": runs with 1, 2, 3, 4 threads that differ in a bit", 0, different, 0);
    }
}

}  // namespace

ExperimentPlugin experiment_E86() {
  return {.title = "Renumbering and thread counts change nothing",
          .source = "oracle",
          .doc = "The same motion for a shuffled mesh, the same bits for every number of threads.",
          .params = {integer("cells", 3, between(1, 16), "cells across the beam that is shuffled"),
                     integer("thread_cells", 8, between(1, 24),
                             "cells across the beam that is run with 1 to 4 threads"),
                     integer("frames", 10, between(1, 1000), "steps of the shuffled beam"),
                     integer("iterations", 10, between(1, 1000), "iterations of the solver, per step"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     number("young", "Pa", 1e5, positive(), "stiffness"),
                     integer("seed", 1, at_least(0), "seed of the shuffle")},
          .quick = Quick{.set = {{"thread_cells", 4}, {"frames", 3}}},
          .run = run};
}

}  // namespace resilin
