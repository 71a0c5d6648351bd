// The adaptor from psi(I1, I2, J): its chain rule against differences, and against a solid that is written another
// way.
#include "potentials/invariants.h"
#include "potentials/material_checks.h"
#include "potentials/materials/extended_log.h"

namespace resilin {
MaterialPlugin material_mooney_rivlin();
namespace {

// x = (I1 - 3, I2 - 3, J - 1): sum of x_a x_b over a <= b, and x_0 x_1 x_2 / 4. Every derivative differs from zero
// and varies.
struct Everything {
  static constexpr int coefficients = 1;
  static Params params() { return {field("stiffness", "Pa", 1e5, positive(), "factor")}; }
  static void prepare(const Settings& s, int element, double* c) { c[0] = s.number("stiffness", element); }
  template <Real T>
  InvariantJet<T> energy(T i1, T i2, T j, const T* c) const {
    const T k = c[0], a = i1 - 3.0, b = i2 - 3.0, e = j - 1.0;
    return {k * (a * a + b * b + e * e + a * b + b * e + a * e + 0.25 * a * b * e),
            {k * (2.0 * a + b + e + 0.25 * b * e), k * (2.0 * b + a + e + 0.25 * a * e),
             k * (2.0 * e + a + b + 0.25 * a * b)},
            {2.0 * k, 2.0 * k, 2.0 * k, k * (1.0 + 0.25 * a), k * (1.0 + 0.25 * b), k * (1.0 + 0.25 * e)}};
  }
};

TEST(Invariants, ChainRule) {
  const MaterialPlugin plugin = invariants<Everything>("everything", "");
  std::mt19937 rng(3);
  check_material(plugin, read_settings(plugin), rng);
}

struct Mooney {
  static constexpr int coefficients = 5;  // c1, c2, c3, J0, ln J0
  static Params params() { return {}; }
  static void prepare(const Settings&, int, double* c) {
    c[0] = 2, c[1] = 3, c[2] = 5, c[3] = 0.1, c[4] = std::log(0.1);
  }
  template <Real T>
  InvariantJet<T> energy(T i1, T i2, T j, const T* c) const {
    const Jet<T> l = extended_log(j, c[3], c[4]);
    const T zero = constant<T>(0), e = j - 1.0, factor = 2.0 * (c[0] + 2.0 * c[1]);
    return {c[0] * (i1 - 3.0) + c[1] * (i2 - 3.0) + c[2] * e * e - factor * l.f,
            {c[0], c[1], 2.0 * c[2] * e - factor * l.d},
            {zero, zero, 2.0 * c[2] - factor * l.dd, zero, zero, zero}};
  }
};

TEST(Invariants, AgreeWithTheValanisLandelForm) {
  const MaterialPlugin other = material_mooney_rivlin(), plugin = invariants<Mooney>("mooney", "");
  const Settings settings = read_settings(plugin),
                 others = read_settings(other, {{"c1", 2.0}, {"c2", 3.0}, {"c3", 5.0}});
  const auto one = make_potential(plugin, settings), two = make_potential(other, others);
  EXPECT_EQ(one->reads(1), Reads::coordinates);
  EXPECT_FALSE(plugin.functions);
  std::mt19937 rng(4);
  for (const Matrix& f : sample_matrices(rng, 50))
    for (int derivatives : {1, 2}) {
      const Evaluated a = evaluate_at(one, f, derivatives), b = evaluate_at(two, f, derivatives);
      EXPECT_NEAR(a.psi, b.psi, 1e-12 * (1 + std::abs(b.psi)));
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.p[i], b.p[i], 1e-12 * (1 + largest(b.p)));
      for (int i = 0; i < 81; ++i) EXPECT_NEAR(a.h[i], b.h[i], 1e-11 * (1 + largest(b.h)));
    }
  EXPECT_NEAR(lame_at_rest(plugin, settings).mu, 2 * (2 + 3), 1e-12);
  EXPECT_NEAR(lame_at_rest(plugin, settings).lambda, 4 * 3 + 2 * 5, 1e-12);
}

}  // namespace
}  // namespace resilin
