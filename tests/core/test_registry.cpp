#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_input_error.h"
#include "resilin/registry.h"

namespace resilin {

struct ToyPlugin {
  int weight = 0;
};

// What cmake/resilin_add.cmake generates for a real kind.
template <>
const std::vector<Registered<ToyPlugin>>& registry<ToyPlugin>() {
  static const std::vector<Registered<ToyPlugin>> list = {{"feather", {1}}, {"anvil", {100}}};
  return list;
}

namespace {

using test::input_error;
using test::says;

TEST(Registry, FindsByName) {
  ASSERT_NE(find_plugin<ToyPlugin>("anvil"), nullptr);
  EXPECT_EQ(find_plugin<ToyPlugin>("anvil")->plugin.weight, 100);
  EXPECT_EQ(find_plugin<ToyPlugin>("Anvil"), nullptr);
  EXPECT_EQ(find_plugin<ToyPlugin>(""), nullptr);
  EXPECT_EQ(plugin<ToyPlugin>("toy", "feather", "scene.json: toy").weight, 1);
}

TEST(Registry, UnknownNameIsBadInputWithASuggestion) {
  const auto error = input_error([] { plugin<ToyPlugin>("toy", "anvl", "scene.json: toy"); });
  EXPECT_EQ(error.where(), "scene.json: toy");
  says(error, "there is no toy \"anvl\"");
  says(error, "did you mean \"anvil\"?");
  says(error, "feather or anvil");
}

TEST(Registry, AFarNameSuggestsNothing) {
  const auto error = input_error([] { unknown_plugin("toy", "locomotive", {"ox"}, "command line"); });
  EXPECT_EQ(error.problem().find("did you mean"), std::string::npos) << error.problem();
}

}  // namespace
}  // namespace resilin
