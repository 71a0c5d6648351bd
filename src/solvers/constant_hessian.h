// The constant Hessian A = M/tau^2 + L of Liu et al., factorised once and kept: two slots, because TR-BDF2 like
// integrators may alternate between two step sizes. Every connected component has a factor of its own, so that
// finished ones cost nothing. Shared by quasi_newton and projective_dynamics; never part of a State.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "linear/linear_solver.h"
#include "problem/problem.h"
#include "solvers/inner_solve.h"

namespace resilin {

class ConstantHessian {
 public:
  explicit ConstantHessian(InnerSolve inner) : inner_(std::move(inner)) {}

  /// Makes the factor for the objective's tau and revision current; true when it had to be computed. On failure
  /// `ok` is false.
  bool prepare(Problem& problem);
  /// The same with one weight per element in place of the potentials' own stiffness (ADMM).
  bool prepare(Problem& problem, const ElementWeights& weights);
  /// The stiffness of the lagged terms joins A, exactly and without a factorisation: A + sum k e e^T by the
  /// Woodbury formula, with a column A^-1 e of every held vertex. After prepare, before solve.
  void hold_drags(Problem& problem);
  bool ok() const { return slots_[current_].positive_definite; }
  /// d = A^-1 r for all vertices (xyz) of active components, r and d may be the same array; pinned ones get zero.
  /// The mean step of floating components is exact whatever the factor's precision: 1^T A = 1^T M/tau^2 there.
  void solve(Problem& problem, const double* r, double* d);
  /// Changes whenever the factor in use is another one.
  std::uint64_t version() const { return slots_[current_].version; }
  /// Orderings and symbolic analyses so far, of all components.
  int analyses() const { return analyses_; }

 private:
  // The free vertices of a component, or of all of them where the linear solver is not direct.
  struct Block {
    int component = 0;
    std::vector<int> vertices;
    bool consecutive = false;  // then vectors are passed as they are
    std::unique_ptr<LinearSolver> solver;
    std::vector<double> packed;
  };
  struct Slot {
    double tau = 0;
    std::uint64_t stiffness = 0, structure = 0,
                  version = 0;  // stiffness: what the numbers of the matrix were made of
    std::vector<Block> blocks;
    bool positive_definite = false;
    int age = 0;
  };
  bool recall(const Problem& problem, std::uint64_t stiffness);
  void factorise(Problem& problem, const SymmetricMatrix& matrix, std::uint64_t stiffness);
  void make_blocks(const Problem& problem, std::vector<Block>& blocks) const;
  void solve_block(Block& block, const double* r, double* d, ThreadPool& pool) const;
  void solve_unheld(Problem& problem, const double* r, double* d);
  void note_mean_steps(Problem& problem, const double* r);
  void set_mean_steps(Problem& problem, double* d);

  InnerSolve inner_;
  std::array<Slot, 2> slots_;
  int current_ = 0, clock_ = 0;
  std::uint64_t versions_ = 0;
  int analyses_ = 0;
  // Lagged stiffness of one vertex, by component.
  struct Held {
    int vertex, component;
    double stiffness;
    std::vector<std::pair<int, double>> weights;  // e, by row of unknowns: one for a vertex
    std::vector<double> column;                   // A^-1 e, by row
  };
  std::vector<Held> lagged_;
  std::uint64_t held_version_ = 0;
  std::vector<double> capacitance_, pulls_, wide_;  // factor of K^-1 + E^T A^-1 E
  ThreadPool serial_{1};
  std::vector<char> held_;           // by floating component: something stands in the matrix that holds it
  std::vector<double> mean_, sums_;  // mean_: sum m d wanted of every floating component
};

}  // namespace resilin
