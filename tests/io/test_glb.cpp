#include "io/animation_sample.h"
#include "resilin/scene.h"

namespace resilin::test {
namespace {

struct Parsed {
  Value json;
  std::string bytes;
};

Parsed parse(const std::string& file) {
  EXPECT_EQ(file.substr(0, 4), "glTF");
  EXPECT_EQ(value_at<std::uint32_t>(file, 4), 2u);
  EXPECT_EQ(value_at<std::uint32_t>(file, 8), file.size());
  const auto json = value_at<std::uint32_t>(file, 12);
  EXPECT_EQ(json % 4, 0u);
  EXPECT_EQ(file.substr(16, 4), "JSON");
  EXPECT_EQ(file.substr(20 + json + 4, 4), std::string("BIN\0", 4));
  return {parse_json(file.substr(20, json), "glb"), file.substr(20 + json + 8)};
}

const Value& at(const Value& v, const std::string& key, int index = -1) {
  const Value* found = v.find(key);
  static const Value none;
  if (found == nullptr) return ADD_FAILURE() << "no " << key, none;
  return index < 0 ? *found : found->list().at(static_cast<std::size_t>(index));
}

TEST(Glb, AMeshPerBodyAndAMorphTargetPerLaterFrame) {
  const Parsed file = parse(format("glb").write_sequence(animation()));
  ASSERT_EQ(at(file.json, "meshes").list().size(), 2u);
  EXPECT_EQ(at(at(file.json, "meshes", 0), "name").text(), "rope");
  EXPECT_EQ(at(at(at(file.json, "meshes", 0), "primitives", 0), "mode").integer(), 1);
  const Value& tet = at(at(file.json, "meshes", 1), "primitives", 0);
  EXPECT_EQ(at(tet, "mode").integer(), 4);
  EXPECT_EQ(at(tet, "targets").list().size(), 2u);
  EXPECT_EQ(at(at(at(file.json, "animations", 0), "channels", 1), "target").dump(),
            R"({"node":1,"path":"weights"})");
  // every accessor lies within its view, every view within the buffer
  for (const Value& accessor : at(file.json, "accessors").list()) {
    const Value& view = at(file.json, "bufferViews", at(accessor, "bufferView").integer());
    const int size = (at(accessor, "type").text() == "VEC3" ? 12 : 4) * at(accessor, "count").integer();
    EXPECT_EQ(at(view, "byteLength").integer(), size);
    EXPECT_LE(at(view, "byteOffset").integer() + size, static_cast<int>(file.bytes.size()));
    EXPECT_EQ(at(view, "byteOffset").integer() % 4, 0);
  }
  // the second target moves every vertex by (2, 2, 2)
  const Value& moved = at(file.json, "accessors", at(at(tet, "targets", 1), "POSITION").integer());
  EXPECT_EQ(at(moved, "min").dump(), "[2,2,2]");
  EXPECT_EQ(at(moved, "max").dump(), "[2,2,2]");
}

// ParaView 5.11 ends when a material has no pbrMetallicRoughness; without normals viewers show facets.
TEST(Glb, HasAMaterialAndUnitNormalsInEveryFrame) {
  const Parsed file = parse(format("glb").write_sequence(animation()));
  EXPECT_NE(at(file.json, "materials", 0).find("pbrMetallicRoughness"), nullptr);
  EXPECT_EQ(at(at(at(file.json, "meshes", 0), "primitives", 0), "attributes").find("NORMAL"), nullptr) << "a rope";
  const Value& tet = at(at(file.json, "meshes", 1), "primitives", 0);
  const auto floats = [&](const Value& accessor_id) {
    const Value& accessor = at(file.json, "accessors", accessor_id.integer());
    const Value& view = at(file.json, "bufferViews", at(accessor, "bufferView").integer());
    std::vector<float> out;
    for (int i = 0; i < 3 * at(accessor, "count").integer(); ++i)
      out.push_back(
          value_at<float>(file.bytes, static_cast<std::size_t>(at(view, "byteOffset").integer() + 4 * i)));
    return out;
  };
  const std::vector<float> n = floats(at(at(tet, "attributes"), "NORMAL"));
  ASSERT_EQ(n.size(), 12u);
  for (std::size_t i = 0; i < n.size(); i += 3) EXPECT_NEAR(std::hypot(n[i], n[i + 1], n[i + 2]), 1, 1e-6);
  EXPECT_LT(n[0], 0) << "out of the corner at the origin";
  for (const float change : floats(at(at(tet, "targets", 1), "NORMAL")))
    EXPECT_NEAR(change, 0, 1e-6) << "it only moves";
}

TEST(Glb, AStillHasNoAnimation) {
  const Parsed file = parse(write_mesh("a.glb", solid_sample()));
  EXPECT_EQ(file.json.find("animations"), nullptr);
}

TEST(Glb, RefusesWhatFloatsCannotHold) {
  MeshData mesh = solid_sample();
  mesh.vertices[0] = 1e300;
  says(input_error([&] { write_mesh("a.glb", mesh); }), "too far away");
}

}  // namespace
}  // namespace resilin::test
