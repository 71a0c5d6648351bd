// What every material must satisfy, as functions: used by the contract test over the registry and by tests of
// single materials with settings of their own. F below is a row-major 3 x 3 matrix that stands for z = F^T.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <utility>

#include "core/aligned.h"
#include "potentials/evaluate.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {

using Matrix = std::array<double, 9>;
using Stretches = std::array<double, 3>;

inline Settings read_settings(const MaterialPlugin& plugin, Value::Object object = {}) {
  Value value(std::move(object));
  value.locate("test", "material");
  return plugin.params.read(value);
}

/// The potential for 8 elements with the same settings.
inline std::shared_ptr<const Potential> make_potential(const MaterialPlugin& plugin, const Settings& settings) {
  std::vector<ElementSettings> elements;
  for (int i = 0; i < lanes; ++i) elements.push_back({&settings, i});
  return plugin.make(elements);
}

using Slots = std::array<int, lanes>;
constexpr Slots in_order = {0, 1, 2, 3, 4, 5, 6, 7};

inline double fitted_stiffness(const MaterialPlugin& plugin, Value::Object object = {}) {
  const Settings settings = read_settings(plugin, std::move(object));
  double matrix[9];
  make_potential(plugin, settings)->quadratic(0, 1, matrix);
  return matrix[0];
}

/// One pack and all its arrays.
struct TestBlock {
  AlignedVector<double> data = AlignedVector<double>(lanes * (9 + 9 + 3 + 9 + 9 + 1 + 3 + 9 + 6 + 45), 0.0);
  Block block;
  TestBlock() {
    double* at = data.data();
    const auto next = [&](int components) { return std::exchange(at, at + components * lanes); };
    block.packs = 1;
    block.z = next(9), block.u = next(9), block.s = next(3), block.v = next(9), block.r = next(9);
    block.psi = next(1), block.dpsi_s = next(3), block.dpsi_z = next(9), block.d2psi_s = next(6),
    block.d2psi_z = next(45);
  }
  static double& at(const double* array, int component, int lane) {
    return const_cast<double*>(array)[component * lanes + lane];
  }
};

struct Evaluated {
  double psi = 0;
  Matrix p = {};                  // dpsi/dz
  std::array<double, 81> h = {};  // d2psi/dz2
};

/// psi and derivatives of one matrix, through the same way as the objective goes. All lanes hold it.
inline Evaluated evaluate_at(const std::shared_ptr<const Potential>& potential, const Matrix& f, int derivatives,
                             bool filter = false) {
  TestBlock test;
  test.block.filter = filter;
  for (int i = 0; i < 9; ++i)
    for (int l = 0; l < lanes; ++l) TestBlock::at(test.block.z, i, l) = f[i];
  evaluate(TermKernels(*potential, in_order), test.block, derivatives);
  Evaluated out;
  constexpr int lane = 5;
  out.psi = TestBlock::at(test.block.psi, 0, lane);
  for (int i = 0; i < 9; ++i) out.p[i] = TestBlock::at(test.block.dpsi_z, i, lane);
  for (int i = 0, at = 0; i < 9; ++i)
    for (int j = 0; j <= i; ++j, ++at)
      out.h[9 * i + j] = out.h[9 * j + i] = TestBlock::at(test.block.d2psi_z, at, lane);
  return out;
}

struct InStretches {
  double psi = 0;
  Stretches d = {};
  std::array<double, 6> h = {};  // 00 11 22 12 02 01
};
/// The stretches path, for any s; z, u and v are not those of s and must not be read.
inline std::array<InStretches, lanes> evaluate_lanes(const Potential& potential,
                                                     const std::array<Stretches, lanes>& s,
                                                     const Slots& slots = in_order) {
  TestBlock test;
  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < lanes; ++l) TestBlock::at(test.block.s, i, l) = s[l][i];
  potential.pack(slots)->evaluate(test.block);
  std::array<InStretches, lanes> out;
  for (int l = 0; l < lanes; ++l) {
    out[l].psi = TestBlock::at(test.block.psi, 0, l);
    for (int i = 0; i < 3; ++i) out[l].d[i] = TestBlock::at(test.block.dpsi_s, i, l);
    for (int i = 0; i < 6; ++i) out[l].h[i] = TestBlock::at(test.block.d2psi_s, i, l);
  }
  return out;
}
inline InStretches evaluate_stretches(const Potential& potential, const Stretches& s) {
  std::array<Stretches, lanes> all;
  all.fill(s);
  return evaluate_lanes(potential, all)[0];
}

inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c;
  multiply(a.data(), b.data(), c.data());
  return c;
}
inline Matrix transposed(const Matrix& a) {
  Matrix c;
  transpose(a.data(), c.data());
  return c;
}
inline Matrix diagonal(double x, double y, double z) { return {x, 0, 0, 0, y, 0, 0, 0, z}; }
inline double largest(std::span<const double> a) {
  double m = 0;
  for (double v : a) m = std::max(m, std::abs(v));
  return m;
}
inline Matrix random_matrix(std::mt19937& rng) {
  std::uniform_real_distribution<double> entry(-1.5, 1.5);
  Matrix f;
  for (double& v : f) v = entry(rng);
  return f;
}
inline Matrix random_rotation(std::mt19937& rng) {
  Matrix u, v, f = random_matrix(rng);
  double s[3];
  svd3(f.data(), u.data(), s, v.data());
  return u;
}
inline Stretches stretches_of(const Matrix& f) {
  Matrix u, v;
  Stretches s;
  svd3(f.data(), u.data(), s.data(), v.data());
  return s;
}
/// Distance from the set where energies of stretches that are not polynomial in F have no derivative (E3).
inline double smoothness(const Matrix& f) {
  const Stretches s = stretches_of(f);
  return std::abs(s[1] + s[2]);
}

/// Moderate and degenerate matrices: inverted, flat, rank one, equal stretches, zero.
inline std::vector<Matrix> sample_matrices(std::mt19937& rng, int random) {
  std::vector<Matrix> out = {diagonal(1.3, 1.3, 1.3), diagonal(0.7, 0.7, 1.2), diagonal(1.2, 0.9, 0),
                             diagonal(1.1, 0, 0),     diagonal(0, 0, 0),       diagonal(1, 1, -1),
                             diagonal(1.4, 0.8, -0.6)};
  for (std::size_t i = 0; i < 7; ++i) out.push_back(product(random_rotation(rng), out[i]));
  for (int i = 0; i < random; ++i) out.push_back(random_matrix(rng));
  return out;
}

// ---- The checks -------------------------------------------------------------------------------------------------

/// E73: psi -> dpsi to 1e-7, dpsi -> d2psi to 1e-6, both relative to the largest entry.
inline void check_derivatives(const std::shared_ptr<const Potential>& potential, const Matrix& f, double k) {
  const Evaluated here = evaluate_at(potential, f, 2), first = evaluate_at(potential, f, 1);
  ASSERT_TRUE(std::isfinite(here.psi));
  for (double v : here.p) ASSERT_TRUE(std::isfinite(v));
  for (double v : here.h) ASSERT_TRUE(std::isfinite(v));
  const double scale = largest(here.p) + k;
  EXPECT_NEAR(here.psi, first.psi, 1e-10 * (std::abs(here.psi) + k));  // stretches path == invariants path
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(here.p[i], first.p[i], 1e-10 * scale);
  // Energies by invariants are smooth everywhere; the others have no derivative where two stretches are opposite.
  if (smoothness(f) < 0.02 && potential->reads(1) != Reads::coordinates) return;
  const auto moved = [&](int i, double h) {
    Matrix g = f;
    g[i] += h;
    return g;
  };
  for (int i = 0; i < 9; ++i) {
    const auto psi = [&](double h) { return evaluate_at(potential, moved(i, h), 1).psi; };
    const double h = 1e-4, difference = (8 * (psi(h) - psi(-h)) - (psi(2 * h) - psi(-2 * h))) / (12 * h);
    EXPECT_NEAR(here.p[i], difference, 1e-7 * scale) << "component " << i;
  }
  const double hessian_scale = largest(here.h) + k;
  for (int i = 0; i < 9; ++i) {
    const double h = 1e-6;
    const Matrix plus = evaluate_at(potential, moved(i, h), 1).p, minus = evaluate_at(potential, moved(i, -h), 1).p;
    for (int j = 0; j < 9; ++j)
      EXPECT_NEAR(here.h[9 * i + j], (plus[j] - minus[j]) / (2 * h), 1e-6 * hessian_scale) << i << ' ' << j;
  }
}

/// d2psi in stretches by differences, also where the way to z is singular: equal, opposite and zero stretches.
inline void check_stretch_derivatives(const Potential& potential, const Stretches& s, double k) {
  static constexpr int index[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  const InStretches here = evaluate_stretches(potential, s);
  const double scale = largest(here.d) + k, hessian_scale = largest(here.h) + k, h = 1e-6;
  for (int i = 0; i < 3; ++i) {
    Stretches plus = s, minus = s;
    plus[i] += h, minus[i] -= h;
    const InStretches after = evaluate_stretches(potential, plus), before = evaluate_stretches(potential, minus);
    EXPECT_NEAR(here.d[i], (after.psi - before.psi) / (2 * h), 1e-7 * scale + 1e-9 * std::abs(here.psi));
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(here.h[index[i][j]], (after.d[j] - before.d[j]) / (2 * h), 1e-6 * hessian_scale) << i << ' ' << j;
  }
}

/// E85, and zero torque: psi(QFR) = psi(F), P(QFR) = Q P R, P F^T symmetric.
inline void check_invariance(const std::shared_ptr<const Potential>& potential, const Matrix& f, double k,
                             std::mt19937& rng) {
  const Matrix q = random_rotation(rng), r = random_rotation(rng);
  const Evaluated here = evaluate_at(potential, f, 1);
  const Evaluated there = evaluate_at(potential, product(product(q, f), r), 1);
  // Rounding moves F by 1e-16 |F|, and psi by that times the stress.
  EXPECT_NEAR(here.psi, there.psi, 1e-12 * (std::abs(here.psi) + k + largest(here.p)));
  if (smoothness(f) < 1e-6) return;
  const Matrix turned = product(product(q, here.p), r);
  const double scale = largest(here.p) + k;
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(turned[i], there.p[i], 1e-10 * scale);
  const Matrix torque = product(transposed(here.p), f);
  EXPECT_NEAR(torque[1], torque[3], 1e-10 * scale);
  EXPECT_NEAR(torque[2], torque[6], 1e-10 * scale);
  EXPECT_NEAR(torque[5], torque[7], 1e-10 * scale);
}

/// Eight different lanes give what the scalar energy gives.
inline void check_lanes(const Potential& potential,
                        const std::function<StretchJet<double>(const Stretches&)>& energy, double k,
                        const std::array<Stretches, lanes>& s) {
  const auto packed = evaluate_lanes(potential, s);
  for (int l = 0; l < lanes; ++l) {
    const StretchJet<double> one = energy(s[l]);
    const double size = std::abs(one.psi) + largest(one.d) + k;
    EXPECT_NEAR(packed[l].psi, one.psi, 1e-12 * size);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(packed[l].d[i], one.d[i], 1e-11 * size);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(packed[l].h[i], one.h[i], 1e-11 * (size + largest(one.h)));
  }
}

/// The same against the functions of one variable, of materials that have them.
inline void check_functions(const Potential& potential, const ValanisLandelFunctions& functions,
                            const std::array<Stretches, lanes>& s) {
  const auto packed = evaluate_lanes(potential, s);
  for (int l = 0; l < lanes; ++l) {
    double psi = 0, size = 0;
    Stretches d = {};
    const auto add = [&](double f) { psi += f, size += std::abs(f); };
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Jet<double> a = functions.a(s[l][i]), b = functions.b(s[l][j] * s[l][k]);
      add(a.f), add(b.f);
      d[i] += a.d, d[j] += b.d * s[l][k], d[k] += b.d * s[l][j];
    }
    const Jet<double> c = functions.c(s[l][0] * s[l][1] * s[l][2]);
    add(c.f);
    for (int i = 0; i < 3; ++i) d[i] += c.d * s[l][(i + 1) % 3] * s[l][(i + 2) % 3];
    EXPECT_NEAR(packed[l].psi, psi, 1e-12 * size);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(packed[l].d[i], d[i], 1e-11 * (largest(d) + std::abs(size)));
  }
}

/// The filtered second derivative has no negative eigenvalue: lifted by 1e-9 of its size, it has a Cholesky factor.
inline void check_filter(const std::shared_ptr<const Potential>& potential, const Matrix& f) {
  auto h = evaluate_at(potential, f, 2, true).h;
  const double lift = 1e-9 * largest(h) + 1e-300;
  for (int k = 0; k < 9; ++k) {
    const double pivot = h[10 * k] + lift;
    ASSERT_GT(pivot, 0) << "row " << k;
    for (int i = k + 1; i < 9; ++i)
      for (int j = k + 1; j < 9; ++j) h[9 * i + j] -= h[9 * i + k] * h[9 * k + j] / pivot;
  }
}

/// No energy and no stress in any rigid rotation.
inline void check_rest(const std::shared_ptr<const Potential>& potential, double k, std::mt19937& rng) {
  for (int i = 0; i < 8; ++i) {
    const Evaluated rest = evaluate_at(potential, i == 0 ? diagonal(1, 1, 1) : random_rotation(rng), 1);
    EXPECT_NEAR(rest.psi, 0, 1e-13 * k);
    for (double v : rest.p) EXPECT_NEAR(v, 0, 1e-13 * k);
  }
}

inline void check_material(const MaterialPlugin& plugin, const Settings& settings, std::mt19937& rng,
                           int random = 24) {
  const auto potential = make_potential(plugin, settings);
  double matrix[9];
  potential->quadratic(0, 1, matrix);
  const double k = matrix[0];
  EXPECT_GT(k, 0);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(matrix[i], i % 4 == 0 ? k : 0);
  // Stiff constants (nearly incompressible solids) round more than the fit on [0.5, 1.5] says; both scale alike.
  check_rest(potential, 10 * k, rng);
  for (const Matrix& f : sample_matrices(rng, random)) {
    SCOPED_TRACE(::testing::PrintToString(f));
    check_derivatives(potential, f, k);
    check_invariance(potential, f, k, rng);
    check_filter(potential, f);
  }
  std::uniform_real_distribution<double> stretch(-0.5, 2);
  for (int i = 0; i < random; ++i)
    check_stretch_derivatives(*potential, {stretch(rng), stretch(rng), stretch(rng)}, k);
  for (const Stretches& s : {Stretches{0, 0, 0}, {1.2, 0, 0}, {0.8, 0.8, 0.8}, {1.3, 0.5, -0.5}, {0.9, 0.9, -0.9}})
    check_stretch_derivatives(*potential, s, k);
  std::array<Stretches, lanes> all;
  for (Stretches& s : all) s = {stretch(rng), stretch(rng), stretch(rng)};
  check_lanes(*potential, plugin.energy(settings), k, all);
  if (plugin.functions) check_functions(*potential, plugin.functions(settings), all);
}

/// X45: lambda + 2 mu = a'' + 2 b'' + c'', lambda = b' + b'' + c' + c'', a' + 2 b' + c' = 0, all at 1.
inline void check_lame_at_rest(const MaterialPlugin& plugin, const Settings& settings, Lame wanted) {
  const ValanisLandelFunctions f = plugin.functions(settings);
  const Jet<double> a = f.a(1), b = f.b(1), c = f.c(1);
  const double size = std::abs(wanted.lambda) + wanted.mu;
  EXPECT_NEAR(a.dd + 2 * b.dd + c.dd, wanted.lambda + 2 * wanted.mu, 1e-12 * size);
  EXPECT_NEAR(b.d + b.dd + c.d + c.dd, wanted.lambda, 1e-12 * size);
  EXPECT_NEAR(a.d + 2 * b.d + c.d, 0, 1e-12 * size);
  EXPECT_NEAR(3 * a.f + 3 * b.f + c.f, 0, 1e-12 * size);
}

}  // namespace resilin
