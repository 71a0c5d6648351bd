// Every format shows the surface that a body's tets carry.
#include "io/animation_sample.h"
#include "io/drawn.h"
#include "resilin/shapes.h"

namespace resilin::test {
namespace {

/// A box of tets that carries a triangle, and a rope.
struct Carrier {
  Model model;
  State state;
  std::vector<double> expected;  // the triangle where the box is now

  Carrier() {
    BoxOptions options;
    options.cells = {2, 1, 1};
    const TetMesh cage = box(options);
    const double density = 1000;
    add_tet_body(model, "cage", cage, {&density, 1});
    model.bodies[0].embedded = embed(cage, {{-0.4, -0.2, 0.1, 0.4, 0, 0, 0, 0.3, 0.7}, {0, 1, 2}, {}, {}});
    const int first = model.add_vertices(std::vector<double>{5, 0, 0, 6, 0, 0});
    model.bodies.push_back({"rope", first, 2, {}, {}, {first, first + 1}});
    state.q = model.rest;
    for (std::size_t i = 0; i < state.q.size(); i += 3) state.q[i] *= 2, state.q[i + 1] += 1;
    state.v.assign(state.q.size(), 0.0);
    for (std::size_t i = 0; i < state.v.size(); i += 3) state.v[i] = 3;
    expected = {-0.8, 0.8, 0.1, 0.8, 1, 0, 0, 1.3, 0.7};
  }
  Frame frame() const { return {&model, &state.q, &state.v, 0, 0.5}; }
};

void expect_triangle(const MeshData& mesh, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(mesh.triangle_count(), 1) << what;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(mesh.vertices[3 * static_cast<std::size_t>(mesh.triangles[k]) + c], expected[3 * k + c], 1e-6)
          << what;
}

TEST(Embedded, EveryFrameFormatShowsIt) {
  const Carrier carrier;
  for (const auto& [name, plugin] : registry<FormatPlugin>()) {
    if (!can_write_frames(plugin) || !plugin.read) continue;
    const MeshData back = read_mesh({"a" + plugin.extension, frame_contents(plugin, carrier.frame())});
    if (name == "vega") {  // holds solids only
      EXPECT_EQ(back.tet_count(), carrier.model.bodies[0].tets.size() / 4);
      continue;
    }
    expect_triangle(back, carrier.expected, name);
  }
}

TEST(Embedded, SolidsCanBeReadFromVolumesThatShowIt) {
  const Carrier carrier;
  for (const char* name : {"vtu", "vtk", "gmsh", "medit"}) {
    const FormatPlugin& plugin = format(name);
    const MeshData back = read_mesh({"a" + plugin.extension, frame_contents(plugin, carrier.frame())});
    const TetMesh solid = to_tet_mesh(back, name);
    EXPECT_EQ(solid.vertex_count(), carrier.model.bodies[0].vertex_count) << name;
    EXPECT_TRUE(check(solid).empty()) << name;
  }
}

TEST(Embedded, VtuCarriesFieldsToIt) {
  const Carrier carrier;
  std::vector<double> values(carrier.model.bodies[0].tets.size() / 4, 7.0);
  const std::vector<NamedField> fields = {{"stress", 1, values}};
  Frame frame = carrier.frame();
  frame.element_fields = &fields;
  const std::string text = format("vtu").write_frame(frame);
  EXPECT_NE(text.find("Name=\"embedded\""), std::string::npos);
  Carrier plain;
  plain.model.bodies[0].embedded = {};
  EXPECT_EQ(format("vtu").write_frame(plain.frame()).find("Name=\"embedded\""), std::string::npos);
}

TEST(Embedded, AnimationsShowIt) {
  const Carrier carrier;
  const MeshData mesh = to_mesh_data(carrier.model);
  const std::vector<double> moved = with_embedded(carrier.model, carrier.state.q);
  EXPECT_EQ(moved.size(), mesh.vertices.size());
  const Animation animation{mesh, {0.0}, [&](int) { return moved; }};
  const std::string cache = format("pc2").write_sequence(animation);
  EXPECT_EQ(value_at<std::int32_t>(cache, 16), 5);  // three of the triangle, two of the rope
  const std::vector<Part> parts = parts_of(mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "cage");
  EXPECT_EQ(parts[0].vertices.size(), 3u);
}

TEST(Embedded, ModelsWithoutAreUnchanged) {
  const Example example;
  EXPECT_EQ(with_embedded(example.model, example.state.q), example.state.q);
  EXPECT_EQ(with_embedded(example.model).bodies[0].triangles, example.model.bodies[0].triangles);
}

}  // namespace
}  // namespace resilin::test
