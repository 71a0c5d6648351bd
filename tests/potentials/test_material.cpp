// The shared parts: elastic constants, the fit of Eq. 11, the adaptor from functions of stretches to a potential.
#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_corotated();
MaterialPlugin material_neo_hookean();
namespace {

const MaterialPlugin plugin = material_corotated();

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FitStiffness, MomentsOfTheStress) {
  EXPECT_NEAR(fit_stiffness([](double x) { return 5 * (x - 1); }, 0.5, 1.5), 5, 1e-13);
  EXPECT_NEAR(fit_stiffness([](double x) { return 5 * (x - 1); }, 0.9, 1.7), 5, 1e-13);
  EXPECT_NEAR(fit_stiffness([](double x) { return 4 * std::pow(x - 1, 3); }, 0.5, 1.5), 0.6, 1e-13);
  EXPECT_NEAR(fit_stiffness([](double x) { return std::exp(x) * (x - 1); }, 0, 2), 1.5 * (std::exp(2) - 5), 1e-12);
}

TEST(Lame, FromYoungAndPoisson) {
  const Lame l = lame(read_settings(plugin, {{"young", 2.6}, {"poisson", 0.3}}), 0);
  EXPECT_NEAR(l.mu, 1, 1e-15);
  EXPECT_NEAR(l.lambda, 1.5, 1e-14);
  const Lame given = lame(read_settings(plugin, {{"mu", 3.0}, {"lambda", -1.0}}), 0);
  EXPECT_EQ(given.mu, 3);
  EXPECT_EQ(given.lambda, -1);
}

TEST(Lame, RefusesHalfOrTwiceGivenAndUnstable) {
  const auto read = [](Value::Object object) { return refusal([&] { lame(read_settings(plugin, object), 0); }); };
  EXPECT_NE(read({{"mu", 1.0}}).find("both or neither"), std::string::npos);
  EXPECT_NE(read({{"lambda", 1.0}}).find("both or neither"), std::string::npos);
  EXPECT_NE(read({{"mu", 1.0}, {"lambda", 1.0}, {"young", 1.0}}).find("not both"), std::string::npos);
  EXPECT_NE(read({{"mu", 3.0}, {"lambda", -2.0}}).find("bulk modulus"), std::string::npos);
  EXPECT_NE(read({{"poisson", 0.5}}).find("poisson"), std::string::npos);
}

TEST(Material, StiffnessByHandAndIntervals) {
  EXPECT_EQ(fitted_stiffness(plugin, {{"fit_stiffness", 123.0}}), 123);
  const auto with = [](Value interval) {
    return refusal([&] { fitted_stiffness(plugin, {{"fit_interval", interval}}); });
  };
  EXPECT_NE(with(Value::List{1.5, 0.5}).find("fit_interval"), std::string::npos);
  EXPECT_NE(with(Value::List{0.5}).find("fit_interval"), std::string::npos);
}

TEST(Material, ValuesPerElement) {
  Value::List young;
  for (int i = 0; i < lanes; ++i) young.push_back(1e4 * (i + 1));
  const Settings settings = read_settings(plugin, {{"young", young}, {"poisson", 0.3}});
  const auto potential = make_potential(plugin, settings);
  std::array<Stretches, lanes> s;
  s.fill({1.1, 0.9, 1.2});
  const auto all = evaluate_lanes(*potential, s);
  for (int l = 0; l < lanes; ++l) {
    double k[9];
    potential->quadratic(l, 1, k);
    EXPECT_NEAR(all[l].psi, (l + 1) * all[0].psi, 1e-12 * all[l].psi);
    EXPECT_NEAR(k[0], (l + 1) * 1e4 * 0.7 / (1.3 * 0.4), 1e-8);  // lambda + 2 mu
  }
  const Settings few = read_settings(plugin, {{"young", Value::List{1.0, 2.0}}});
  EXPECT_NE(refusal([&] { make_potential(plugin, few); }).find("young"), std::string::npos);
}

TEST(Material, ReadsStretchesOnlyWhenItMust) {
  const MaterialPlugin neo_hookean = material_neo_hookean();
  const auto invariants = make_potential(neo_hookean, read_settings(neo_hookean));
  EXPECT_EQ(invariants->reads(1), Reads::coordinates);
  EXPECT_EQ(invariants->reads(2), Reads::stretches);
  const auto corotated = make_potential(plugin, read_settings(plugin));
  EXPECT_EQ(corotated->reads(1), Reads::rotation);
  EXPECT_EQ(corotated->reads(2), Reads::stretches);
}

TEST(Material, OutputsAreAddedTo) {
  const auto potential = make_potential(plugin, read_settings(plugin));
  TestBlock test;
  for (int l = 0; l < lanes; ++l)
    for (int i = 0; i < 3; ++i) TestBlock::at(test.block.s, i, l) = 1.1 + 0.1 * i;
  potential->pack(in_order)->evaluate(test.block);
  const double psi = test.block.psi[2], d = test.block.dpsi_s[2], h = test.block.d2psi_s[2];
  potential->pack(in_order)->evaluate(test.block);
  EXPECT_EQ(test.block.psi[2], 2 * psi);
  EXPECT_EQ(test.block.dpsi_s[2], 2 * d);
  EXPECT_EQ(test.block.d2psi_s[2], 2 * h);
}

}  // namespace
}  // namespace resilin
