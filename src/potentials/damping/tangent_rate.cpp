#include "potentials/damping/tangent_rate.h"

#include <algorithm>

#include "potentials/damping/elastic_hessian.h"
#include "potentials/stretch_modes.h"
#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

// A flip eigenvalue at gap g carries round-off e/g, so both lengths are near e^(1/4), where that and the error of
// second order agree.
constexpr double step = 5e-5;   // of differences in a stretch
constexpr double apart = 2e-4;  // stretches nearer than this are moved apart where their gap divides

// One pack in the axes of z.
struct Axes {
  Axes() = default;
  Axes(const double* z, const double* zdot) {
    Pack from[9], rate[9], half[9];
    for (int i = 0; i < 9; ++i) from[i] = load(z + i * lanes), rate[i] = load(zdot + i * lanes);
    svd3(from, u, s, v);
    multiply_tn(u, rate, half), multiply(half, v, w);
  }
  Pack plus(int i, int j) const { return w[3 * i + j] + w[3 * j + i]; }
  Pack minus(int i, int j) const { return w[3 * i + j] - w[3 * j + i]; }
  // u m v^T
  void back(const Pack m[9], double* to) const {
    Pack half[9], full[9];
    multiply(u, m, half), multiply_nt(half, v, full);
    for (int i = 0; i < 9; ++i) store(to + i * lanes, full[i]);
  }
  Pack u[9] = {}, s[3] = {}, v[9] = {}, w[9] = {};
};

// dR/dW
void by_rates(const StretchModes& m, const Axes& a, Pack out[9]) {
  for (int i = 0; i < 3; ++i)
    out[4 * i] = m.h[m.full[i][0]] * a.w[0] + m.h[m.full[i][1]] * a.w[4] + m.h[m.full[i][2]] * a.w[8];
  for (int k = 0; k < 3; ++k) {
    const int i = m.pair[k][0], j = m.pair[k][1];
    const Pack flipped = 0.5 * m.flip[k] * a.plus(i, j), twisted = 0.5 * m.twist[k] * a.minus(i, j);
    out[3 * i + j] = flipped + twisted, out[3 * j + i] = flipped - twisted;
  }
}

Pack value(const StretchModes& m, const Axes& a) {
  Pack g[9], sum = {};
  by_rates(m, a, g);
  for (int i = 0; i < 9; ++i) sum += a.w[i] * g[i];
  return 0.5 * sum;
}

// The derivative of 2 R by the angle t when u and v turn alike in plane (i, j), dW = t [W, A] with A_ij = 1 =
// -A_ji. All of it but what stands with `even` is odd under an exchange of s_i and s_j.
Pack turned_alike(const StretchModes& m, const Axes& a, int k, Pack even) {
  const int i = m.pair[k][0], j = m.pair[k][1];
  const auto h = [&](int r, int c) { return m.h[m.full[r][c]]; };
  const Pack mean = 0.5 * (a.w[4 * i] + a.w[4 * j]), half = 0.5 * (a.w[4 * i] - a.w[4 * j]);
  const Pack odd = (h(i, i) - h(j, j)) * mean + (h(i, k) - h(j, k)) * a.w[4 * k];
  const Pack rest = even * (h(i, i) + h(j, j) - 2.0 * h(i, j) - 2.0 * m.flip[k]) * half;
  return (m.flip[i] - m.flip[j]) * a.plus(j, k) * a.plus(i, k) +
         (m.twist[i] - m.twist[j]) * a.minus(i, k) * a.minus(j, k) - 2.0 * a.plus(i, j) * (odd + rest);
}

// The same when they turn against each other, dW = -t (A W + W A).
Pack turned_against(const StretchModes& m, const Axes& a, int k) {
  const int i = m.pair[k][0], j = m.pair[k][1];
  Pack both = -2.0 * m.twist[k] * (a.w[4 * i] + a.w[4 * j]);
  for (int c = 0; c < 3; ++c) both += 2.0 * (m.h[m.full[i][c]] + m.h[m.full[j][c]]) * a.w[4 * c];
  return a.minus(i, j) * both + (m.flip[i] - m.twist[j]) * a.plus(j, k) * a.minus(i, k) +
         (m.twist[i] - m.flip[j]) * a.plus(i, k) * a.minus(j, k);
}

// K of a block at its stretches, or at others.
class Tangent {
 public:
  Tangent(const TermKernels& elastic, const Block& block, const double* zdot) : elastic_(elastic), block_(block) {
    for (int p = 0; p < block.packs; ++p) {
      axes_[p] = Axes(block.z + p * 9 * lanes, zdot + p * 9 * lanes);
      for (int i = 0; i < 3; ++i) store(s_ + (p * 3 + i) * lanes, axes_[p].s[i]);
    }
  }

  void set(const DissipationKernel::Rate& out) {
    at(s_, [&](int p, const Pack*, const StretchModes& m) {
      Pack g[9];
      if (out.by_z != nullptr) turn_against(p, m);
      if (out.r != nullptr) store(out.r + p * lanes, value(m, axes_[p]));
      if (out.by_rate == nullptr) return;
      by_rates(m, axes_[p], g);
      axes_[p].back(g, out.by_rate + p * 9 * lanes);
    });
    if (out.by_z == nullptr) return;
    for (int k = 0; k < 3; ++k) stretch(k), turn_alike(k);
    for (int p = 0; p < block_.packs; ++p) axes_[p].back(by_z_[p], out.by_z + p * 9 * lanes);
  }

 private:
  // use(p, stretches, modes) for every pack.
  template <class Use>
  void at(const double* s, Use&& use) const {
    const ElasticStretches elastic(elastic_, block_, s);
    for (int p = 0; p < block_.packs; ++p) {
      Pack stretches[3], d[3], h[6];
      load_pack<3>(s, p, stretches), load_pack<3>(elastic.dpsi_s, p, d);
      load_pack<6>(elastic.d2psi_s, p, h);
      use(p, stretches, StretchModes(stretches, d, h, true));
    }
  }

  // dR/ds_i
  void stretch(int i) {
    for (const double by : {step, -step}) {
      alignas(64) double moved[size];
      std::copy_n(s_, block_.packs * 3 * lanes, moved);
      for (int p = 0; p < block_.packs; ++p) store(moved + (p * 3 + i) * lanes, axes_[p].s[i] + by);
      at(moved,
         [&](int p, const Pack*, const StretchModes& m) { by_z_[p][4 * i] += value(m, axes_[p]) / (2 * by); });
    }
  }

  // By the difference of the entries ij and ji of u^T dz v: u and v turn against each other by 1/(2 (s_i + s_j)) of
  // it.
  void turn_against(int p, const StretchModes& m) {
    for (int k = 0; k < 3; ++k) {
      const int i = m.pair[k][0], j = m.pair[k][1];
      const Pack sum = axes_[p].s[i] + axes_[p].s[j];
      const Pack slope = 0.25 * turned_against(m, axes_[p], k) / copysign(max(abs(sum), 1e-6), sum);
      by_z_[p][3 * i + j] += slope, by_z_[p][3 * j + i] -= slope;
    }
  }

  // By their sum: they turn alike by -1/(2 (s_i - s_j)) of it. Near s_i = s_j everything over the gap is even in
  // the gap, but for what is odd and goes to zero with it: found with the two stretches a little apart, both to
  // second order.
  void turn_alike(int k) {
    const int i = StretchModes::pair[k][0], j = StretchModes::pair[k][1];
    alignas(64) double moved[size];
    std::copy_n(s_, block_.packs * 3 * lanes, moved);
    for (int p = 0; p < block_.packs; ++p) {
      const Pack* s = axes_[p].s;
      const Pack gap = s[i] - s[j], least = apart * max(abs(s[i]), 1.0);
      const Mask near = abs(gap) < least;
      const Pack mean = 0.5 * (s[i] + s[j]), half = 0.5 * copysign(least, gap);
      store(moved + (p * 3 + i) * lanes, select(near, mean + half, s[i]));
      store(moved + (p * 3 + j) * lanes, select(near, mean - half, s[j]));
    }
    at(moved, [&](int p, const Pack* s, const StretchModes& m) {
      const Pack gap = s[i] - s[j], true_gap = axes_[p].s[i] - axes_[p].s[j];
      const Pack slope = -0.25 * turned_alike(m, axes_[p], k, true_gap / gap) / gap;
      by_z_[p][3 * i + j] += slope, by_z_[p][3 * j + i] += slope;
    });
  }

  static constexpr int size = block_packs * 3 * lanes;
  const TermKernels& elastic_;
  const Block& block_;
  Axes axes_[block_packs];
  alignas(64) double s_[size];
  Pack by_z_[block_packs][9] = {};
};

}  // namespace

void tangent_rate(const TermKernels& elastic, const Block& block, const double* zdot,
                  const DissipationKernel::Rate& out) {
  Tangent(elastic, block, zdot).set(out);
}

}  // namespace resilin
