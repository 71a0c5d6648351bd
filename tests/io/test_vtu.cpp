// VTU frames read back by a tiny reader that shares nothing with the writer: every number equal bit for bit.
#include <cstring>

#include "io/base64.h"
#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

std::string attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 3;
  return tag.substr(begin, tag.find('"', begin) - begin);
}

std::string decode64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  int bits = 0, value = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) {
      ADD_FAILURE() << "not base64: " << c;
      break;
    }
    value = (value << 6 | static_cast<int>(digit)) & 0xffffff;
    bits += 6;
    if (bits >= 8) bits -= 8, out += static_cast<char>(value >> bits & 255);
  }
  return out;
}

// The sizes are encoded by themselves: number of blocks, size of each, size of the last (0: full), packed sizes.
std::string unpacked(const std::string& text) {
  const auto number = [](const std::string& bytes, std::size_t i) {
    std::uint64_t out = 0;
    EXPECT_LE(8 * i + 8, bytes.size());
    std::memcpy(&out, bytes.data() + 8 * i, 8);
    return out;
  };
  const std::string first = decode64(text.substr(0, 12)).substr(0, 8);
  if (!has_zlib()) return decode64(text).substr(8);
  const std::size_t blocks = number(first, 0), characters = (8 * (3 + blocks) + 2) / 3 * 4;
  const std::string sizes = decode64(text.substr(0, characters)), packed = decode64(text.substr(characters));
  std::string out;
  std::size_t at = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t size = b + 1 == blocks && number(sizes, 2) > 0 ? number(sizes, 2) : number(sizes, 1);
    const auto block = inflate_exactly(packed.substr(at, number(sizes, 3 + b)), size);
    EXPECT_TRUE(block.has_value());
    out += block.value_or("");
    at += number(sizes, 3 + b);
  }
  EXPECT_EQ(at, packed.size());
  return out;
}

template <class T>
std::vector<T> array(const std::string& file, const std::string& name, const std::string& type) {
  for (std::size_t at = file.find("<DataArray"); at != std::string::npos; at = file.find("<DataArray", at + 1)) {
    const std::size_t end = file.find('>', at);
    const std::string tag = file.substr(at, end - at);
    if (attribute(tag, "Name") != name) continue;
    EXPECT_EQ(attribute(tag, "type"), type) << name;
    EXPECT_EQ(attribute(tag, "format"), "binary") << name;
    const std::string bytes = unpacked(file.substr(end + 1, file.find("</DataArray>", end) - end - 1));
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  ADD_FAILURE() << "no array " << name;
  return {};
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Vtu, NumbersComeBackBitForBit) {
  const Example example;
  const std::string file = format("vtu").write_frame(example.frame());
  EXPECT_TRUE(same_bits(array<double>(file, "Points", "Float64"), example.state.q));
  EXPECT_TRUE(same_bits(array<double>(file, "velocity", "Float64"), example.state.v));
}

TEST(Vtu, CellsAreTetsTrianglesEdgesAndVertices) {
  const Example example;
  const std::string file = format("vtu").write_frame(example.frame());
  EXPECT_EQ(array<std::uint8_t>(file, "types", "UInt8"), (std::vector<std::uint8_t>{10, 10, 5, 3, 1}));
  EXPECT_EQ(array<std::int32_t>(file, "offsets", "Int32"), (std::vector<std::int32_t>{4, 8, 11, 13, 14}));
  EXPECT_EQ(array<std::int32_t>(file, "connectivity", "Int32"),
            (std::vector<std::int32_t>{0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(array<std::int32_t>(file, "body", "Int32"), (std::vector<std::int32_t>{0, 0, 1, 2, 3}));
  EXPECT_NE(file.find("NumberOfPoints=\"11\" NumberOfCells=\"5\""), std::string::npos);
}

TEST(Vtu, TellsTheTime) {
  const Example example;
  EXPECT_NE(format("vtu")
                .write_frame(example.frame())
                .find("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<"),
            std::string::npos);
}

TEST(Vtu, AnEmptyModelIsAValidFile) {
  const Model model;
  const State state;
  const std::string file = format("vtu").write_frame({&model, &state.q, &state.v, 0, 0});
  EXPECT_TRUE(array<double>(file, "Points", "Float64").empty());
  EXPECT_TRUE(array<std::uint8_t>(file, "types", "UInt8").empty());
}

TEST(Vtu, IndexNamesEveryFrameWithItsTime) {
  EXPECT_EQ(format("vtu").index_extension, ".pvd");
  const std::string index = format("vtu").write_index({{0, "frames/a_00000.vtu"}, {1.0 / 30, "frames/a&b\".vtu"}});
  EXPECT_NE(index.find("<DataSet timestep=\"0\" part=\"0\" file=\"frames/a_00000.vtu\"/>"), std::string::npos)
      << index;
  EXPECT_NE(index.find("timestep=\"0.03333333333333333\" part=\"0\" file=\"frames/a&amp;b&quot;.vtu\"/>"),
            std::string::npos)
      << index;
}

}  // namespace
}  // namespace resilin::test

namespace resilin::test {
namespace {

TEST(VtuReader, AllEncodingsHoldTheSameMesh) {
  for (const char* name : {"ascii", "base64", "raw", "appended64", "zlib", "zlib_raw"}) {
    const MeshData mesh = read_back("a.vtu", seed(std::string("vtu/") + name + ".vtu"));
    EXPECT_EQ(mesh.vertex_count(), 5) << name;
    EXPECT_EQ(mesh.vertices[11], 1.5) << name;
    EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3})) << name;
    EXPECT_EQ(mesh.tet_groups, (Groups{{"soft", {0}}, {"hard", {1}}})) << name;
  }
}

TEST(VtuReader, WritesWhatItReads) {
  const MeshData mesh = sample(), back = read_back("a.vtu", write_mesh("a.vtu", mesh));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.tets, mesh.tets);
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(back.edges, mesh.edges);
  EXPECT_EQ(back.tet_groups, mesh.tet_groups);
  EXPECT_EQ(back.triangle_groups, mesh.triangle_groups);
  EXPECT_EQ(back.vertex_groups, mesh.vertex_groups);
}

TEST(VtuReader, FramesComeBackWithTimeAndBodies) {
  const Example example;
  const MeshData mesh = read_as("vtu", format("vtu").write_frame(example.frame()));
  EXPECT_EQ(mesh.vertices, example.state.q);
  EXPECT_EQ(mesh.time, 0.1);
  EXPECT_EQ(mesh.tets, example.model.bodies[0].tets);
  EXPECT_EQ(mesh.tet_groups, (Groups{{"body_0", {0, 1}}}));
}

TEST(VtuReader, FieldsOfTetsAndShellsAreZeroElsewhere) {
  Example example;
  const std::vector<NamedField> fields = {{"stretch", 3, {1, 2, 3, 4, 5, 6, 7, 8, 0}}};
  Frame frame = example.frame();
  frame.element_fields = &fields;
  const std::string text = format("vtu").write_frame(frame);
  EXPECT_NE(text.find("Name=\"stretch\" NumberOfComponents=\"3\""), std::string::npos);
}

TEST(VtuReader, Refuses) {
  const std::string text = seed("vtu/ascii.vtu");
  says(refusal("a.vtu", replaced(text, "NumberOfPoints=\"5\"", "NumberOfPoints=\"4\"")),
       "15 coordinates, but NumberOfPoints=\"4\" needs 12");
  says(refusal("a.vtu", replaced(text, "NumberOfPoints=\"5\"", "NumberOfPoints=\"99999999999\"")),
       "NumberOfPoints");
  says(refusal("a.vtu", replaced(text, "10 10", "10 12")), "hexahedron");
  says(refusal("a.vtu", replaced(text, "0 1 2 3", "0 1 2 5")), "cell 0 names point 5");
  says(refusal("a.vtu", replaced(text, "</Points>", "</Point>")), "closes");
  says(refusal("a.vtu", replaced(text, "<!-- a comment -->", "<!DOCTYPE bomb [<!ENTITY a \"aaaa\">]>")),
       "document types are refused");
  std::string deep = "<VTKFile type=\"UnstructuredGrid\">";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  says(refusal("a.vtu", deep), "nested deeper");
  says(refusal("a.vtu", replaced(seed("vtu/zlib.vtu"), "vtkZLibDataCompressor", "vtkLZ4DataCompressor")),
       "vtkLZ4DataCompressor");
}

}  // namespace
}  // namespace resilin::test
