#include <gtest/gtest.h>

#include "core/expect_input_error.h"
#include "resilin/builder.h"
#include "support/setup.h"

namespace resilin {
namespace {

double energy_of(const Builder& builder, double stretch) {
  const auto simulation = builder.simulation({.threads = 1});
  std::vector<double> q = simulation->model().rest;
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] *= stretch;
  return simulation->system().potential_energy(q.data(), nullptr);
}

TEST(StrainLimit, CostsNothingWithinAndIsASpringBeyond) {
  const Values limit{{"low", 0.8}, {"high", 1.2}, {"stiffness", 1000.0}};
  Builder sheet, block;
  sheet.add(Shell{
      .mesh = grid_sheet({}),
      .skin = {.thickness = 0.5, .material = "none", .bending = "none", .potentials = {{"strain_limit", limit}}}});
  block.add(
      Solid{.mesh = box({}), .material = {"arap", {{"stiffness", 1e-9}}}, .potentials = {{"strain_limit", limit}}});
  for (const auto& [builder, volume] : {std::pair(&sheet, 0.5), {&block, 1.0}}) {
    EXPECT_NEAR(energy_of(*builder, 1.19), 0, 1e-9);
    EXPECT_NEAR(energy_of(*builder, 0.81), 0, 1e-9);
    EXPECT_NEAR(energy_of(*builder, 1.3), volume * 1000 / 2 * 0.01, 1e-8);
    EXPECT_NEAR(energy_of(*builder, 0.7), volume * 1000 / 2 * 0.01, 1e-8);
  }
}

TEST(StrainLimit, IsStifferThanTheMaterialUnlessSaid) {
  Builder builder;
  builder.add(Shell{
      .mesh = grid_sheet({}),
      .skin = {.material = {"arap", {{"stiffness", 50.0}}}, .bending = "none", .potentials = {"strain_limit"}}});
  double k[4];
  builder.model().terms[0].elastic[1]->quadratic(0, 1, k);
  EXPECT_NEAR(k[0], 5000, 1e-9);
}

TEST(StrainLimit, SaysWhatIsWrong) {
  const auto with = [](Values limit) {
    Builder builder;
    builder.add(Shell{.mesh = grid_sheet({}),
                      .skin = {.material = "none", .bending = "none", .potentials = {{"strain_limit", limit}}}});
    builder.model();
  };
  {
    const InputError error = test::input_error([&] { with({{"low", 1.2}, {"high", 1.1}, {"stiffness", 1.0}}); });
    for (const char* words : {"low", "above high"}) EXPECT_TRUE(test::says(error, words));
  }
  {
    const InputError error = test::input_error([&] { with({}); });
    for (const char* words : {"stiffness", "no material"}) EXPECT_TRUE(test::says(error, words));
  }
}

}  // namespace
}  // namespace resilin
