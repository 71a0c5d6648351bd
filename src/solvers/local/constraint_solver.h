// The loop that PBD and XPBD share: from the stage's target, Gauss-Seidel over the constraints of all terms, as
// many times as the stop rule allows. The objective measures what comes out and takes no part in it.
//
// Contact between bodies: visits go on from where they were, as multipliers want it, and what is returned follows
// them inside of the region where no surface passes through another. Lists of pairs are made around that.
#pragma once
#include <string>
#include <vector>

#include "core/aligned.h"
#include "problem/problem.h"
#include "resilin/solver.h"
#include "solvers/descent/rigid_start.h"
#include "solvers/local/constraint_term.h"
#include "solvers/progress/error_measure.h"

namespace resilin {

struct ConstraintOptions {
  std::string name;            // of the plugin, for messages
  bool compliant = true;       // XPBD; false: PBD
  bool coupled = true;         // constraints of one potential on one element in one solve
  bool serial = false;         // elements in the order of the model, else by colours
  double damping = 0;          // [s]
  double stiffness = 1;        // k of PBD
  bool per_iteration = false;  // k is taken in every iteration, else k' = 1 - (1 - k)^(1/n)
};

class ConstraintSolver final : public Solver {
 public:
  explicit ConstraintSolver(ConstraintOptions options) : options_(std::move(options)) {}

  void check(const Problem& problem) const override;

  /// One per term of the model, then one per listed term, after a first solve.
  const std::vector<ConstraintTerm>& terms() const { return terms_; }

 private:
  SolveReport minimise(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) override;
  VisitOrder order(const Term& term) const {
    return options_.serial ? serial_order(term.elements) : colour_order(term.elements);
  }
  Visit begin(Problem& problem, const std::vector<double>& y, const StopRule& stop);
  void push_apart(const Problem& problem, double tau);
  void list_contact(const Problem& problem, double time, bool first);
  void follow(Problem& problem, std::vector<double>& y);
  void visit_global_energies(const Problem& problem, const Visit& visit);
  void measure(Problem& problem, const std::vector<double>& y, SolveReport& report);

  ConstraintOptions options_;
  std::uint64_t revision_ = 0, function_ = 0;
  std::vector<ConstraintTerm> terms_;
  bool stopping_ = false;                // the last of them are half spaces, for one stage
  std::vector<ConstraintTerm> contact_;  // of all terms of Model::contact, for a stage
  std::uint64_t listed_ = 0;             // EnergyBlocks::lists of them
  RigidStart rigid_;
  std::vector<double> rigid_start_, wanted_, part_;
  AlignedVector<double> x_, origin_;                              // rows of 4
  std::vector<double> gradient_, global_gradient_, multipliers_;  // multipliers: of couplings
  Evaluation here_;
  Pace pace_;
  ErrorMeasure measure_;
};

/// Parameters that both have: stop rule and order.
Params constraint_params();

}  // namespace resilin
