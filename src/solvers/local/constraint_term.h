// A term as PBD and XPBD see it: constraints of its elements in the order of the visits, with their multipliers.
// One visit solves the constraints c_j of one potential on one element (Macklin et al. 2016, Eqs. 18 and 26; signs
// after X40 to X42):
//
//   ((1 + gamma) grad C M^-1 grad C^T + alpha) dlambda = -c - alpha lambda - gamma grad C (x - x_n)
//   dx = M^-1 grad C^T dlambda
//
// alpha = 1/(k measure tau^2), zero for PBD; gamma = damping / tau. Gradients stay in element coordinates: with
// B_rs = sum_a w_a c_ra c_sa the matrix is dc_i/dz : B dc_j/dz, and no corner's gradient is ever formed. Eight
// elements at once.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "contact/friction/friction.h"
#include "core/aligned.h"
#include "problem/space.h"
#include "resilin/model.h"
#include "solvers/local/colouring.h"

namespace resilin {

/// What the constraints of one iteration share.
struct Visit {
  double* x = nullptr;             // rows of 4: position and inverse mass
  const double* origin = nullptr;  // rows of 4, x_n; read when gamma > 0
  double tau = 1;
  double gamma = 0;
  double share = 1;       // of the step that is taken: k of PBD
  bool compliant = true;  // false: alpha = 0 and no multipliers are kept, PBD
  bool coupled = true;    // the constraints of a potential in one solve, else one after the other
};

class ConstraintTerm {
 public:
  /// All potentials of the term have a compliant form.
  ConstraintTerm(const Term& term, VisitOrder order);

  /// Multipliers are zero; what depends on time moves.
  void begin(double time);
  /// Multipliers of elements that have the same vertices there; `from` has the same potentials.
  void take_multipliers(const ConstraintTerm& from);
  /// Visits every element once.
  void iterate(const Space& space, const Visit& visit);

  /// Scalar constraints of all elements.
  std::ptrdiff_t constraints() const;
  const VisitOrder& order() const { return order_; }
  /// lambda of constraint `j` of potential `form` on the element in `slot`.
  double multiplier(int form, int j, int slot) const;

 private:
  struct Form {
    std::unique_ptr<CompliantForm> form;
    int constraints;
    bool one_sided;
    const SlipForm* slip;          // of friction: multipliers have a limit; else null
    AlignedVector<double> lambda;  // [packs][constraints][8]
  };
  struct Range {
    int first, packs;  // block_packs at most
    int begin, end;    // constraints
  };
  // Of a block: inverse masses of the corners, z - z_n, and what the form found.
  struct Local {
    const double *w, *moved, *value, *gradient, *stiffness;
  };
  template <int R, int N, bool TranslationFree>
  void visit_as(const Visit& visit, Form& form, const Range& range);
  template <int R, int N, bool TranslationFree, int M>
  void solve(const Visit& visit, Form& form, const Range& range, const Local& local);
  std::map<std::vector<int>, std::size_t> slots() const;
  using VisitFunction = void (ConstraintTerm::*)(const Visit&, Form&, const Range&);

  int rows_, corners_, stored_;
  VisitOrder order_;
  std::vector<Form> forms_;
  AlignedVector<int> ids_;                        // [packs][corners][8]
  AlignedVector<double> coefficients_, measure_;  // [packs][R][stored][8], [packs][8]
  VisitFunction visit_;
};

}  // namespace resilin
