// Coulomb friction, anchored: elastic slip with a return map, the classical law of computational contact mechanics.
// A contact remembers an anchor a, where its elastic slip is zero. With the tangential displacement u = T (z - a),
// T = 1 - n n^T,
//
//   psi(z) = k/2 |u|^2              if k |u| <= f                it sticks: a spring, which does not creep
//            f (|u| - f/(2 k))      else                         it slides: a force of size f, against u
//
// f = mu f_n is the limit of the cone. Normal n, normal force f_n and anchor are lagged: taken where the bodies
// were when the stage began, so that Phi stays ONE function, with a gradient and a positive semidefinite Hessian,
// for whatever minimises it. After the stage a sliding contact's anchor follows, so that k |u| = f again; one that
// sticks keeps its anchor to the last bit.
//
// Anchors are points in space (on the obstacle, where it moves) and no displacements of a stage: whatever origin
// and tau the stages of an integrator have, the slip is that of the positions themselves. A body that sticks is
// held by springs of the model, with the order of the integrator; what slides feels f_n of the stage before, which
// is of first order in how fast f_n changes.
//
// On points (z = x: obstacles) and on pairs (z = sum w_i x_i: contact between bodies).
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "contact/listed_term.h"
#include "resilin/params.h"

namespace resilin {

/// A contact that rubs, as it is for one stage.
struct FrictionContact {
  std::array<double, 3> anchor{};  // a [m]
  std::array<double, 3> normal{};  // n, of length 1
  double stiffness = 1;            // k > 0 [N/m]
  double limit = 0;                // f = mu f_n [N]
  // The obstacle that pushes: a term of Model::terms and one of its elements. -1: none, it is a pair.
  int term = -1, element = -1;
};

/// T (z - a).
std::array<double, 3> slip_of(const FrictionContact& contact, const double* z);
/// The return map: moves the anchor of a contact that slides at z. True: it sticks, and nothing was moved.
bool return_map(FrictionContact& contact, const double* z);
/// A contact that is new, with its anchor where it is now, has slid for tau as fast as it comes, to `ahead`, or is
/// on the cone by then: what slides into contact must not be free for a step.
void arrive(FrictionContact& contact, const double* ahead);

/// The slip u as three linear constraints whose force together has a limit: psi is what least squares of them with
/// that limit are. So XPBD sees it without bias: its multipliers are kept on the disc of Coulomb.
class SlipForm : public CompliantForm {
 public:
  /// [N], of the lanes of a pack.
  virtual const double* limits(int pack) const = 0;
};

class Friction final : public Potential {
 public:
  /// One contact for each element; on elements of one row.
  Friction(ElementKind kind, std::vector<FrictionContact> contacts) : kind_(kind), contacts_(std::move(contacts)) {}
  const std::vector<FrictionContact>& contacts() const { return contacts_; }

  std::string name() const override { return "friction"; }
  ElementKind kind() const override { return kind_; }
  void stamp(Stamp& out) const override;
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override;
  Reads reads(int) const override { return Reads::coordinates; }
  /// Contact stays out of the constant Hessian.
  void quadratic(int, double, double* matrix) const override { matrix[0] = 0; }
  /// A SlipForm.
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override;

 private:
  ElementKind kind_;
  std::vector<FrictionContact> contacts_;
};

/// Elements of points or pairs with one contact each.
Term friction_term(Elements elements, std::vector<FrictionContact> contacts);

/// Friction of the obstacles of a model (Model::friction), with normal forces f_n = |grad psi| of their terms and k
/// the stiffness of these along the normal.
std::unique_ptr<ListedTerm> make_obstacle_friction(const Model& model);

/// "friction", a parameter of every obstacle: a number, or numbers by the names of bodies.
Params friction_params();
/// Its value for each of these bodies; 0 where it says nothing. InputError when it names another body or is no
/// coefficient.
std::vector<double> friction_of(const Settings& obstacle, const std::vector<std::string>& bodies);

}  // namespace resilin
