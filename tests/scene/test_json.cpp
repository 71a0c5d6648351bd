#include <gtest/gtest.h>

#include "scene/scene_text.h"

namespace resilin::test {
namespace {

TEST(Json, ReadsAllKindsOfValuesWithTheirPlaces) {
  const Value v = parse_json(R"({"a": [1, -2.5e3, true, null, "t\n\"ä"], /* here */ "b": {"c": {}} // there
  })",
                             "f.json");
  EXPECT_EQ(v.find("a")->list()[1].number(), -2500);
  EXPECT_TRUE(v.find("a")->list()[2].boolean());
  EXPECT_TRUE(v.find("a")->list()[3].is_null());
  EXPECT_EQ(v.find("a")->list()[4].text(), "t\n\"ä");
  EXPECT_EQ(v.find("a")->list()[4].where(), "f.json: a[4]");
  EXPECT_EQ(v.find("b")->find("c")->where(), "f.json: b.c");
}

TEST(Json, KeepsTheOrderOfKeys) {
  const Value v = parse_json(R"({"z": 1, "a": 2, "m": 3})", "f");
  EXPECT_EQ(v.dump(), R"({"z":1,"a":2,"m":3})");
}

TEST(Json, SyntaxErrorsNameLineAndColumn) {
  says(input_error([] { parse_json("{\n  \"a\": 1,\n  \"b\": ]\n}", "f.json"); }), "f.json:3:8");
  says(input_error([] { parse_json("{\n  \"poisson\": NaN\n}", "f.json"); }), "f.json:2:");
  says(input_error([] { parse_json("{\n  \"poisson\": NaN\n}", "f.json"); }), "\"poisson\": NaN");
  says(input_error([] { parse_json("{\"a\": -Infinity}", "f.json"); }), "f.json:1:");
  says(input_error([] { parse_json("{\"a\": 1e999}", "f.json"); }), "1e999");
  says(input_error([] { parse_json("", "f.json"); }), "f.json:1:1");
  says(input_error([] { parse_json("{} {}", "f.json"); }), "f.json:1:");
  says(input_error([] { parse_json("{\"a\": \"\xff\"}", "f.json"); }), "f.json:1:");
}

TEST(Json, RefusesTheSameKeyTwice) {
  const InputError e =
      input_error([] { parse_json(R"({"bodies": [{}, {"density": 1, "density": 2}]})", "f.json"); });
  says(e, "f.json");
  says(e, "bodies[1]");
  says(e, "\"density\"");
}

TEST(Json, DeepNestingIsAnErrorAndNoCrash) {
  says(input_error([] { parse_json(std::string(100000, '['), "f.json"); }), "deeper");
}

TEST(Override, SetsMembersEntriesAndWhatIsMissing) {
  Value v = parse_json(R"({"a": {"b": [{"c": 1}, {"c": 2}]}, "solver": "newton", "n": 1})", "f");
  apply_override(v, {"a.b[-1].c", "5"});
  apply_override(v, {"a.b[0].c", "[1, 2]"});
  apply_override(v, {"x.y", "bare text"});
  apply_override(v, {"solver.iterations", "3"});
  apply_override(v, {"n", "\"7\""});
  EXPECT_EQ(
      v.dump(),
      R"({"a":{"b":[{"c":[1,2]},{"c":5}]},"solver":{"type":"newton","iterations":3},"n":"7","x":{"y":"bare text"}})");
}

TEST(Override, SaysWhyAPathCannotBe) {
  Value v = parse_json(R"({"a": [1, 2], "n": 3})", "f");
  says(input_error([&] { apply_override(v, {"a[2]", "1"}); }), "the list has 2 entries");
  says(input_error([&] { apply_override(v, {"a[-3]", "1"}); }), "--set a[-3]");
  says(input_error([&] { apply_override(v, {"n[0]", "1"}); }), "no list");
  says(input_error([&] { apply_override(v, {"n.x", "1"}); }), "no object");
  for (const char* path : {"", ".", "a.", ".a", "a[", "a[]", "a[x]", "a]", "a[0]b", "a[99999999999]"})
    says(input_error([&] { apply_override(v, {path, "1"}); }), "--set");
}

TEST(Override, WrongValuesAreLocatedLikeWrittenOnes) {
  const std::string text = scene_of(bar);
  says(input_error([&] { parse(text, {{"frames", "many"}}); }), "test.json: frames: \"many\"");
  says(input_error([&] { parse(text, {{"bodies[0].material.poison", "0.3"}}); }), "test.json: bodies[0].material");
  says(input_error([&] { parse(text, {{"gravity", "nan"}}); }), "\"nan\"");
  EXPECT_EQ(parse(text, {{"frames", "7"}}).frames, 7);
  EXPECT_EQ(parse(text, {{"bodies[0].material", "gel"}, {"bodies[0].material.young", "5"}}).frames, 90);
}

}  // namespace
}  // namespace resilin::test
