#include <algorithm>

#include "potentials/damping/decorators.h"
#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

// Principal axes at z, and the factors D there.
struct Axes {
  Pack u[9], stretch[3], v[9], d[3], slope[3];  // slope: dD_j/dW_jj, zero for splines of strain

  // u^T a v
  void to_axes(const Pack a[9], Pack w[9]) const {
    Pack half[9];
    multiply_tn(u, a, half), multiply(half, v, w);
  }
  // u w v^T
  void from_axes(const Pack w[9], Pack a[9]) const {
    Pack half[9];
    multiply(u, w, half), multiply_nt(half, v, a);
  }
  // a -> u D (u^T a v) D v^T, a symmetric map.
  void scale(const Pack a[9], Pack out[9]) const {
    Pack w[9];
    to_axes(a, w);
    for (int i = 0; i < 9; ++i) w[i] *= d[i / 3] * d[i % 3];
    from_axes(w, out);
  }
};

class SplineByAxis final : public SplineKernel {
 public:
  using SplineKernel::SplineKernel;

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    alignas(64) double scaled[block_packs * 9 * lanes], r[block_packs * lanes], gradient[block_packs * 9 * lanes];
    Axes axes[block_packs];
    scale_rates(block, zdot, axes, scaled);
    inner().rate(block, scaled, {r, nullptr, gradient});
    for (int p = 0; p < block.packs; ++p) {
      if (out.r != nullptr) std::copy_n(r + p * lanes, lanes, out.r + p * lanes);
      if (out.by_rate == nullptr) continue;
      Pack rates[9], g[9], by[9];
      load_pack<9>(zdot, p, rates), load_pack<9>(gradient, p, g);
      by_rate(axes[p], rates, g, by);
      store_pack<9>(by, p, out.by_rate);
    }
    if (out.by_z != nullptr) difference_by_z(block, zdot, out.by_z);
  }

  // M H M with M the scaling; without the slope of D in rates, which may be negative.
  void curvature(const Block& block, const double* zdot, double* h) const override {
    alignas(64) double scaled[block_packs * 9 * lanes];
    Axes axes[block_packs];
    scale_rates(block, zdot, axes, scaled);
    inner().curvature(block, scaled, h);
    for (int p = 0; p < block.packs; ++p) {
      Pack full[9][9], column[9], out[9][9];
      double* lower = h + p * 45 * lanes;
      for (int i = 0, k = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j, ++k) full[i][j] = full[j][i] = load(lower + k * lanes);
      for (auto& row : full) axes[p].scale(row, row);  // H M, by rows of the symmetric H
      for (int j = 0; j < 9; ++j) {
        for (int i = 0; i < 9; ++i) column[i] = full[i][j];
        axes[p].scale(column, out[j]);
      }
      for (int i = 0, k = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j, ++k) store(lower + k * lanes, out[j][i]);
    }
  }

 private:
  void scale_rates(const Block& block, const double* zdot, Axes* axes, double* scaled) const {
    for (int p = 0; p < block.packs; ++p) {
      Pack z[9], rates[9], w[9];
      load_pack<9>(block.z, p, z), load_pack<9>(zdot, p, rates);
      Axes& a = axes[p];
      svd3(z, a.u, a.stretch, a.v);
      a.to_axes(rates, w);
      for (int j = 0; j < 3; ++j) set_factor(a, j, w[4 * j]);
      a.scale(rates, z);
      store_pack<9>(z, p, scaled);
    }
  }

  void set_factor(Axes& a, int j, Pack own_rate) const {
    const bool of_strain = of_ == SplineOf::strain;
    const Jet<Pack> s = evaluate_curve(&curve_, of_strain ? a.stretch[j] : abs(own_rate), Pack{});
    const Pack root = sqrt(max(s.d, 0.0));
    a.d[j] = sqrt(root);
    const Pack slope = s.dd / (4.0 * max(root * a.d[j], 1e-150));  // s'/(4 s^(3/4)); a zero of the curve is flat
    a.slope[j] = of_strain ? Pack{} : select(s.d > 1e-12, select(own_rate < 0.0, -slope, slope), Pack{});
  }

  // D_i D_j G_ij, and on the diagonal what D_k(W_kk) adds: dD_k sum_j D_j (G_kj W_kj + G_jk W_jk).
  static void by_rate(const Axes& a, const Pack rates[9], const Pack gradient[9], Pack by[9]) {
    Pack w[9], g[9], out[9];
    a.to_axes(rates, w), a.to_axes(gradient, g);
    for (int i = 0; i < 9; ++i) out[i] = a.d[i / 3] * a.d[i % 3] * g[i];
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        out[4 * k] += a.slope[k] * a.d[j] * (g[3 * k + j] * w[3 * k + j] + g[3 * j + k] * w[3 * j + k]);
    a.from_axes(out, by);
  }
};

}  // namespace

std::shared_ptr<Dissipation> spline_damping_by_axis(std::shared_ptr<Dissipation> inner, const ControlPoints& points,
                                                    SplineOf of) {
  return std::make_shared<SplineDecorator<SplineByAxis>>(std::move(inner), points, of);
}

}  // namespace resilin
