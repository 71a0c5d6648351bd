
#include "potentials/damping/decorators.h"
#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

class SplineDamping final : public SplineKernel {
 public:
  using SplineKernel::SplineKernel;

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    alignas(64) double r[block_packs * lanes];
    inner().rate(block, zdot, {r, out.by_z, out.by_rate});
    for (int p = 0; p < block.packs; ++p) {
      const int at = p * 9 * lanes;
      Pack by_z[9] = {}, by_rate[9] = {};
      const Pack s =
          of_ == SplineOf::strain ? of_strain(block.z + at, by_z) : of_rate(block.z + at, zdot + at, by_z, by_rate);
      const Pack energy = load(r + p * lanes);
      if (out.r != nullptr) store(out.r + p * lanes, s * energy);
      scale(out.by_z, at, s, energy, by_z);
      scale(out.by_rate, at, s, energy, by_rate);
    }
  }

  // Without the slope of s in rates, which may be negative.
  void curvature(const Block& block, const double* zdot, double* h) const override {
    inner().curvature(block, zdot, h);
    for (int p = 0; p < block.packs; ++p) {
      Pack ignored[9], also[9];
      const int at = p * 9 * lanes;
      const Pack s = of_ == SplineOf::strain ? of_strain(block.z + at, ignored)
                                             : of_rate(block.z + at, zdot + at, ignored, also);
      for (int i = p * 45; i < (p + 1) * 45; ++i) store(h + i * lanes, s * load(h + i * lanes));
    }
  }

 private:
  // gradient = s gradient + R ds
  static void scale(double* gradient, int at, Pack s, Pack energy, const Pack ds[9]) {
    for (int i = 0; gradient != nullptr && i < 9; ++i)
      store(gradient + at + i * lanes, s * load(gradient + at + i * lanes) + energy * ds[i]);
  }

  // max_j s(stretch_j) with its gradient s' u_j v_j^T.
  Pack of_strain(const double* from, Pack by_z[9]) const {
    Pack z[9], u[9], stretch[3], v[9], best = {}, slope = {}, left[3] = {}, right[3] = {};
    load_pack<9>(from, 0, z);
    svd3(z, u, stretch, v);
    for (int j = 0; j < 3; ++j) {
      const Jet<Pack> s = evaluate_curve(&curve_, stretch[j], Pack{});
      const Mask more = j == 0 ? s.d == s.d : s.d > best;
      best = select(more, s.d, best), slope = select(more, s.dd, slope);
      for (int i = 0; i < 3; ++i)
        left[i] = select(more, u[3 * i + j], left[i]), right[i] = select(more, v[3 * i + j], right[i]);
    }
    for (int i = 0; i < 9; ++i) by_z[i] = slope * left[i / 3] * right[i % 3];
    return best;
  }

  // s(e), e = |E'|, E' = sym(z' z^T): de/dz' = E' z / e, de/dz = E' z' / e.
  Pack of_rate(const double* from, const double* rates, Pack by_z[9], Pack by_rate[9]) const {
    Pack z[9], w[9], half[9], strain[9];
    load_pack<9>(from, 0, z), load_pack<9>(rates, 0, w);
    multiply_nt(w, z, half);
    for (int i = 0; i < 9; ++i) strain[i] = 0.5 * (half[i] + half[3 * (i % 3) + i / 3]);
    const Pack size = frobenius_norm(strain);
    const Jet<Pack> s = evaluate_curve(&curve_, size, Pack{});
    const Pack factor = s.dd / max(size, 1e-150);
    multiply(strain, w, by_z), multiply(strain, z, by_rate);
    for (int i = 0; i < 9; ++i) by_z[i] *= factor, by_rate[i] *= factor;
    return s.d;
  }
};

}  // namespace

Curve damping_curve(const ControlPoints& points) {
  ControlPoints held = points;
  held.insert(held.begin(), {points.front()[0] - 1, points.front()[1]});
  held.push_back({points.back()[0] + 1, points.back()[1]});
  return {held, 0};
}

std::shared_ptr<Dissipation> spline_damping(std::shared_ptr<Dissipation> inner, const ControlPoints& points,
                                            SplineOf of) {
  return std::make_shared<SplineDecorator<SplineDamping>>(std::move(inner), points, of);
}

}  // namespace resilin
