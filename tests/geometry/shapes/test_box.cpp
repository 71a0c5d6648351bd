#include <gtest/gtest.h>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

struct Case {
  BoxPattern pattern;
  std::array<int, 3> cells;
  int vertices, tets;
};

TEST(Box, has_the_counts_of_the_scenes) {
  const Case cases[] = {
      {BoxPattern::five, {6, 7, 61}, 3472, 12810}, {BoxPattern::five, {112, 16, 16}, 32657, 143360},
      {BoxPattern::six, {4, 4, 4}, 125, 384},      {BoxPattern::six, {8, 2, 2}, 81, 192},
      {BoxPattern::six, {12, 3, 3}, 208, 648},     {BoxPattern::bcc, {2, 2, 2}, 35, 96}};
  for (const Case& c : cases) {
    const TetMesh mesh = box({{1, 1, 1}, c.cells, c.pattern, {0, 0, 0}});
    EXPECT_EQ(mesh.vertex_count(), c.vertices);
    EXPECT_EQ(mesh.tet_count(), c.tets);
  }
}

TEST(Box, is_sound_and_filled_exactly) {
  for (BoxPattern pattern : {BoxPattern::five, BoxPattern::six, BoxPattern::bcc})
    for (const std::array<int, 3> cells : {std::array{1, 1, 1}, {2, 3, 4}, {5, 1, 2}}) {
      const TetMesh mesh = box({{2, 3, 0.5}, cells, pattern, {1, -1, 4}});
      expect_sound(mesh);
      EXPECT_NEAR(total_volume(mesh), 3, 1e-12);
      EXPECT_EQ(boundary_face_count(mesh), 4 * (cells[0] * cells[1] + cells[1] * cells[2] + cells[2] * cells[0]));
      const Bounds b = bounds(mesh.vertices);
      EXPECT_NEAR(b.lower[1], -2.5, 1e-14);
      EXPECT_NEAR(b.upper[2], 4.25, 1e-14);
      EXPECT_EQ(components(mesh).count, 1);
    }
}

TEST(Box, cubic_cells_have_the_angles_of_their_pattern) {
  const auto of = [](BoxPattern pattern) { return quality(box({{1, 1, 1}, {4, 4, 4}, pattern, {0, 0, 0}})); };
  EXPECT_NEAR(of(BoxPattern::five).min_dihedral, 54.7356, 1e-3);
  EXPECT_NEAR(of(BoxPattern::six).min_dihedral, 45, 1e-9);
  EXPECT_NEAR(of(BoxPattern::bcc).min_dihedral, 45, 1e-9);
  EXPECT_GT(of(BoxPattern::bcc).mean_quality, of(BoxPattern::six).mean_quality);
}

TEST(Box, names_its_sides) {
  const TetMesh mesh = box({{1, 1, 1}, {2, 3, 4}, BoxPattern::bcc, {0, 0, 0}});
  EXPECT_EQ(mesh.vertex_groups.size(), 6u);
  EXPECT_EQ(mesh.vertex_groups.at("x_max").size(), 20u);
  for (int v : mesh.vertex_groups.at("x_max")) EXPECT_EQ(mesh.vertices[3 * v], 0.5);
  for (int v : mesh.vertex_groups.at("z_min")) EXPECT_EQ(mesh.vertices[3 * v + 2], -0.5);
}

TEST(Box, rejects_bad_options) {
  EXPECT_THROW(box({{1, 0, 1}, {1, 1, 1}, BoxPattern::five, {}}), InputError);
  EXPECT_THROW(box({{1, 1, 1}, {1, 0, 1}, BoxPattern::five, {}}), InputError);
  EXPECT_THROW(box({{1, 1, 1}, {100000, 100000, 10}, BoxPattern::five, {}}), InputError);
}

TEST(Box, as_a_plugin) {
  const ShapePlugin plugin = shape_box();
  Value value(Value::Object{});
  value.set("cells", Value::List{8, 2, 2});
  value.set("pattern", "six");
  value.locate("s.json", "bodies[0].shape");
  EXPECT_EQ(plugin.make(plugin.params.read(value)).tet_count(), 192);
  EXPECT_EQ(plugin.make(plugin.params.defaults()).tet_count(), 320);
  value.set("cells", Value::List{8, 2.5, 2});
  value.locate("s.json", "bodies[0].shape");
  const std::string text = input_error([&] { plugin.make(plugin.params.read(value)); });
  EXPECT_NE(text.find("s.json: bodies[0].shape.cells: 2.5"), std::string::npos) << text;
}

}  // namespace
}  // namespace resilin
