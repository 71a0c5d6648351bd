// A potential that reads z alone and whose elements have a few numbers each, without what stands in the constant
// Hessian. K: its kernel, made from those numbers in packs; C: its constraints (compliant.h), with
//   static constexpr int coefficients;                         numbers per element
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "core/stamp.h"
#include "potentials/compliant.h"

namespace resilin {

template <class K, Constrains C>
class CoordinatePotential : public Potential {
 public:
  CoordinatePotential(std::string name, ElementKind kind, Coefficients numbers)
      : name_(std::move(name)), kind_(kind), numbers_(std::move(numbers)) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return kind_; }
  void stamp(Stamp& out) const override { out.add(name_), out.add(std::span(numbers_.values())); }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<K>(numbers_.pack(slot_element));
  }
  Reads reads(int) const override { return Reads::coordinates; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    return std::make_unique<PackedForm<C, C::coefficients>>(C{}, numbers_.pack(slot_element));
  }

 protected:
  const double* numbers(int element) const { return numbers_.element(element); }

 private:
  std::string name_;
  ElementKind kind_;
  Coefficients numbers_;
};

}  // namespace resilin
