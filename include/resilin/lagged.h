// Terms whose elements change while a simulation runs: contact. They stand outside of the partition and of the constant Hessian, so that a
// change costs no factorisation. A ContactModel is data of the Model; each Objective has a LaggedTerm of it, which may change.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

class LaggedTerm {
 public:
  virtual ~LaggedTerm() = default;
  /// Elements and potentials as they are now; elements of one connected component each.
  virtual const Term& term() const = 0;
  /// A stage begins, and what was lagged in the state is known; the same when it has ended, at x, to be kept. Arrays under names of its own.
  virtual void begin(const Stage& /*stage*/, const Memory& /*memory*/) {}
  virtual void end(const double* /*x*/, Memory& /*memory*/) {}
  /// Asked at every new iterate x (xyz of all vertices). True: elements or what they lag were changed, and Phi is another function now.
  virtual bool refresh(const double* /*x*/) { return false; }
  /// Phi is about to be evaluated at x: what counts there must be among the elements. Phi does not change by it. True: elements did.
  virtual bool cover(const double* /*x*/) { return false; }
  /// Lowers longest[c], the part of the step x + alpha d that component c may take.
  virtual void bound_step(const double* /*x*/, const double* /*d*/,
                          std::span<const int> /*component of each vertex*/, std::span<double> /*longest*/) const {}
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;
  virtual std::string name() const = 0;
  /// Every number that it depends on.
  virtual void stamp(Stamp& out) const = 0;
  virtual std::unique_ptr<LaggedTerm> make(const Model& model) const = 0;
};

}  // namespace resilin
