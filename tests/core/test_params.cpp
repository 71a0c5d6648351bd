#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/expect_input_error.h"
#include "resilin/params.h"

namespace resilin {
namespace {

using test::input_error;
using test::says;

constexpr double infinity = std::numeric_limits<double>::infinity();

Range poisson_range() { return {-1, 0.5, true, true}; }

Params material() {
  return {field("young", "Pa", 1e6, positive(), "Young's modulus"),
          number("poisson", "", 0.3, poisson_range(), "Poisson's ratio"),
          required(number("density", "kg/m^3", 0, positive(), "mass per volume")),
          integer("history", 5, between(0, 20), "secant pairs"),
          boolean("repair", false, "fix the winding"),
          text("label", "", "free text"),
          choice("pattern", {"bcc", "five", "six"}, "how a cell is cut"),
          vector3("fibre", "", {1, 0, 0}, "direction"),
          numbers("weights", "", {1, 2}, at_least(0), "list"),
          points("curve", "control points"),
          optional(number("lambda", "Pa", 0, any_number(), "first Lame parameter")),
          any("extra", "anything")};
}

Value given(Value::Object members) {
  if (Value(members).find("density") == nullptr) members.emplace_back("density", 1000);
  Value value(std::move(members));
  value.locate("scene.json", "bodies[0].material");
  return value;
}

InputError refused(Value::Object members) {
  return input_error([&] { material().read(given(members)); });
}

// ---- ranges ----

TEST(Range, ClosedEndsBelong) {
  const Range r = between(0, 1);
  EXPECT_TRUE(r.contains(0));
  EXPECT_TRUE(r.contains(1));
  EXPECT_FALSE(r.contains(std::nextafter(0, -1)));
  EXPECT_FALSE(r.contains(std::nextafter(1, 2)));
}

TEST(Range, OpenEndsDoNot) {
  const Range r = poisson_range();
  EXPECT_FALSE(r.contains(-1));
  EXPECT_FALSE(r.contains(0.5));
  EXPECT_TRUE(r.contains(std::nextafter(-1, 0)));
  EXPECT_TRUE(r.contains(std::nextafter(0.5, 0)));
  EXPECT_FALSE(positive().contains(0));
  EXPECT_TRUE(positive().contains(1e-300));
  EXPECT_TRUE(at_least(0).contains(0));
}

TEST(Range, NoRangeHoldsNotANumber) {
  for (const Range& r : {any_number(), positive(), at_least(-1), between(-1, 1), poisson_range()}) {
    EXPECT_FALSE(r.contains(std::nan(""))) << r.text();
  }
}

TEST(Range, SaysWhatItAllows) {
  EXPECT_EQ(positive().text(), "> 0");
  EXPECT_EQ(at_least(2).text(), ">= 2");
  EXPECT_EQ((Range{-infinity, 3, false, true}).text(), "< 3");
  EXPECT_EQ((Range{-infinity, 3, false, false}).text(), "<= 3");
  EXPECT_EQ(between(0, 0.5).text(), "in [0, 0.5]");
  EXPECT_EQ(poisson_range().text(), "in (-1, 0.5)");
  EXPECT_EQ((Range{0, 1, false, true}).text(), "in [0, 1)");
  EXPECT_EQ(any_number().text(), "any number");
}

// ---- reading ----

TEST(Params, DefaultsFillWhatIsNotGiven) {
  const Settings s = material().read(given({{"poisson", 0.4}}));
  EXPECT_EQ(s.number("young"), 1e6);
  EXPECT_EQ(s.number("poisson"), 0.4);
  EXPECT_EQ(s.number("density"), 1000);
  EXPECT_EQ(s.integer("history"), 5);
  EXPECT_FALSE(s.boolean("repair"));
  EXPECT_EQ(s.text("label"), "");
  EXPECT_EQ(s.text("pattern"), "bcc");
  EXPECT_EQ(s.vector3("fibre"), (std::array<double, 3>{1, 0, 0}));
  EXPECT_EQ(s.numbers("weights"), (std::vector<double>{1, 2}));
  EXPECT_TRUE(s.points("curve").empty());
  EXPECT_TRUE(s.value("extra").is_null());
  EXPECT_EQ(s.where(), "scene.json: bodies[0].material");
}

TEST(Params, HasTellsWhatTheUserStated) {
  const Settings s = material().read(given({{"poisson", 0.3}}));
  EXPECT_TRUE(s.has("poisson"));
  EXPECT_FALSE(s.has("young"));
  EXPECT_FALSE(s.has("lambda"));
  EXPECT_TRUE(s.value("lambda").is_null());
  EXPECT_TRUE(material().read(given({{"lambda", -2}})).has("lambda"));
}

TEST(Params, UnknownKeySuggestsTheNearest) {
  const auto error = refused({{"yuong", 1}});
  EXPECT_EQ(error.where(), "scene.json: bodies[0].material");
  says(error, "\"yuong\"");
  says(error, "did you mean \"young\"?");
  says(error, "poisson");
}

TEST(Params, ReservedKeysAreTheCallersBusiness) {
  Value value = given({{"type", "neo_hookean"}});
  EXPECT_NO_THROW(material().read(value, {"type"}));
  EXPECT_THROW(material().read(value), InputError);
}

TEST(Params, MissingRequiredKeyIsNamedWithItsMeaning) {
  Value value(Value::Object{{"young", 1}});
  value.locate("scene.json", "bodies[0].material");
  const auto error = input_error([&] { material().read(value); });
  EXPECT_EQ(error.where(), "scene.json: bodies[0].material");
  says(error, "\"density\" is missing");
  says(error, "mass per volume");
}

TEST(Params, NothingGivenIsAllDefaults) {
  const Params p{number("a", "", 2, any_number(), ""), boolean("b", true, "")};
  EXPECT_EQ(p.read(Value()).number("a"), 2);
  EXPECT_TRUE(p.defaults().boolean("b"));
  EXPECT_FALSE(p.defaults().has("a"));
}

TEST(Params, OutOfRangeNamesPathValueAndRange) {
  const auto error = refused({{"poisson", 0.5}});
  EXPECT_EQ(error.where(), "scene.json: bodies[0].material.poisson");
  says(error, "0.5 is out of range");
  says(error, "poisson must be in (-1, 0.5)");
  says(refused({{"density", -1}}), "> 0 kg/m^3");
  says(refused({{"density", 0}}), "> 0");
  says(refused({{"history", 21}}), "in [0, 20]");
  EXPECT_NO_THROW(material().read(given({{"history", 20}})));
  EXPECT_NO_THROW(material().read(given({{"history", 0}})));
}

TEST(Params, NotFiniteIsRefusedEverywhere) {
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    EXPECT_EQ(refused({{"lambda", bad}}).where(), "scene.json: bodies[0].material.lambda");
    refused({{"young", bad}});
    refused({{"young", Value::List{1, bad}}});
    refused({{"history", bad}});
    refused({{"fibre", Value::List{0, bad, 0}}});
    refused({{"weights", Value::List{bad}}});
    refused({{"curve", Value::List{Value::List{0, bad}}}});
  }
}

TEST(Params, WrongTypesAreRefused) {
  refused({{"young", "stiff"}});
  refused({{"poisson", Value::List{0.1, 0.2}}});  // not a field
  refused({{"history", 2.5}});
  refused({{"repair", 1}});
  refused({{"label", 1}});
  refused({{"pattern", true}});
  refused({{"fibre", Value::List{1, 0}}});
  refused({{"weights", 1}});
  refused({{"weights", Value::List{1, -1}}});
  refused({{"curve", Value::List{Value::List{1, 2, 3}}}});
}

TEST(Params, ChoiceListsWhatThereIs) {
  const auto error = refused({{"pattern", "seven"}});
  says(error, "\"seven\" is not allowed");
  says(error, "bcc, five or six");
  EXPECT_EQ(material().read(given({{"pattern", "six"}})).text("pattern"), "six");
}

TEST(Params, ReadsPoints) {
  const Settings s = material().read(given({{"curve", Value::List{Value::List{0, 1}, Value::List{2, 3}}}}));
  EXPECT_EQ(s.points("curve"), (std::vector<std::array<double, 2>>{{0, 1}, {2, 3}}));
}

TEST(Params, AddAppendsAndFindLooksUp) {
  Params p{number("a", "", 1, any_number(), "")};
  p.add({number("b", "m", 2, any_number(), "second")});
  EXPECT_EQ(p.names(), (std::vector<std::string>{"a", "b"}));
  ASSERT_NE(p.find("b"), nullptr);
  EXPECT_EQ(p.find("b")->unit, "m");
  EXPECT_EQ(p.find("c"), nullptr);
}

// ---- fields per element ----

TEST(Field, OneNumberServesEveryElement) {
  const Settings s = material().read(given({{"young", 5}}));
  EXPECT_EQ(s.number("young", 0), 5);
  EXPECT_EQ(s.number("young", 1000), 5);
  EXPECT_EQ(s.element_count(), 0);
}

TEST(Field, AListGivesEachElementItsOwn) {
  const Settings s = material().read(given({{"young", Value::List{1, 2, 3, 4}}}));
  EXPECT_EQ(s.number("young", 0), 1);
  EXPECT_EQ(s.number("young", 3), 4);
  EXPECT_EQ(s.element_count(), 4);
}

TEST(Field, CountsElementsOfFieldsOnly) {
  EXPECT_EQ(material().read(given({{"young", Value::List{1, 2, 3}}})).element_count(), 3);
  EXPECT_EQ(material().read(given({{"weights", Value::List{1, 2, 3, 4}}})).element_count(), 0);
  EXPECT_EQ(material().read(given({{"fibre", Value::List{0, 1, 0}}})).element_count(), 0);
}

TEST(Field, TooShortAListIsBadInput) {
  const Settings s = material().read(given({{"young", Value::List{1, 2}}}));
  const auto error = input_error([&] { s.number("young", 2); });
  EXPECT_EQ(error.where(), "scene.json: bodies[0].material.young");
  says(error, "2 values");
}

TEST(Field, AWrongElementIsNamedByItsIndex) {
  EXPECT_EQ(refused({{"young", Value::List{1, -2, 3}}}).where(), "scene.json: bodies[0].material.young[1]");
}

TEST(Settings, SetOverridesAndCountsAsGiven) {
  Settings s = material().read(given({}));
  s.set("young", 7);
  EXPECT_EQ(s.number("young"), 7);
  EXPECT_TRUE(s.has("young"));
}

}  // namespace
}  // namespace resilin
