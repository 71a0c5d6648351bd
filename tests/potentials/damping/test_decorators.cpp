// Power law, spline and momentum correction around any model.
#include "potentials/damping/damping_checks.h"
#include "resilin/errors.h"
#include "setup/sampling.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

const Value dip = Value::List{Value::List{0.5, 2.0}, Value::List{1.0, 0.5}, Value::List{1.5, 3.0}},
            rise = Value::List{Value::List{0.0, 0.5}, Value::List{2.0, 1.0}, Value::List{6.0, 4.0}};

TEST(PowerLaw, KeepsThePromisesOfDamping) {
  for (const double p : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0})
    for (const char* type : {"strain_rate", "rayleigh", "principal_strain"})
      check_all({.type = type,
                 .params = {{"power", p}, {"power_scale", 50.0}, {"smoothing", 0.1}},
                 .low = 1,
                 .conserves = true});
}

// Eq. 54: R(z, a z') = a^(p + 1) R(z, z'), and the linear model at R = A.
TEST(PowerLaw, IsHomogeneous) {
  const double z[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1}, w[9] = {1, 0, 2, 0, 1, 0, 0, 3, 0},
               w2[9] = {2, 0, 4, 0, 2, 0, 0, 6, 0};
  for (const double p : {1.5, 2.0, 3.0}) {
    DampingProbe probe("strain_rate", {{"power", p}, {"power_scale", 7.0}});
    EXPECT_NEAR(probe.rate(z, w2, nullptr, nullptr) / probe.rate(z, w, nullptr, nullptr), std::pow(2, p + 1),
                1e-12);
  }
  const double linear = DampingProbe("strain_rate", {}).rate(z, w, nullptr, nullptr);
  EXPECT_NEAR(DampingProbe("strain_rate", {{"power", 3.0}, {"power_scale", linear}}).rate(z, w, nullptr, nullptr),
              linear, 1e-12 * linear);
}

TEST(SplineDamping, KeepsThePromisesOfDamping) {
  for (const char* type : {"strain_rate", "rayleigh", "principal_strain"}) {
    check_all({.type = type, .params = {{"spline", dip}}, .low = 1, .conserves = true});
    check_all(
        {.type = type, .params = {{"spline", rise}, {"spline_of", "strain_rate"}}, .low = 1, .conserves = true});
  }
}

TEST(SplineDamping, ByAxisKeepsThePromisesToo) {
  for (const char* type : {"strain_rate", "rayleigh", "principal_strain", "stretch_rate"}) {
    check_all({.type = type, .params = {{"spline", dip}, {"spline_axes", "each"}}, .low = 1, .conserves = true});
    check_all({.type = type,
               .params = {{"spline", rise}, {"spline_of", "strain_rate"}, {"spline_axes", "each"}},
               .low = 1,
               .conserves = true});
  }
}

// Along one axis only its own factor counts, where the combined spline takes the largest of the three.
TEST(SplineDamping, ByAxisEveryAxisHasItsOwnFactor) {
  const Value curve = Value::List{Value::List{0.8, 0.0}, Value::List{1.0, 1.0}, Value::List{1.2, 4.0}};
  DampingProbe plain("principal_strain", {}),
      each("principal_strain", {{"spline", curve}, {"spline_axes", "each"}}),
      combined("principal_strain", {{"spline", curve}});
  const double z[9] = {1.2, 0, 0, 0, 1, 0, 0, 0, 0.8};
  const double factors[3] = {4, 1, 0};
  for (int k = 0; k < 3; ++k) {
    double w[9] = {};
    w[4 * k] = 1;
    const double r = plain.rate(z, w, nullptr, nullptr);
    EXPECT_NEAR(each.rate(z, w, nullptr, nullptr), factors[k] * r, 1e-12 * r) << k;
    EXPECT_NEAR(combined.rate(z, w, nullptr, nullptr), 4 * r, 1e-12 * r) << k;
  }
}

TEST(SplineDamping, RefusesNegativeFactorsAndFallingForces) {
  const auto message = [](const Value& spline, const char* of) -> std::string {
    try {
      DampingProbe probe("strain_rate", {{"spline", spline}, {"spline_of", of}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(Value::List{Value::List{0.5, 1.0}, Value::List{1.0, -0.1}}, "strain").find("negative"),
            std::string::npos);
  EXPECT_NE(
      message(Value::List{Value::List{1.0, 1.0}, Value::List{2.0, 0.1}}, "strain_rate").find("falls too fast"),
      std::string::npos);
  EXPECT_EQ(message(Value::List{Value::List{1.0, 1.0}, Value::List{2.0, 0.1}}, "strain"), "");
}

TEST(MomentumCorrection, RemovesRigidVelocityOnly) {
  Random random(3);
  for (const char* kind : {"projection", "velocity_gradient"}) {
    DampingProbe corrected("strain_rate", {{"momentum", kind}, {"bulk", 10.0}}),
        plain("strain_rate", {{"bulk", 10.0}});
    double z[9], w[9];
    draw_state({}, 9, random, z, w);
    // Strain rates do not see rigid velocity, so that taking it out changes nothing.
    const double expected = plain.rate(z, w, nullptr, nullptr);
    EXPECT_NEAR(corrected.rate(z, w, nullptr, nullptr), expected, 1e-10 * expected) << kind;
  }
}

// Collapsed to a plane, a line or a point.
TEST(MomentumCorrection, IsFiniteWhereAnElementIsCollapsed) {
  Random random(4);
  for (const char* kind : {"projection", "velocity_gradient"})
    for (const Stretching collapsed : {Stretching::flat, Stretching::line, Stretching::point}) {
      DampingProbe probe("rayleigh", {{"momentum", kind}});
      double z[9], w[9], by_z[9], by_rate[9];
      draw_matrix(collapsed, 0.5, 1.5, random, z);
      for (double& x : w) x = random.normal();
      EXPECT_TRUE(std::isfinite(probe.rate(z, w, by_z, by_rate))) << kind << " " << name(collapsed);
      for (int i = 0; i < 9; ++i)
        EXPECT_TRUE(std::isfinite(by_z[i]) && std::isfinite(by_rate[i])) << kind << " " << name(collapsed);
    }
}

}  // namespace
}  // namespace resilin::test
