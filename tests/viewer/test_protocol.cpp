#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "protocol.h"

namespace resilin::viewer {
namespace {

Close code_of(const std::string& text) {
  try {
    parse_message(text);
  } catch (const BadMessage& bad) {
    return bad.code;
  }
  ADD_FAILURE() << "was taken: " << text.substr(0, 200);
  return Close::not_text;
}

template <class T>
T request_in(const std::string& text) {
  return std::get<T>(parse_message(text).request);
}

TEST(ProtocolParse, EveryMessage) {
  EXPECT_EQ(parse_message(R"({"type": "play", "id": 7})").id, 7);
  EXPECT_FALSE(parse_message(R"({"type": "pause"})").id);
  EXPECT_EQ(request_in<StepFrames>(R"({"type": "step", "frames": 1000})").frames, 1000);
  EXPECT_EQ(request_in<Speed>(R"({"type": "speed", "factor": 0.5})").factor, 0.5);
  const auto edit = request_in<EditRequest>(
      R"({"type": "edit", "view": 1, "edit": {"edit": "drag", "vertices": [3], "target": [0, 1, 2]}})");
  EXPECT_EQ(edit.view, 1);
  EXPECT_EQ(std::get<Drag>(edit.edit).target[2], 2);
  const auto open = request_in<Open>(R"({"type": "open", "scene": "pendulum", "set": [["solver.iterations", 3]]})");
  EXPECT_EQ(open.set.at(0).second.number(), 3);
  const auto compare = request_in<Compare>(
      R"({"type": "compare", "variants": [{"label": "a"}, {"label": "b", "set": [["step", 0.1]]}]})");
  EXPECT_EQ(compare.variants.at(1).set.at(0).first, "step");
  EXPECT_TRUE(request_in<WatchConvergence>(R"({"type": "watch_convergence", "on": true})").on);
  EXPECT_EQ(request_in<Colour>(R"({"type": "colour", "by": "stress"})").by, "stress");
  EXPECT_EQ(request_in<Slice>(R"({"type": "slice", "plane": [1, 0, 0, 0.5]})").plane->at(3), 0.5);
  EXPECT_FALSE(request_in<Slice>(R"({"type": "slice", "plane": null})").plane);
  EXPECT_EQ(request_in<Seek>(R"({"type": "seek", "frame": 12})").frame, 12);
  EXPECT_EQ(request_in<SampleCurve>(R"({"type": "curve", "kind": "damping", "description": {}})").kind, "damping");
}

TEST(ProtocolParse, EverythingElseIsRefused) {
  const std::string bad[] = {"",
                             "{",
                             "null",
                             "[]",
                             "7",
                             "\"play\"",
                             "{}",
                             R"({"type": 3})",
                             R"({"type": "dance"})",
                             R"({"type": "play", "more": 1})",
                             R"({"type": "play", "id": "x"})",
                             R"({"type": "step"})",
                             R"({"type": "step", "frames": 0})",
                             R"({"type": "step", "frames": 1001})",
                             R"({"type": "step", "frames": 1.5})",
                             R"({"type": "speed", "factor": -1})",
                             R"({"type": "speed", "factor": 1e999})",
                             R"({"type": "speed", "factor": NaN})",
                             R"({"type": "edit"})",
                             R"({"type": "edit", "edit": {"edit": "explode"}})",
                             R"({"type": "edit", "edit": {"edit": "drag", "stiffness": -1}})",
                             R"({"type": "edit", "edit": {"edit": "reset"}, "view": -1})",
                             R"({"type": "edit", "edit": {"edit": "reset"}, "view": 99})",
                             R"({"type": "open"})",
                             R"({"type": "open", "scene": "a", "set": [["x"]]})",
                             R"({"type": "compare", "variants": {}})",
                             R"({"type": "compare", "variants": [{"set": []}]})",
                             R"({"type": "colour", "by": "taste"})",
                             R"({"type": "slice", "plane": [1, 2, 3]})",
                             R"({"type": "slice"})",
                             R"({"type": "seek", "frame": -1})",
                             R"({"type": "curve", "kind": "solver", "description": {}})",
                             "{\"type\": \"play\", \"type\": \"play\"}",
                             std::string("{\"type\": \"pl\0y\"}", 16),
                             "{\"type\": \"\xff\xfe\"}"};
  for (const std::string& text : bad) EXPECT_EQ(code_of(text), Close::refused) << text;
}

TEST(ProtocolParse, LengthAndDepthAreBounded) {
  const auto padded = [](std::size_t size) {
    const std::string head = R"({"type": "open", "scene": ")";
    return head + std::string(size - head.size() - 2, 'a') + "\"}";
  };
  EXPECT_EQ(request_in<Open>(padded(longest_message)).scene.back(), 'a');
  EXPECT_EQ(code_of(padded(longest_message + 1)), Close::too_long);
  const auto nested = [](int depth) {  // the message itself is one level
    const auto n = static_cast<std::size_t>(depth - 1);
    return R"({"type": "curve", "kind": "material", "description": )" + std::string(n, '[') + std::string(n, ']') +
           "}";
  };
  EXPECT_TRUE(request_in<SampleCurve>(nested(deepest_message)).description.is_list());
  EXPECT_EQ(code_of(nested(deepest_message + 1)), Close::refused);
  EXPECT_EQ(code_of(nested(30000)), Close::refused);
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T out;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}

TEST(ProtocolEncode, MeshAsDocumented) {
  DrawnMesh mesh;
  mesh.serial = 5, mesh.vertices = {9, 8, 7}, mesh.triangles = {0, 1, 2}, mesh.edges = {0, 2}, mesh.bodies = {1};
  const std::string plain = encode_mesh(mesh);
  EXPECT_EQ(plain.size(), 32u + 4 * (3 + 3 + 2 + 1));
  EXPECT_EQ(plain[0], 1);
  EXPECT_EQ(plain[2], 0);
  EXPECT_EQ(at<std::uint32_t>(plain, 4), 5u);
  EXPECT_EQ(at<std::uint32_t>(plain, 8), 3u);
  EXPECT_EQ(at<std::uint32_t>(plain, 12), 1u);
  EXPECT_EQ(at<std::uint32_t>(plain, 16), 1u);
  EXPECT_EQ(at<std::uint32_t>(plain, 32), 9u);
  EXPECT_EQ(at<std::uint32_t>(plain, 32 + 4 * 8), 1u);
  mesh.corners.assign(3, {1, 2, 3, 4}), mesh.weights.assign(3, {0.25f, 0.25f, 0.5f, 0});
  const std::string skin = encode_mesh(mesh);
  EXPECT_EQ(skin[2], 1);
  EXPECT_EQ(skin.size(), plain.size() + 3 * 32);
  EXPECT_EQ(at<std::uint32_t>(skin, plain.size() + 4), 2u);
  EXPECT_EQ(at<float>(skin, plain.size() + 48 + 8), 0.5f);
}

TEST(ProtocolEncode, FrameAsDocumented) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6}, colours = {0.5f, 0.75f};
  const std::string frame = encode_frame({2, 5, 77, (std::int64_t{1} << 32) + 9, 1.25}, x, colours);
  EXPECT_EQ(frame.size(), 32u + 24 + 8);
  EXPECT_EQ(frame[0], 2);
  EXPECT_EQ(frame[1], 2);
  EXPECT_EQ(frame[2], 1);
  EXPECT_EQ(at<std::uint32_t>(frame, 4), 5u);
  EXPECT_EQ(at<std::uint32_t>(frame, 8), 2u);
  EXPECT_EQ(at<std::uint32_t>(frame, 12), 77u);
  EXPECT_EQ(at<std::uint32_t>(frame, 16), 9u);
  EXPECT_EQ(at<double>(frame, 24), 1.25);
  EXPECT_EQ(at<float>(frame, 32 + 20), 6.0f);
  EXPECT_EQ(at<float>(frame, 32 + 28), 0.75f);
  EXPECT_EQ(encode_frame({}, x, {})[2], 0);
}

TEST(ProtocolEncode, EmbeddedVerticesArePlacedByTheirWeights) {
  DrawnMesh mesh;
  mesh.vertices = {0, 1}, mesh.corners = {{0, 1, 2, 3}, {1, 1, 1, 1}},
  mesh.weights = {{0.5f, 0.25f, 0.25f, 0}, {1, 0, 0, 0}};
  const std::vector<double> q = {4, 0, 0, 0, 8, 0, 0, 0, 16, 99, 99, 99};
  const std::vector<float> x = mesh.place(q, 3);
  EXPECT_EQ(x, (std::vector<float>{2, 2, 4, 0, 8, 0}));
}

TEST(ProtocolEncode, RepliesAreJson) {
  EXPECT_EQ(reply(7, {{"step", 3}}), R"({"type":"reply","id":7,"ok":true,"step":3})");
  EXPECT_EQ(refusal(7, "no \"way\""), R"({"type":"reply","id":7,"ok":false,"error":"no \"way\""})");
  // A text that was cut in the middle of a letter is mended: a browser would drop the connection.
  EXPECT_EQ(clean_text("caf\xc3"), "caf?");
  EXPECT_EQ(clean_text("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(clean_text("\xed\xa0\x80|\xc0\xaf|\xf5\x80\x80\x80"), "???|??|????");
}

}  // namespace
}  // namespace resilin::viewer
