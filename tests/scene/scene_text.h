// Small scenes for the tests, as text with one place left open.
#pragma once
#include <string>
#include <vector>

#include "core/expect_input_error.h"
#include "resilin/scene.h"

namespace resilin::test {

/// Four vertices, one tet of volume 1/6.
inline const std::string unit_tet =
    R"("mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tets": [[0,1,2,3]]})";
/// A box of 4 x 1 x 1 m, 5 x 2 x 2 vertices, from x = 0 to 4.
inline const std::string bar =
    R"("shape": {"type": "box", "size": [4,1,1], "cells": [4,1,1]}, "translate": [2,0,0])";

/// A scene of one body named "bar" with these members, and more members of the scene.
inline std::string scene_of(const std::string& body, const std::string& more = "") {
  return R"({"bodies": [{"name": "bar", )" + body + "}]" + (more.empty() ? "" : ", " + more) + "}";
}

inline Scene parse(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse_scene(text, "test.json", overrides);
}

inline Model model_of(const std::string& text) {
  State ignored;
  return build_model(parse(text), ignored);
}

inline State state_of(const std::string& text) {
  State state;
  build_model(parse(text), state);
  return state;
}

/// The error of parsing and building the scene; its text must name the file.
inline InputError scene_error(const std::string& text) {
  const InputError error = input_error([&] { build_simulation(parse(text), 1); });
  says(error, "test.json");
  return error;
}

}  // namespace resilin::test
