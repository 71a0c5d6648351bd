#include <cstring>

#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

struct Parsed {
  std::vector<double> vertices;
  std::vector<std::vector<int>> faces, lines;
  std::vector<std::string> objects;
};

Parsed parse(const std::string& text) {
  Parsed out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, word;
    words >> key;
    std::vector<std::string> rest;
    while (words >> word) rest.push_back(word);
    std::vector<int> ids;
    if (key == "f" || key == "l")
      for (const std::string& w : rest) ids.push_back(std::stoi(w));
    if (key == "v")
      for (const std::string& w : rest) out.vertices.push_back(std::strtod(w.c_str(), nullptr));
    else if (key == "f") out.faces.push_back(ids);
    else if (key == "l") out.lines.push_back(ids);
    else if (key == "o") out.objects.push_back(rest.size() == 1 ? rest[0] : "not one word");
    else EXPECT_EQ(key, "#") << line;
  }
  return out;
}

TEST(Obj, SurfacesComeBackBitForBit) {
  Example example;
  example.model.bodies[0].triangles = {0, 2, 1, 4, 1, 2};  // vertex 3 is inside: it is left out
  const Parsed file = parse(format("obj").write_frame(example.frame()));
  const std::vector<int> ids = {0, 1, 2, 4, 5, 6, 7, 8, 9};  // drawn, ascending
  ASSERT_EQ(file.vertices.size(), 3 * ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    EXPECT_EQ(0, std::memcmp(&file.vertices[3 * i], &example.state.q[3 * static_cast<std::size_t>(ids[i])],
                             3 * sizeof(double)))
        << i;
  EXPECT_EQ(file.faces, (std::vector<std::vector<int>>{{1, 3, 2}, {4, 2, 3}, {5, 6, 7}}));
  EXPECT_EQ(file.lines, (std::vector<std::vector<int>>{{8, 9}}));
}

TEST(Obj, BodiesAreObjectsWithOneWordNames) {
  const Example example;
  EXPECT_EQ(parse(format("obj").write_frame(example.frame())).objects,
            (std::vector<std::string>{"two_tets", "cloth", "rope", "dot"}));
}

TEST(Obj, NeedsNoIndex) { EXPECT_FALSE(format("obj").write_index); }

}  // namespace
}  // namespace resilin::test

namespace resilin::test {
namespace {

TEST(ObjReader, PolygonsGroupsNegativeIdsAndLines) {
  const MeshData mesh = read_back("a.obj", seed("obj/two.obj"));
  EXPECT_EQ(mesh.vertex_count(), 5);
  EXPECT_EQ(mesh.triangles, (std::vector<int>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4}));
  EXPECT_EQ(mesh.triangle_groups, (Groups{{"soft", {0, 1, 2}}, {"hard", {3, 4, 5}}}));
  EXPECT_EQ(mesh.edges, (std::vector<int>{0, 1, 1, 2}));
  EXPECT_EQ(read_back("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").triangles,
            (std::vector<int>{0, 1, 2, 0, 2, 3}));
}

TEST(ObjReader, WritesWhatItReads) {
  const MeshData mesh = sample(), back = read_back("a.obj", write_mesh("a.obj", mesh));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(back.edges, mesh.edges);
  EXPECT_EQ(back.triangle_groups, mesh.triangle_groups);
}

TEST(ObjReader, FramesKeepTheirTime) {
  const Example example;
  EXPECT_EQ(read_back("a.obj", format("obj").write_frame(example.frame())).time, 0.1);
}

TEST(ObjReader, Refuses) {
  const std::string text = seed("obj/two.obj");
  says(refusal("a.obj", replaced(text, "f 1 4 3", "f 1 4 6")), "element 3 names vertex 6: the file has 5");
  says(refusal("a.obj", replaced(text, "f -4 -3 -1", "f -6 -3 -1")), "names vertex -6");
  says(refusal("a.obj", replaced(text, "f 1 4 3", "f 1 4")), "has 2 vertices");
  EXPECT_EQ(refusal("a.obj", replaced(text, "v 0.0 1.0", "v nan 1.0")).where(), "a.obj:5");
  says(refusal("a.obj", "hello\n"), "no vertex");
}

}  // namespace
}  // namespace resilin::test
