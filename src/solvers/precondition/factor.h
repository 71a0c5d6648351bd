// A^-1, the inverse of the constant Hessian M/tau^2 + L: a factor per connected component, and the exact mean step
// of those that nothing holds. Two factors are kept, since the stages of an integrator may alternate between two
// tau. A is factorised again when tau, the stiffness or the structure is another one.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "linear/linear_solver.h"
#include "problem/problem.h"
#include "solvers/precondition/inner_solve.h"
#include "solvers/precondition/mean_step.h"
#include "solvers/precondition/operator.h"
#include "solvers/precondition/vertex_smoother.h"

namespace resilin {

class Factor final : public Operator {
 public:
  explicit Factor(InnerSolve inner) : inner_(std::move(inner)) {}

  /// Makes the factor of the stage; true when that took a factorisation. On failure `ok` is false.
  bool prepare(Problem& problem);
  /// The same with one weight per element in place of the potentials' own stiffness (ADMM).
  bool prepare(Problem& problem, const ElementWeights& weights);
  bool ok() const { return slots_[current_].positive_definite; }
  void apply(const double* r, double* d) override;
  bool same_on_axes() const override { return true; }
  /// Changes whenever the factor in use is another one.
  std::uint64_t version() const { return slots_[current_].version; }
  /// A by row, for smoothing. Made when it is first asked for.
  const NeighbourMatrix& neighbours();
  /// Orderings and symbolic analyses so far, of all components.
  int analyses() const { return analyses_; }

 private:
  // The free rows of a component, or of all of them where the linear solver is not direct.
  struct Block {
    int component = 0;
    std::vector<int> rows;
    bool consecutive = false;  // then vectors are passed as they are
    std::unique_ptr<LinearSolver> solver;
    std::vector<double> packed;
  };
  struct Slot {
    double tau = 0;
    std::uint64_t stiffness = 0, structure = 0, version = 0;  // stiffness: of the numbers of the matrix
    std::vector<Block> blocks;
    bool positive_definite = false;
    int age = 0;
  };
  bool recall(Problem& problem, std::uint64_t stiffness);
  void factorise(const SymmetricMatrix& matrix, std::uint64_t stiffness);
  void make_blocks(std::vector<Block>& blocks) const;
  void solve_block(Block& block, const double* r, double* d, bool alone) const;
  void find_mean_steps(FunctionRef<bool(const std::vector<int>&)> held);

  InnerSolve inner_;
  Problem* problem_ = nullptr;  // of the stage
  std::array<Slot, 2> slots_;
  int current_ = 0, clock_ = 0;
  std::uint64_t versions_ = 0;
  int analyses_ = 0;
  MeanStep mean_step_;
  std::vector<char> touched_;  // vertices that obstacles can touch
  NeighbourMatrix neighbours_;
  std::uint64_t neighbours_of_ = 0;  // version
};

}  // namespace resilin
