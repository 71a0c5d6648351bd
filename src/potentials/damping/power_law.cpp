#include <algorithm>
#include <cmath>

#include "potentials/damping/decorators.h"
#include "simd/pack.h"

namespace resilin {
namespace {

class PowerLaw final : public Decorator {
 public:
  PowerLaw(std::shared_ptr<Dissipation> inner, double p, double scale, double smoothing)
      : Decorator(std::move(inner)),
        q_((p + 1) / 2),
        scale_(scale),
        floor_(p < 1 ? smoothing * smoothing * scale : 0) {}

  void viscosity(int element, double* matrix) const override {
    Decorator::viscosity(element, matrix);
    for (int i = 0; i < rows() * rows(); ++i) matrix[i] *= q_;  // what it is at R = A
  }

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    alignas(64) double r[block_packs * lanes];
    inner().rate(block, zdot, {r, out.by_z, out.by_rate});
    for (int p = 0; p < block.packs; ++p) {
      const Powers at = powers(r + p * lanes);
      if (out.r != nullptr) store(out.r + p * lanes, at.value);
      for (double* gradient : {out.by_z, out.by_rate})
        for (int i = p * 3 * block.rows; gradient != nullptr && i < (p + 1) * 3 * block.rows; ++i)
          store(gradient + i * lanes, at.slope * load(gradient + i * lanes));
    }
  }

  // slope H + bend g g^T, positive semidefinite for p >= 0: g g^T <= 2 R H for R quadratic.
  void curvature(const Block& block, const double* zdot, double* h) const override {
    const int n = 3 * block.rows, h_count = n * (n + 1) / 2;
    alignas(64) double r[block_packs * lanes], g[block_packs * 9 * lanes];
    inner().rate(block, zdot, {r, nullptr, g});
    inner().curvature(block, zdot, h);
    for (int p = 0; p < block.packs; ++p) {
      const Powers at = powers(r + p * lanes);
      for (int i = 0, k = p * h_count; i < n; ++i)
        for (int j = 0; j <= i; ++j, ++k)
          store(h + k * lanes, at.slope * load(h + k * lanes) +
                                   at.bend * load(g + (p * n + i) * lanes) * load(g + (p * n + j) * lanes));
    }
  }

 private:
  // R' and its first and second derivative in R.
  struct Powers {
    Pack value, slope, bend;
  };
  Powers powers(const double* r) const {
    Powers out{};
    for (int l = 0; l < lanes; ++l) {
      const double x = (std::max(r[l], 0.0) + floor_) / scale_;
      out.value[l] = scale_ * (std::pow(x, q_) - std::pow(floor_ / scale_, q_));
      out.slope[l] = q_ * std::pow(x, q_ - 1);
      out.bend[l] = x > 1e-290 ? q_ * (q_ - 1) * std::pow(x, q_ - 2) / scale_ : 0;
    }
    return out;
  }

  double q_, scale_, floor_;
};

}  // namespace

std::shared_ptr<Dissipation> power_law(std::shared_ptr<Dissipation> inner, double p, double scale,
                                       double smoothing) {
  return std::make_shared<PowerLaw>(std::move(inner), p, scale, smoothing);
}

}  // namespace resilin
