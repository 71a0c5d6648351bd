// Terms whose elements change while a simulation runs: contact. They stand outside of the partition and of the constant Hessian, so that a
// change costs no factorisation. A ContactModel is data of the Model; each Objective has a ListedTerm of it, which may change.
#pragma once
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

class ThreadPool;

/// Two parts of surfaces that touch, or one that an obstacle would: Phi has about stiffness/2 (n . sum_i weight_i dx_i)^2 of it, and
/// tangential/2 times the square of the rest of that vector where it sticks.
struct PairStiffness {
  std::array<int, 4> vertices;
  std::array<double, 4> weight;  // sums to zero
  std::array<double, 3> normal;
  double stiffness, tangential = 0;  // [N/m]; tangential: of what stuck when the last stage ended
  std::array<double, 6> hessian =
      {};  // by the weighed sum of positions, lower triangle row by row; tangential: as it is now
};

class ListedTerm {
 public:
  virtual ~ListedTerm() = default;
  /// Elements and potentials as they are now, as many terms as ever. Components that an element couples are solved together.
  virtual std::span<const Term> terms() const = 0;
  /// A stage begins, and what was lagged in the state is known; the same when it has ended, at x, to be kept. Arrays under names of its own.
  virtual void begin(const Stage& /*stage*/, const Memory& /*memory*/) {}
  virtual void end(const double* /*x*/, Memory& /*memory*/) {}
  /// The stage has come to x, where it would end. False: something came near that was left out; it counts now, and the stage must be solved again.
  virtual bool settled(const Stage& /*stage*/, const double* /*x*/, const Memory& /*memory*/) { return true; }
  /// What refresh changed: nothing, elements that do not count at x, or Phi itself.
  enum class Change { nothing, elements, function };
  /// Asked at every new iterate x (xyz of all vertices).
  virtual Change refresh(const double* /*x*/) { return Change::nothing; }
  /// Phi is about to be evaluated at x: what counts there must be among the elements. Phi does not change by it. True: elements did.
  virtual bool cover(const double* /*x*/) { return false; }
  /// Vertices of bodies that may meet in this stage, two by two: their components are solved together from the start.
  virtual std::span<const std::array<int, 2>> meeting() const { return {}; }
  /// What touches at x, added to `pairs`: for preconditioners.
  virtual void touching(const double* /*x*/, std::vector<PairStiffness>& /*pairs*/) const {}
  /// Between bodies when the last stage ended [m]; infinite: none were near each other.
  virtual double smallest_gap() const { return std::numeric_limits<double>::infinity(); }
  /// Bodies of the model that pass through each other, added to `bodies`; one with itself.
  virtual void overlapping(std::vector<std::array<int, 2>>& /*bodies*/) const {}
  /// Whether reach and clip do anything.
  virtual bool bounds_steps() const { return false; }
  /// A stage would start at x: moves it to where it may come from `from`, a rigid motion of each island from where the step began. True: steps may
  /// begin at x only; false: at `from` as well.
  virtual bool reach(const double* /*from*/, double* /*x*/) { return false; }
  /// Shortens the steps of vertices from `from`, a point that is allowed, to `to` until that is allowed too. True when it had to;
  /// part[c] is lowered to the least part that a vertex of component c has left. `alike`: all vertices of a component have the same left.
  virtual bool clip(const double* /*from*/, double* /*to*/, std::span<const int> /*component of each vertex*/,
                    std::span<double> /*part*/, bool /*alike*/) {
    return false;
  }
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;
  virtual std::string name() const = 0;
  /// Elements of it couple vertices, and steps are shortened.
  virtual bool couples() const { return false; }
  /// It has Coulomb friction.
  virtual bool rubs() const { return false; }
  /// Every number that it depends on.
  virtual void stamp(Stamp& out) const = 0;
  virtual std::unique_ptr<ListedTerm> make(const Model& model, ThreadPool& pool) const = 0;
};

}  // namespace resilin
