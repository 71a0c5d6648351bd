// Quadratic isometric bending (Bergou et al. 2006): z = sum K_a x_a over the four vertices of two triangles with a
// common edge, from the cotangents of their rest shape. In the plane z = 0; folded by the angle theta |z| = 2 l
// sin(theta/2), l the length of the edge. psi is quadratic, so its Hessian is constant:
//
//   E = D/2 sum |z|^2 / (A0 + A1)
//
// Bergou et al. write 3/(A0 + A1), where each edge stands for a third of its triangles. That is right for a sphere
// and three times too stiff for a cylinder, which is how sheets bend; 1/(A0 + A1) is exact for cylinders on regular
// meshes (docs/theory/shells.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "potentials/bending/bending.h"
#include "potentials/coordinate_potential.h"
#include "resilin/errors.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double flat_enough = 1;  // degrees: rest shapes that fold more are not flat

// c = z: three linear constraints.
struct FlatConstraint {
  static constexpr int rows = 1, constraints = 3, coefficients = 1;  // D
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    for (int j = 0; j < 3; ++j) {
      value[j] = z[j], stiffness[j] = c[0];
      for (int i = 0; i < 3; ++i) gradient[3 * j + i] = constant<T>(i == j ? 1 : 0);
    }
  }
};

class QuadraticKernel final : public Kernel {
 public:
  explicit QuadraticKernel(PackedCoefficients stiffness) : stiffness_(std::move(stiffness)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const Pack k = load(stiffness_.pack(block.first + p));
      Pack squares = {};
      for (int i = 3 * p; i < 3 * p + 3; ++i) {
        const Pack z = load(block.z + i * lanes);
        squares += z * z;
        if (block.dpsi_z != nullptr) add(block.dpsi_z + i * lanes, k * z);
      }
      add(block.psi + p * lanes, 0.5 * k * squares);
      if (block.d2psi_z != nullptr)
        for (const int diagonal : {0, 2, 5}) add(block.d2psi_z + (p * 6 + diagonal) * lanes, k);
    }
  }
  void project(const Block& block, double* projected) const override {
    std::fill_n(projected, block.packs * 3 * lanes, 0.0);
  }

 private:
  PackedCoefficients stiffness_;
};

class Quadratic final : public CoordinatePotential<QuadraticKernel, FlatConstraint> {
 public:
  using CoordinatePotential::CoordinatePotential;
  void quadratic(int element, double, double* matrix) const override { matrix[0] = numbers(element)[0]; }
  bool projects() const override { return true; }
};

Term make(const BendingSource& source) {
  Term term{"quadratic bending", Elements(ElementKind::hinge), {}};
  Coefficients stiffness(1);
  for (const Hinge& hinge : hinges(source.triangles)) {
    const double degrees = std::abs(hinge_angle(source.rest, hinge)) * 180 / std::numbers::pi;
    if (degrees > flat_enough)
      throw InputError(source.where,
                       fmt::format("the rest shape folds by {:.3g} degrees between triangles {} and {}, and "
                                   "quadratic bending pulls everything flat; use dihedral or mean_curvature",
                                   degrees, hinge.triangle[0], hinge.triangle[1]));
    const HingeShape shape = hinge_shape(source.rest, hinge);
    term.elements.add(hinge.v, shape.row, 1 / shape.areas);
    stiffness.add(std::array{hinge_stiffness(source, hinge)});
  }
  term.elastic = {std::make_shared<Quadratic>("quadratic", ElementKind::hinge, std::move(stiffness))};
  return term;
}

}  // namespace

BendingPlugin bending_quadratic() {
  return {
      "Quadratic bending of sheets that are flat at rest (Bergou et al. 2006): the energy is quadratic in "
      "positions, so its Hessian never changes.",
      bending_params(), make};
}

}  // namespace resilin
