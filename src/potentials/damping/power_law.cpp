#include <algorithm>
#include <cmath>

#include "potentials/damping/decorators.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// S(r) = tau A^(1-q) (k r^2/(2 tau^2))^q = b r^(p+1): the root of b (p + 1) r^p + w (r - distance) (X20), for p = 0
// a shrink. The left side rises, so that Newton's method kept within a bracket finds it.
class PowerRadius final : public DissipationKernel::Radius {
 public:
  PowerRadius(double p, double scale, double tau) : p_(p), scale_(scale), tau_(tau) {}

  Pack operator()(Pack k, Pack weight, Pack distance) const override {
    Pack out;
    for (int l = 0; l < lanes; ++l) out[l] = root(k[l], weight[l], distance[l]);
    return out;
  }

 private:
  double root(double k, double weight, double distance) const {
    const double q = (p_ + 1) / 2;
    const double slope = 2 * q * tau_ * std::pow(scale_, 1 - q) * std::pow(k / (2 * tau_ * tau_), q) / weight;
    if (p_ == 0 || !(distance > 0)) return std::max(0.0, distance - slope);
    double low = 0, high = distance, r = distance / (1 + slope * std::pow(distance, p_ - 1));
    for (int i = 0; i < 100 && high - low > 1e-16 * distance; ++i) {
      const double value = slope * std::pow(r, p_) + r - distance;
      (value > 0 ? high : low) = r;
      const double next = r - value / (slope * p_ * std::pow(r, p_ - 1) + 1);
      if (std::abs(next - r) <= 1e-16 * r) return r;
      r = next > low && next < high ? next : 0.5 * (low + high);
    }
    return r;
  }

  double p_, scale_, tau_;
};

struct PowerNumbers {
  double p, q, scale, floor;
};

class PowerKernel final : public DecoratorKernel {
 public:
  PowerKernel(std::unique_ptr<DissipationKernel> inner, const PowerNumbers& numbers)
      : DecoratorKernel(std::move(inner)), n_(numbers) {}

  void local_step(const Block& block, const double* weight, double* z) const override {
    inner().radial_step(block, weight, PowerRadius(n_.p, n_.scale, block.tau), z);
  }

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    alignas(64) double r[block_packs * lanes];
    inner().rate(block, zdot, {r, out.by_z, out.by_rate});
    raise(block, r, out);
  }
  void stage_rate(const Block& block, const double* w, const Rate& out) const override {
    alignas(64) double r[block_packs * lanes];
    inner().stage_rate(block, w, {r, out.by_z, out.by_rate});
    raise(block, r, out);
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
  // From R and its gradients in `out` to those of R'.
  void raise(const Block& block, const double* r, const Rate& out) const {
    for (int p = 0; p < block.packs; ++p) {
      const Powers at = powers(r + p * lanes);
      if (out.r != nullptr) store(out.r + p * lanes, at.value);
      for (double* gradient : {out.by_z, out.by_rate})
        for (int i = p * 3 * block.rows; gradient != nullptr && i < (p + 1) * 3 * block.rows; ++i)
          store(gradient + i * lanes, at.slope * load(gradient + i * lanes));
    }
  }

  // R' and its first and second derivative in R.
  struct Powers {
    Pack value, slope, bend;
  };
  Powers powers(const double* r) const {
    Powers out{};
    for (int l = 0; l < lanes; ++l) {
      const double x = (std::max(r[l], 0.0) + n_.floor) / n_.scale;
      out.value[l] = n_.scale * (std::pow(x, n_.q) - std::pow(n_.floor / n_.scale, n_.q));
      out.slope[l] = x > 1e-290 || n_.q >= 1 ? n_.q * std::pow(x, n_.q - 1)
                                             : 0;  // at rest any force up to a bound will do: none
      out.bend[l] = x > 1e-290 ? n_.q * (n_.q - 1) * std::pow(x, n_.q - 2) / n_.scale : 0;
    }
    return out;
  }

  PowerNumbers n_;
};

class PowerLaw final : public Decorator {
 public:
  PowerLaw(std::shared_ptr<const Dissipation> inner, const PowerNumbers& numbers)
      : Decorator(std::move(inner)), n_(numbers) {}

  void viscosity(int element, double* matrix) const override {
    Decorator::viscosity(element, matrix);
    const int rows = shape_of(kind()).rows;
    for (int i = 0; i < rows * rows; ++i) matrix[i] *= n_.q;  // what it is at R = A
  }
  bool smooth() const override { return n_.p >= 1 || n_.floor > 0; }
  // Only of the function as it is: with smoothing S would be another one.
  bool has_local_step() const override {
    return inner().radial() && !second_order() && (n_.p >= 1 || n_.floor == 0);
  }

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const override {
    return std::make_unique<PowerKernel>(inner().pack_damping(slot_element), n_);
  }
  void stamp_model(Stamp& out) const override {
    Decorator::stamp_model(out);
    for (const double number : {n_.p, n_.scale, n_.floor}) out.add(number);
  }

 private:
  PowerNumbers n_;
};

}  // namespace

std::shared_ptr<Dissipation> power_law(std::shared_ptr<Dissipation> inner, double p, double scale,
                                       double smoothing) {
  return std::make_shared<PowerLaw>(std::move(inner),
                                    PowerNumbers{p, (p + 1) / 2, scale, p < 1 ? smoothing * smoothing * scale : 0});
}

}  // namespace resilin
