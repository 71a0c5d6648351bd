// The unknowns that a stage is solved for: rows of xyz, which are the vertices or rows of a subspace. It knows
// which rows are free, the connected components and islands of them with the mass and the size that errors are
// relative to, and the vector operations of solvers.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "linear/linear_solver.h"
#include "problem/components.h"
#include "problem/coordinates.h"
#include "problem/subspace.h"
#include "problem/vectors.h"
#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

class Space {
 public:
  /// All three must outlive it; `subspace`: null where the unknowns are the vertices.
  Space(const Model& model, ThreadPool& pool, const Subspace* subspace);

  // ---- unknowns
  std::ptrdiff_t size() const { return coordinates_.size(); }
  int rows() const { return static_cast<int>(size() / 3); }
  int vertices() const { return model_.vertex_count(); }
  bool rows_are_vertices() const { return subspace_ == nullptr; }
  /// Of each row [kg]; empty where rows are no vertices. Then their mean step has no closed form, and methods that
  /// work vertex by vertex (rigid starts, rows of contact) stand back.
  std::span<const double> vertex_mass() const { return coordinates_.vertex_mass(); }
  const Coordinates& coordinates() const { return coordinates_; }
  /// The unknowns at rest.
  const std::vector<double>& rest() const { return subspace_ != nullptr ? rest_ : model_.rest; }
  /// Number of each row among the free ones, or -1 when it is a pinned vertex.
  const std::vector<int>& free_index() const { return free_index_; }
  int free_rows() const { return free_count_; }

  // ---- components
  const ComponentSet& components() const { return components_; }
  /// Connected component of each vertex: 0, 1, ... in the order of their first vertices.
  const std::vector<int>& component() const { return vertex_component_; }
  std::span<const int> row_component() const;
  /// Vertices of the components that nothing holds in the constant Hessian (no pin, no soft pin): there L
  /// annihilates constants, and the mass-weighted mean of a step is known in closed form.
  const std::vector<std::vector<int>>& floating_components() const { return floating_; }
  /// Mass [kg] and diagonal of the rest bounding box [m] of a component.
  double component_mass(int component) const { return component_mass_[component]; }
  double component_size(int component) const { return component_size_[component]; }
  /// The scale of errors in an island: its mass, the size of its smallest component, its kinetic energy when the
  /// step began.
  struct Island {
    double mass = 0, size = 0, kinetic = 0;
    int vertices = 0;
  };
  const Island& island(int component) const { return islands_[components_.island(component)]; }
  /// Model::size() and total_mass(): passes over all vertices there, which an iteration cannot afford.
  double model_size() const { return model_size_; }
  double total_mass() const { return total_mass_; }
  /// Evaluations and vector operations leave out the components that are not active. Until the next stage.
  void set_active(std::span<const char> active) { components_.set_active(active); }

  // ---- vectors, loops and linear solves, on the threads of the simulation
  Vectors& vectors() const { return vectors_; }
  /// run(i) for 0 <= i < count.
  template <class Run>
  void parallel(int count, Run&& run) const {
    pool_.parallel(count, run);
  }
  /// run(begin, end) on chunks of [0, count), and K sums over them, which do not depend on the thread count.
  template <class Run>
  void chunks(std::ptrdiff_t count, Run&& run) const {
    for_chunks(pool_, count, run);
  }
  /// run(row) for each row of unknowns.
  template <class Run>
  void each_row(Run&& run) const {
    chunks(size(), [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for (std::ptrdiff_t row = begin / 3; row < end / 3; ++row) run(row);
    });
  }
  template <std::size_t K, class Run>
  std::array<double, K> sum(std::ptrdiff_t count, std::vector<double>& scratch, Run&& run) const {
    return sum_chunks<K>(pool_, count, scratch, run);
  }
  /// The same on chunks of the unknowns of active components: run(begin, end, component); sums[component * k +
  /// ...].
  template <class Run>
  void each_component(Run&& run) const {
    components_.each(pool_, run);
  }
  template <class Run>
  void sum_by_component(int k, std::vector<double>& scratch, std::vector<double>& sums, Run&& run) const {
    components_.sum(pool_, k, scratch, sums, run);
  }
  Factorisation factorise(LinearSolver& solver, const SymmetricMatrix& matrix) const {
    return solver.factorise(matrix, pool_);
  }
  /// `alone`: on the calling thread, of which there may be several.
  void solve(const LinearSolver& solver, const double* b, double* x, bool alone = false) const {
    solver.solve(b, x, alone ? serial_ : pool_);
  }
  ThreadPool& pool() const { return pool_; }

 private:
  friend class DynamicSystem;  // the owner
  friend class EnergyBlocks;   // joins components that touch
  /// Elements couple other vertices than before.
  void set_components(const std::vector<int>& of_vertex);
  /// Other rows are free.
  void number_free_rows();
  /// Masses, pins or what holds components may be others.
  void measure();
  /// A stage begins: every component is active, and an island of its own.
  void begin(const Stage& stage);
  /// Components of two vertices that touch become one island; true when they did not belong together before.
  bool join(int vertex, int other);
  void measure_islands();

  void find_floating();
  void measure_components();

  const Model& model_;
  ThreadPool& pool_;
  mutable ThreadPool serial_{1};
  const Subspace* subspace_;
  std::vector<int> free_index_, vertex_component_;
  int free_count_ = 0;
  VertexCoordinates vertex_coordinates_;
  const Coordinates& coordinates_;
  std::vector<double> rest_;  // of a subspace
  ComponentSet components_;
  mutable Vectors vectors_;
  std::vector<std::vector<int>> floating_;
  std::vector<double> component_mass_, component_size_;
  std::vector<int> component_vertices_;
  double model_size_ = 0, total_mass_ = 0;
  std::vector<double> kinetic_, momentum_, scratch_;  // kinetic_: by component [J]
  std::vector<Island> islands_;                       // by component, of those that lead
};

/// Whether an element stands in the constant Hessian: contact energies stay out of it (Liu et al. 4.3).
bool has_quadratic(const Term& term, int element);

}  // namespace resilin
