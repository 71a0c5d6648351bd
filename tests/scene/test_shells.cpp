// Shells in scenes: what is counted, what is refused and how it is said, and what is repaired on request.
#include <gtest/gtest.h>

#include "model/counts.h"
#include "scene/scene_text.h"

namespace resilin::test {
namespace {


std::string body(const std::string& keys) { return R"({"bodies": [{"name": "cloth", )" + keys + "}]}"; }

std::string words_of(const std::string& text) { return in_words(count_elements(model_of(text))); }

TEST(ShellScenes, TrianglesOfShellsAndSkinsAreCounted) {
  EXPECT_EQ(words_of(body(R"("shell": {"type": "grid", "cells": [2, 3]})")), "12 triangles");
  EXPECT_EQ(words_of(body(R"("shell": {"type": "grid", "cells": [2, 3]}, "material": "none", "bending": "none")")),
            "12 triangles");
  const std::string tet = R"("mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tets": [[0,1,2,3]]})";
  EXPECT_EQ(words_of(body(tet)), "1 tet");
  EXPECT_EQ(words_of(body(tet + R"(, "skin": {})")), "1 tet, 4 triangles");
  EXPECT_EQ(words_of(body(R"("cloth": {"cells": [1, 1]})")), "6 springs");
}

}  // namespace
}  // namespace resilin::test
