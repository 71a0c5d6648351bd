#include <gtest/gtest.h>

#include <array>

#include "support/setup.h"

namespace resilin::test {
namespace {

// Crushed, inverted and overstretched elements count as the ends of the interval: else one of them would stiffen
// the whole body.
TEST(StretchSums, StretchesBeyondTheIntervalCountAsItsEnds) {
  for (const char* material : {"neo_hookean", "corotated", "st_venant_kirchhoff"}) {
    Model model = solid(beam_mesh(1), 1000, material, {{"fit_interval", Value(Value::List{0.5, 1.5})}});
    const auto rest = model.rest;
    OneStage stage(std::move(model), rest, 0.02, 1);
    const auto fit = [&](const std::array<double, 3>& stretch) {
      auto y = rest;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] *= stretch[i % 3];
      return stage.system().problem().constant().sum_stretches(y.data())[0];
    };
    const auto expect_same = [&](const StretchSums& a, const StretchSums& b) {
      EXPECT_NEAR(a.stress, b.stress, 1e-9 * std::abs(b.stress)) << material;
      EXPECT_NEAR(a.stiffness, b.stiffness, 1e-9 * b.stiffness) << material;
    };
    expect_same(fit({0.01, 0.01, 0.01}), fit({0.5, 0.5, 0.5}));
    expect_same(fit({0.5, 0.5, -0.5}), fit({0.5, 0.5, 0.5}));
    expect_same(fit({4, 1.2, 0.9}), fit({1.5, 1.2, 0.9}));
    EXPECT_GT(std::abs(fit({0.8, 0.8, 0.8}).stress - fit({0.5, 0.5, 0.5}).stress), 0) << "within it they count";
  }
}

}  // namespace
}  // namespace resilin::test
