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

Value scene() {
  Value body(Value::Object{{"name", "bar"}, {"young", 1e6}, {"center", Value::List{0, 1.5, -2}}});
  Value value(Value::Object{{"bodies", Value::List{body}}, {"frames", 10}, {"repair", true}});
  value.locate("scene.json");
  return value;
}

TEST(Value, HoldsWhatItWasMadeFrom) {
  EXPECT_TRUE(Value().is_null());
  EXPECT_TRUE(Value(true).boolean());
  EXPECT_EQ(Value(2.5).number(), 2.5);
  EXPECT_EQ(Value(-3).integer(), -3);
  EXPECT_EQ(Value("gel").text(), "gel");
  EXPECT_TRUE(Value(Value::List{}).is_list());
  EXPECT_TRUE(Value(Value::Object{}).is_object());
  EXPECT_FALSE(Value("1").is_number());
  EXPECT_FALSE(Value(1).is_bool());
}

TEST(Value, WrongTypeNamesPlaceValueAndWhatIsWanted) {
  const Value value = scene();
  const auto error = input_error([&] { value.find("bodies")->list()[0].find("name")->number(); });
  EXPECT_EQ(error.where(), "scene.json: bodies[0].name");
  says(error, "\"bar\"");
  says(error, "a number is wanted");

  says(input_error([&] { value.find("frames")->boolean(); }), "true or false");
  says(input_error([&] { value.find("frames")->text(); }), "text");
  says(input_error([&] { value.find("frames")->list(); }), "list");
  says(input_error([&] { value.find("frames")->object(); }), "object");
  says(input_error([&] { value.find("repair")->number(); }), "true stands where");
}

TEST(Value, LongValuesAreCutInMessages) {
  Value value(std::string(500, 'x'));
  EXPECT_LT(input_error([&] { value.number(); }).problem().size(), 120u);
}

TEST(Value, IntegersAreWholeAndFit) {
  EXPECT_EQ(Value(2147483647.0).integer(), 2147483647);
  EXPECT_EQ(Value(-2147483647.0).integer(), -2147483647);
  for (const double bad : {0.5, 2147483648.0, -1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THROW(Value(bad).integer(), InputError) << bad;
  }
}

TEST(Value, Vectors) {
  EXPECT_EQ(scene().find("bodies")->list()[0].find("center")->vector3(), (std::array<double, 3>{0, 1.5, -2}));
  EXPECT_THROW(Value(Value::List{1, 2}).vector3(), InputError);
  EXPECT_THROW(Value(Value::List{1, 2, 3, 4}).vector3(), InputError);
  EXPECT_THROW(Value(Value::List{1, 2, "3"}).vector3(), InputError);
  EXPECT_THROW(Value(Value::List{1, 2, std::nan("")}).vector3(), InputError);
  EXPECT_EQ(Value(Value::List{1, 2.5}).numbers(), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(Value(Value::List{1, 2}).integers(), (std::vector<int>{1, 2}));
  EXPECT_THROW(Value(Value::List{1, 2.5}).integers(), InputError);
}

TEST(Value, AnElementOfAListIsNamedByItsIndex) {
  Value value(Value::Object{{"a", Value::List{1, Value::List{2, "three"}}}});
  value.locate("x.json");
  const auto error = input_error([&] { value.find("a")->list()[1].numbers(); });
  EXPECT_EQ(error.where(), "x.json: a[1][1]");
}

TEST(Value, LocateNamesTheFileAtTheRootAndContinuesAPath) {
  Value value(Value::Object{{"step", 1}});
  value.locate("x.json");
  EXPECT_EQ(value.where(), "x.json");
  EXPECT_EQ(value.find("step")->where(), "x.json: step");
  value.locate("x.json", "solver");
  EXPECT_EQ(value.where(), "x.json: solver");
  EXPECT_EQ(value.find("step")->where(), "x.json: solver.step");
}

TEST(Value, FindAndSet) {
  Value value;
  value.set("a", 1);
  value.set("b", "two");
  value.set("a", 3);
  ASSERT_EQ(value.object().size(), 2u);
  EXPECT_EQ(value.find("a")->integer(), 3);
  EXPECT_EQ(value.find("b")->text(), "two");
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_THROW(Value(1).set("a", 1), InputError);
  EXPECT_THROW(Value(1).find("a"), InputError);
}

TEST(Value, UnknownKeySuggestsTheNearestAndListsAll) {
  Value value(Value::Object{{"young", 1}, {"poison", 0.3}});
  value.locate("scene.json", "bodies[0].material");
  const auto error = input_error([&] { value.only_keys({"young", "poisson", "density"}); });
  EXPECT_EQ(error.where(), "scene.json: bodies[0].material");
  says(error, "unknown key \"poison\"");
  says(error, "did you mean \"poisson\"?");
  says(error, "young, poisson or density");
  EXPECT_NO_THROW(value.only_keys({"poison", "young", "x"}));
}

TEST(Value, UnknownKeyFarFromAllSuggestsNothing) {
  const Value value(Value::Object{{"viscosity", 1}});
  const auto error = input_error([&] { value.only_keys({"mu"}); });
  EXPECT_EQ(error.problem().find("did you mean"), std::string::npos) << error.problem();
}

TEST(Value, DumpIsJson) {
  EXPECT_EQ(scene().dump(),
            R"({"bodies":[{"name":"bar","young":1000000,"center":[0,1.5,-2]}],"frames":10,"repair":true})");
  EXPECT_EQ(Value().dump(), "null");
  EXPECT_EQ(Value(false).dump(), "false");
  EXPECT_EQ(Value("a\"b\\c\nd\te").dump(), "\"a\\\"b\\\\c\\nd\\u0009e\"");
  EXPECT_EQ(Value(Value::List{}).dump(), "[]");
  EXPECT_EQ(Value(Value::Object{}).dump(), "{}");
}

TEST(Value, DumpKeepsEveryBitOfANumber) {
  for (const double x : {0.1, 1.0 / 3, 1e-300, -123456789.123456789, 1.7976931348623157e308}) {
    EXPECT_EQ(std::stod(Value(x).dump()), x);
  }
}

TEST(NearestName, PrefersTheSmallestDistance) {
  EXPECT_EQ(nearest_name("quasi_newtn", {"newton", "quasi_newton", "admm"}), "quasi_newton");
  EXPECT_EQ(nearest_name("newton", {"newtons", "newton"}), "newton");
  EXPECT_EQ(nearest_name("zzzzzz", {"newton", "admm"}), "");
  EXPECT_EQ(nearest_name("anything", {}), "");
}

TEST(JoinOr, ReadsLikeASentence) {
  EXPECT_EQ(join_or({}), "");
  EXPECT_EQ(join_or({"a"}), "a");
  EXPECT_EQ(join_or({"a", "b"}), "a or b");
  EXPECT_EQ(join_or({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace resilin
