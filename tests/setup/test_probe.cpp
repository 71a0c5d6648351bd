#include <gtest/gtest.h>

#include "resilin/registry.h"
#include "setup/probe.h"

namespace resilin::setup {
namespace {

TEST(AsStiffAs, EveryMaterialWhateverItsParameters) {
  for (const auto& entry : registry<MaterialPlugin>()) {
    const Values params = as_stiff_as(entry.name, 3e6, 0.3);
    const auto [mu, lambda] = lame_at_rest(entry.plugin, material_settings(entry.name, params));
    if (mu > 0) EXPECT_NEAR(mu * (3 * lambda + 2 * mu) / (lambda + mu), 3e6, 1) << entry.name;
    else EXPECT_NEAR(probe(entry.name, params).stiffness(), 3e6, 1) << entry.name;
  }
}

}  // namespace
}  // namespace resilin::setup
