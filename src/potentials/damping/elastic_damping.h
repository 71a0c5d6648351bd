// Damping that is made of the material's own stiffness: beta times what the material declares stands in the
// constant Hessian. The Kernel is made from (elastic potential, beta, slots) and says what it reads.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <string>

#include "potentials/damping/damping.h"
#include "resilin/errors.h"

namespace resilin {

template <class Kernel>
class ElasticDamping final : public Dissipation {
 public:
  explicit ElasticDamping(const DampingSource& source)
      : name_(source.name),
        elastic_(source.elastic),
        beta_(source.coefficients(
            1, [](const Settings& s, int element, double* c) { c[0] = s.number("beta", element); })) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return elastic_->kind(); }
  Reads reads(int) const override { return Kernel::reads; }
  void viscosity(int element, double* matrix) const override {
    elastic_->quadratic(element, 1, matrix);
    const int rows = shape_of(kind()).rows;
    for (int i = 0; i < rows * rows; ++i) matrix[i] *= beta_.element(element)[0];
  }

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const override {
    return std::make_unique<Kernel>(*elastic_, beta_, slot_element);
  }
  void stamp_model(Stamp& out) const override {
    elastic_->stamp(out);
    out.add(std::span(beta_.values()));
  }

 private:
  std::string name_;
  std::shared_ptr<const Potential> elastic_;
  Coefficients beta_;
};

template <class Kernel>
std::shared_ptr<Dissipation> make_elastic_damping(const DampingSource& source) {
  if (source.elastic == nullptr)
    throw InputError(source.settings.where(),
                     fmt::format("{} reads the material's stiffness: it cannot be separate here", source.name));
  return std::make_shared<ElasticDamping<Kernel>>(source);
}

}  // namespace resilin
