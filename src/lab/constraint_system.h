// All compliant constraints of a small model at once, dense: what XPBD would solve if it did not visit them one by
// one (Ledwon 2024, Eqs. 3.42 to 3.51), and the compliant step of Eq. 3.26. For experiments; a solver would be
// sparse.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <memory>
#include <vector>

#include "resilin/model.h"

namespace resilin::lab {

class ConstraintSystem {
 public:
  /// The model outlives this; elements have at most four corners. Energies without a compliant form, and one-sided
  /// ones, are not for this.
  ConstraintSystem(const Model& model, double tau);

  /// C(q) and J = dC/dq.
  void evaluate(const Eigen::VectorXd& q, Eigen::VectorXd& c, Eigen::MatrixXd& jacobian) const;
  /// J^T lambda.
  Eigen::VectorXd force(const Eigen::VectorXd& q, const Eigen::VectorXd& lambda) const;
  /// d(J^T lambda)/dq, the geometric stiffness of Eq. 3.45, by central differences.
  Eigen::MatrixXd geometric(const Eigen::VectorXd& q, const Eigen::VectorXd& lambda) const;

  int constraints() const { return static_cast<int>(compliance_.size()); }
  /// alpha~ = 1/(k V tau^2), and masses per coordinate.
  const Eigen::VectorXd& compliance() const { return compliance_; }
  const Eigen::VectorXd& mass() const { return mass_; }
  /// alpha~ = 0.
  void make_hard() { compliance_.setZero(); }

 private:
  struct Part {
    const Elements* elements;
    std::unique_ptr<CompliantForm> form;
    int first;  // constraint
  };
  std::vector<Part> parts_;
  Eigen::VectorXd compliance_, mass_;
};

/// One solve of [K -J^T; J alpha] [dq; dlambda] = -[g; h] with g = M (q - target) - J^T lambda and h = C + alpha
/// lambda.
struct GlobalStep {
  bool geometric = false;  // K = M - d(J^T lambda)/dq; else K = M, assumption 3.46
  bool inertial = false;   // g on the right; else zero, assumption 3.47
  bool search = false;     // halves the step until both residuals together fall; with `inertial` only
};
struct GlobalState {
  Eigen::VectorXd q, lambda;
};
/// False: no step makes the residuals smaller, and none was taken.
bool global_step(const ConstraintSystem& system, const Eigen::VectorXd& target, const GlobalStep& kind,
                 GlobalState& state);
/// |M^-1/2 g| and |alpha~^-1/2 h|, in the same unit; both zero where the step is that of backward Euler.
std::array<double, 2> residuals(const ConstraintSystem& system, const Eigen::VectorXd& target,
                                const GlobalState& state);

}  // namespace resilin::lab
