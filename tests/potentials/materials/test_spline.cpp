#include "potentials/material_checks.h"
#include "potentials/materials/curve.h"

namespace resilin {
MaterialPlugin material_spline();
MaterialPlugin material_neo_hookean();
MaterialPlugin material_corotated();
namespace {

const MaterialPlugin plugin = material_spline();

Value points(std::initializer_list<std::array<double, 2>> list) {
  Value::List out;
  for (const auto& [x, y] : list) out.push_back(Value::List{x, y});
  return out;
}

std::string refusal(Value::Object object) {
  try {
    make_potential(plugin, read_settings(plugin, std::move(object)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Curve, PassesThroughItsPointsWithoutOvershoot) {
  // On a common grid, and not: the second has no cell size in common.
  for (const ControlPoints& p :
       {ControlPoints{{0.5, -4}, {0.8, -1}, {1, 0}, {1.1, 0}, {1.6, 9}, {2, 10}},
        ControlPoints{{0.5, -4}, {std::sqrt(0.6), -1}, {1, 0}, {1.1, 0}, {std::sqrt(2.6), 9}, {2, 10}}}) {
    const Curve curve(p, 0);
    const bool exact = p[1][0] == 0.8;
    for (const auto& [x, y] : p) EXPECT_NEAR(curve.at(x).d, y, exact || x == 1 ? 1e-12 : 1e-3);
    EXPECT_NEAR(curve.at(1).f, 0, 1e-14);
    double last = -100;
    for (double x = 0; x < 2.5; x += 1e-3) {
      const Jet<double> at = curve.at(x);
      EXPECT_GE(at.d, last - (exact ? 1e-12 : 1e-7)) << x;
      last = at.d;
      const double h = 1e-5;
      EXPECT_NEAR(at.d, (curve.at(x + h).f - curve.at(x - h).f) / (2 * h), 1e-7);
      EXPECT_NEAR(at.dd, (curve.at(x + h).d - curve.at(x - h).d) / (2 * h),
                  3e-2);                                                // jumps in its slope at the points
      EXPECT_NEAR(curve.at(x + 1e-9).dd, curve.at(x - 1e-9).dd, 1e-4);  // but none of its own
    }
    EXPECT_NEAR(curve.at(-5).d, curve.at(0.2).d + (-5 - 0.2) * curve.at(0.2).dd, 1e-9);  // straight outside
    EXPECT_NEAR(curve.at(50).dd, curve.at(2).dd, exact ? 1e-12 : 1e-4);
  }
}

TEST(Curve, QuadraticsAndLinesAreExact) {
  ControlPoints line, parabola;
  for (double x : {0.25, 0.5, 1.0, 1.25, 2.0}) line.push_back({x, 3 * (x - 1)}), parabola.push_back({x, x * x});
  const Curve straight(line, 0), bent(parabola, 0);
  for (double x = 0.25; x <= 2; x += 0.01) {
    EXPECT_NEAR(straight.at(x).f, 1.5 * (x - 1) * (x - 1), 1e-13);
    EXPECT_NEAR(bent.at(x).d, x * x, 1e-12);
    EXPECT_NEAR(bent.at(x).f, (x * x * x - 1) / 3, 1e-12);
  }
}

TEST(Curve, FallingEndsAreRaised) {
  const Curve curve({{0.5, 1}, {1, 0}, {1.5, 2}, {2, 1}}, 0.25);
  EXPECT_NEAR(curve.at(-3).dd, 0.25, 1e-12);
  EXPECT_NEAR(curve.at(7).dd, 0.25, 1e-12);
  EXPECT_TRUE(std::isnan(curve.at(std::nan("")).d));
}

TEST(Spline, WithoutCurvesIsNeoHookean) {
  const MaterialPlugin neo_hookean = material_neo_hookean();
  const Value::Object object = {{"young", 2e5}, {"poisson", 0.45}, {"j0", 0.3}};
  const auto one = make_potential(plugin, read_settings(plugin, object));
  const auto other = make_potential(neo_hookean, read_settings(neo_hookean, object));
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> stretch(-0.5, 2);
  for (int i = 0; i < 50; ++i) {
    const Stretches s = {stretch(rng), stretch(rng), stretch(rng)};
    const InStretches a = evaluate_stretches(*one, s), b = evaluate_stretches(*other, s);
    EXPECT_NEAR(a.psi, b.psi, 1e-13 * (std::abs(b.psi) + 2e5));
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(a.h[k], b.h[k], 1e-13 * (largest(b.h) + 2e5));
  }
}

TEST(Spline, PresetsStiffenOneSideOnly) {  // Fig. 6
  const Value::Object base = {{"young", 1e5}, {"poisson", 0.4}};
  Value::Object with_a = base, with_b = base;
  with_a.emplace_back("preset", "A"), with_b.emplace_back("preset", "B");
  const double e = 1e5, mu = e / 2.8, lambda = 4 * mu;
  check_lame_at_rest(plugin, read_settings(plugin, with_a), {mu, lambda});
  check_lame_at_rest(plugin, read_settings(plugin, with_b), {mu, lambda});
  const auto n = plugin.functions(read_settings(plugin, base)), a = plugin.functions(read_settings(plugin, with_a)),
             b = plugin.functions(read_settings(plugin, with_b));
  for (double x = 0.02; x < 2; x += 0.0371) {
    const double square = 10 * e * (x - 1) * (x - 1);
    EXPECT_NEAR(a.stress(x), n.stress(x) - (x < 1 ? square : 0), 1e-12 * 100 * e);
    EXPECT_NEAR(b.stress(x), n.stress(x) + (x > 1 ? square : 0), 1e-12 * 100 * e);
    EXPECT_NEAR(a.a(x).f - n.a(x).f, x < 1 ? 10 * e / 3 * std::pow(1 - x, 3) : 0, 1e-12 * 10 * e);
  }
  EXPECT_NEAR(a.a(-1).dd - n.a(-1).dd, 20 * e, 1e-9 * e);  // straight beyond the ends
  EXPECT_NEAR(b.a(3).dd - n.a(3).dd, 20 * e, 1e-9 * e);
  // int 10 E (1 - x)^3 over [0.5, 1], divided by 1/12, is 1.875 E.
  const double k = 2.183347 * mu + 1.353561 * lambda;
  EXPECT_NEAR(fitted_stiffness(plugin, base), k, 1e-6 * k);
  EXPECT_NEAR(fitted_stiffness(plugin, with_a), k + 1.875 * e, 1e-6 * k);
  EXPECT_NEAR(fitted_stiffness(plugin, with_b), k + 1.875 * e, 1e-6 * k);
}

TEST(Spline, KeepsThePromisesOfAPotential) {
  std::mt19937 rng(9);
  const Value stress = points({{0.25, -8e4}, {0.6, -3e4}, {1, 0}, {1.3, 1e4}, {1.7, 6e4}});
  const Value a = points({{0.5, -1e5}, {1, -2e4}, {2, 9e4}}), c = points({{0.2, -5e4}, {1, 0}, {2, 3e4}});
  const Value b = points({{0, 1e4}, {1, 1e4}, {2, 1e4}});
  for (const Value::Object& object : {Value::Object{{"preset", "A"}},
                                      {{"preset", "B"}, {"mu", 1e4}, {"lambda", 3e4}},
                                      {{"stress", stress}},
                                      {{"a", a}, {"b", b}, {"c", c}},
                                      {{"base", "neo_hookean"}, {"c", c}}})
    check_material(plugin, read_settings(plugin, object), rng);
}

TEST(Spline, DrawsCorotated) {
  const double mu = 3, lambda = 7;  // a' = 2 mu (x - 1) + lambda (x - 3), b' = lambda: both are straight
  const auto slope = [&](double x) { return std::array<double, 2>{x, 2 * mu * (x - 1) + lambda * (x - 3)}; };
  const Value a = points({slope(0.5), slope(2)}), b = points({{0.5, lambda}, {2, lambda}});
  const MaterialPlugin corotated = material_corotated();
  const auto one = make_potential(plugin, read_settings(plugin, {{"a", a}, {"b", b}}));
  const auto other = make_potential(corotated, read_settings(corotated, {{"mu", mu}, {"lambda", lambda}}));
  std::mt19937 rng(1);
  for (const Matrix& f : sample_matrices(rng, 20)) {
    EXPECT_NEAR(evaluate_at(one, f, 1).psi, evaluate_at(other, f, 1).psi, 1e-11);
    EXPECT_NEAR(largest(evaluate_at(one, f, 2).h), largest(evaluate_at(other, f, 2).h),
                1e-10 * largest(evaluate_at(other, f, 2).h));
  }
}

// Bodies with different curves are merged into one term.
TEST(Spline, ElementsKeepTheirOwnCurves) {
  const Settings settings[3] = {read_settings(plugin, {{"preset", "A"}}), read_settings(plugin, {{"preset", "B"}}),
                                read_settings(plugin, {{"stress", points({{0.5, -1e4}, {1.5, 1e4}})}})};
  const int which[lanes] = {0, 1, 2, 0, 2, 1, 1, 0};
  std::vector<ElementSettings> elements;
  for (int i : which) elements.push_back({&settings[i], 0});
  const auto mixed = plugin.make(elements);
  std::array<Stretches, lanes> s;
  s.fill({1.4, 0.6, 0.9});
  const auto all = evaluate_lanes(*mixed, s);
  for (int l = 0; l < lanes; ++l)
    EXPECT_EQ(all[l].psi, evaluate_stretches(*make_potential(plugin, settings[which[l]]), s[0]).psi) << l;
  EXPECT_NE(all[0].psi, all[1].psi);
}

TEST(Spline, RefusesWhatMakesNoMaterial) {
  const Value good = points({{0.5, -1}, {1, 0}, {2, 1}});
  EXPECT_EQ(refusal({{"stress", good}}), "accepted");
  EXPECT_NE(refusal({{"a", points({{0.5, -1}, {1, 0.25}, {2, 1}})}}).find("not stress-free at rest"),
            std::string::npos);
  EXPECT_NE(refusal({{"a", points({{0.5, -1}, {1, 0.25}, {2, 1}})}}).find("0.25 Pa"), std::string::npos);
  EXPECT_NE(refusal({{"a", points({{0.5, -1}, {0.5, 0}, {2, 1}})}}).find("must ascend"), std::string::npos);
  EXPECT_NE(refusal({{"a", points({{1, 0}})}}).find("two control points"), std::string::npos);
  EXPECT_NE(refusal({{"a", good}, {"stress", good}}).find("either stress"), std::string::npos);
  EXPECT_NE(refusal({{"a", good}, {"preset", "A"}}).find("either a preset"), std::string::npos);
  EXPECT_NE(refusal({{"base", "none"}}).find("needs control points"), std::string::npos);
  EXPECT_NE(refusal({{"base", "none"}, {"preset", "B"}}).find("neo_hookean"), std::string::npos);
  EXPECT_NE(refusal({{"a", good}, {"young", 1e5}}).find("young"), std::string::npos);
  EXPECT_NE(refusal({{"mu", 1e5}}).find("mu and lambda"), std::string::npos);
}

}  // namespace
}  // namespace resilin
