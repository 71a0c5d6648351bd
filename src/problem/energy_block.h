// A part of Phi that stands outside of the partition and of the constant Hessian, since its elements come, go and
// move: drags, obstacles, contact, energies of many vertices at once. Phi is the inertia, the partitioned elements
// and a list of these blocks.
#pragma once
#include <span>
#include <vector>

#include "contact/listed_term.h"
#include "problem/assembly.h"
#include "problem/evaluation.h"
#include "resilin/state.h"

namespace resilin {

/// The energy of single vertices at a point: obstacles, drags, friction of obstacles.
struct PointStiffness {
  int vertex;
  double energy, gradient[3], hessian[6];  // hessian: positive semidefinite, lower triangle row by row
};

/// Phi has stiffness gradient gradient^T of an energy stiffness/2 c(y)^2.
struct RankOneStiffness {
  std::vector<int> vertices;
  std::vector<double> gradient;  // dc/dx on `vertices`
  double stiffness;
};

/// Where an element's exact second derivative goes: blocks K_ab of two vertices, row-major.
using AddBlock = FunctionRef<void(int vertex, int other, const double* block)>;

class EnergyBlock {
 public:
  virtual ~EnergyBlock() = default;
  /// An obstacle, or what goes with one. Local steps of solvers take obstacles as elements of the partition.
  virtual bool of_obstacles() const { return false; }
  virtual void set_time(double /*time*/) {}
  /// A stage begins with what `memory` has kept of earlier ones; a stage has ended at x.
  virtual void begin(const Stage& /*stage*/, const Memory& /*memory*/) {}
  virtual void end(const double* /*x*/, Memory& /*memory*/) {}
  /// Before an evaluation at y: every element that counts there is listed afterwards. Phi does not change by it.
  virtual void ensure_listed(const double* /*y*/) {}
  /// Adds the energies at y to those of the components and, unless `forces` is null, the gradient to it.
  virtual void evaluate(const double* y, Assembly* forces, std::span<double> energies) = 0;
  /// Adds the second derivatives at y, each kind on request: of single vertices, of pairs that touch, of rank one.
  virtual void add_points(const double* /*y*/, std::vector<PointStiffness>& /*points*/) {}
  virtual void add_pairs(const double* /*y*/, std::vector<PairStiffness>& /*pairs*/) {}
  virtual void add_rank_one(const double* /*y*/, std::vector<RankOneStiffness>& /*rows*/) {}
  /// Adds the exact second derivative of elements of several vertices; positive semidefinite by element when
  /// filtered.
  virtual void add_hessian(const double* /*y*/, bool /*filter*/, AddBlock /*add*/) {}
  /// visit(vertices) of each element of several vertices: for the pattern of the Hessian and for islands.
  virtual void each_element(FunctionRef<void(std::span<const int>)> /*visit*/) const {}
};

}  // namespace resilin
