#include "potentials/fibre.h"

#include <cassert>
#include <cmath>

#include "potentials/coordinate_potential.h"
#include "resilin/errors.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// A fibre squeezed to a point has no direction: below this length its force fades to zero.
constexpr double least_length = 1e-9;

// c = |F d| - 1.
struct FibreConstraint {
  static constexpr int rows = 3, constraints = 1, coefficients = 4;  // kappa, d
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    const T* d = c + 1;
    T w[3], n[3];
    for (int k = 0; k < 3; ++k) w[k] = dot3(d[0], d[1], d[2], z[k], z[3 + k], z[6 + k]);
    value[0] = length_constraint<3>(w, n) - 1.0;
    for (int i = 0; i < 9; ++i) gradient[i] = d[i / 3] * n[i % 3];
    stiffness[0] = c[0];
  }
};

class FibreKernel final : public Kernel {
 public:
  explicit FibreKernel(PackedCoefficients coefficients) : coefficients_(std::move(coefficients)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack c[4], z[9], w[3];
      load_pack<4>(coefficients_.pack(block.first + p), 0, c);
      load_pack<9>(block.z, p, z);
      const Pack kappa = c[0], *d = c + 1;
      for (int k = 0; k < 3; ++k) w[k] = d[0] * z[k] + d[1] * z[3 + k] + d[2] * z[6 + k];  // F d, as z = F^T
      const Pack length = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), safe = max(length, least_length);
      const Pack gap = length - 1.0;
      add(block.psi, p, 0.5 * kappa * gap * gap);
      for (Pack& component : w) component /= safe;  // now the direction n
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 9; ++i) add(block.dpsi_z, p * 9 + i, kappa * gap * d[i / 3] * w[i % 3]);
      if (block.d2psi_z != nullptr) add_hessian(block, p, kappa, d, w, kappa * (gap / safe));
    }
  }

 private:
  // In F d: kappa n n^T + across (1 - n n^T), across = kappa (1 - 1/|F d|) negative in compression; times d d^T.
  static void add_hessian(Block& block, int p, Pack kappa, const Pack* d, const Pack* n, Pack across) {
    if (block.filter) across = max(across, 0.0);
    Pack h[9];
    for (int i = 0; i < 9; ++i) h[i] = (kappa - across) * n[i / 3] * n[i % 3] + (i % 4 == 0 ? across : Pack{});
    for (int i = 0, at = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j, ++at)
        add(block.d2psi_z, p * 45 + at, d[i / 3] * d[j / 3] * h[3 * (i % 3) + j % 3]);
  }

  PackedCoefficients coefficients_;
};

class Fibre final : public CoordinatePotential<FibreKernel, FibreConstraint> {
 public:
  using CoordinatePotential::CoordinatePotential;
  // kappa/2 |F d - p|^2 with the unit vector p nearest to F d: kappa d d^T on the rows of z.
  void quadratic(int element, double, double* matrix) const override {
    const double* c = numbers(element);
    for (int r = 0; r < 3; ++r)
      for (int q = 0; q < 3; ++q) matrix[3 * r + q] = c[0] * c[1 + r] * c[1 + q];
  }
};

}  // namespace

std::shared_ptr<const Potential> make_fibre(std::span<const double> stiffness,
                                            std::span<const std::array<double, 3>> directions) {
  assert(!stiffness.empty() && !directions.empty());
  const std::size_t count = std::max(stiffness.size(), directions.size());
  if ((stiffness.size() != 1 && stiffness.size() != count) ||
      (directions.size() != 1 && directions.size() != count))
    throw InputError("fibre", "stiffness and direction have " + std::to_string(stiffness.size()) + " and " +
                                  std::to_string(directions.size()) +
                                  " values: give one per element or one for all");
  Coefficients coefficients(FibreConstraint::coefficients);
  for (std::size_t i = 0; i < count; ++i) {
    const double kappa = stiffness[stiffness.size() == 1 ? 0 : i];
    const auto& d = directions[directions.size() == 1 ? 0 : i];
    const double length = std::hypot(d[0], d[1], d[2]);
    if (!(kappa > 0) || !std::isfinite(kappa))
      throw InputError("fibre", "stiffness of element " + std::to_string(i) + " is " + std::to_string(kappa) +
                                    ": must be > 0 Pa");
    if (!(length > 0) || !std::isfinite(length))
      throw InputError("fibre", "direction of element " + std::to_string(i) + " is zero or not finite");
    coefficients.add(std::array{kappa, d[0] / length, d[1] / length, d[2] / length});
  }
  return std::make_shared<Fibre>("fibre", ElementKind::tet, std::move(coefficients));
}

}  // namespace resilin
