#include "potentials/spring.h"

#include <array>

#include "potentials/coordinate_potential.h"
#include "simd/mat3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double tiny = 1e-150;  // a spring of zero length has no direction: its force is then taken as zero

// r: the length that z is to have, negative where z is on the wrong side.
template <int R, Real T>
RESILIN_INLINE T signed_length(const T* z, T rest) {
  if constexpr (R == 1) return rest;
  else return select(rest * determinant(z) >= 0.0, abs(rest), -abs(rest));
}

// c = |z| - r.
template <int R>
struct SpringConstraint {
  static constexpr int rows = R, constraints = 1, coefficients = 2;  // k, l
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    value[0] = length_constraint<3>(z, gradient) - signed_length<R>(z, c[1]);
    for (int i = 3; i < 3 * R; ++i) gradient[i] = constant<T>(0);
    stiffness[0] = c[0];
  }
};

template <int R>
class SpringKernel final : public Kernel {
 public:
  explicit SpringKernel(PackedCoefficients coefficients) : coefficients_(std::move(coefficients)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      const double* c = coefficients_.pack(block.first + p);
      const Pack k = load(c);
      Pack z[3 * R], n[3], length;
      direction(block.z + p * 3 * R * lanes, z, n, length);
      const Pack rest = signed_length<R>(z, load(c + lanes)), gap = length - rest;
      add(block.psi + p * lanes, 0.5 * k * gap * gap);
      if (block.dpsi_z != nullptr)
        for (int i = 0; i < 3; ++i) add(block.dpsi_z + (p * 3 * R + i) * lanes, k * gap * n[i]);
      if (block.d2psi_z == nullptr) continue;
      // k n n^T + k (1 - r/|z|) (1 - n n^T): the second part is negative in compression. Without a length it is k,
      // at z = 0 too.
      Pack across = select(abs(rest) > 0.0, k * (gap / max(length, tiny)), k);
      if (block.filter) across = max(across, 0.0);
      double* to = block.d2psi_z + static_cast<std::ptrdiff_t>(p) * (3 * R * (3 * R + 1) / 2) * lanes;
      for (int i = 0, at = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j, ++at)
          add(to + at * lanes, (k - across) * n[i] * n[j] + (i == j ? across : Pack{}));
    }
  }

  void project(const Block& block, double* projected) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[3 * R], n[3], length;
      direction(block.z + p * 3 * R * lanes, z, n, length);
      const Pack rest = signed_length<R>(z, load(coefficients_.pack(block.first + p) + lanes));
      double* to = projected + p * 3 * R * lanes;
      // Any point of the sphere is nearest to its centre; staying at z gives no force, as in evaluate.
      for (int i = 0; i < 3; ++i) store(to + i * lanes, select(length > tiny, rest * n[i], z[i]));
      for (int i = 3; i < 3 * R; ++i) store(to + i * lanes, z[i]);
    }
  }

 private:
  static void direction(const double* from, Pack z[3 * R], Pack n[3], Pack& length) {
    load_pack<3 * R>(from, 0, z);
    length = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    const Pack inverse = select(length > tiny, 1.0 / max(length, tiny), Pack{});
    for (int i = 0; i < 3; ++i) n[i] = z[i] * inverse;
  }
  PackedCoefficients coefficients_;
};

template <int R>
class Spring final : public CoordinatePotential<SpringKernel<R>, SpringConstraint<R>> {
 public:
  using CoordinatePotential<SpringKernel<R>, SpringConstraint<R>>::CoordinatePotential;
  void quadratic(int element, double, double* matrix) const override {
    for (int i = 0; i < R * R; ++i) matrix[i] = i % (R + 1) == 0 ? this->numbers(element)[0] : 0;
  }
  bool projects() const override { return true; }
};

}  // namespace

std::shared_ptr<const Potential> make_spring(std::span<const double> stiffness,
                                             std::span<const double> rest_length) {
  return make_spring(ElementKind::edge, "spring", stiffness, rest_length);
}

std::shared_ptr<const Potential> make_spring(ElementKind kind, std::string name, std::span<const double> stiffness,
                                             std::span<const double> rest_length) {
  Coefficients numbers(2);
  for (std::size_t i = 0; i < stiffness.size(); ++i) numbers.add(std::array{stiffness[i], rest_length[i]});
  if (shape_of(kind).rows == 3) return std::make_shared<Spring<3>>(std::move(name), kind, std::move(numbers));
  return std::make_shared<Spring<1>>(std::move(name), kind, std::move(numbers));
}

}  // namespace resilin
