#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

TEST(GridCloth, has_the_counts_of_the_papers_cloth) {
  ClothOptions options;
  options.nx = options.ny = 81;
  const Cloth cloth = grid_cloth(options);
  EXPECT_EQ(cloth.springs.vertex_count(), 6561);
  EXPECT_EQ(cloth.springs.element_groups.at("stretch").size(), 12960u);
  EXPECT_EQ(cloth.springs.element_groups.at("shear").size(), 12800u);
  EXPECT_EQ(cloth.springs.element_groups.at("bend").size(), 12798u);
  EXPECT_EQ(cloth.springs.edge_count(), 38558);
  EXPECT_EQ(cloth.triangles.triangle_count(), 2 * 80 * 80);
}

TEST(GridCloth, edges_have_the_lengths_of_their_kind) {
  const Cloth cloth = grid_cloth({5, 4, 8, 9, {1, 2, 3}});  // spacing 2 x 3
  const EdgeMesh& s = cloth.springs;
  std::set<std::pair<int, int>> seen;
  const std::map<std::string, std::set<double>> lengths{
      {"stretch", {2, 3}}, {"shear", {std::hypot(2, 3)}}, {"bend", {4, 6}}};
  for (const auto& [group, allowed] : lengths)
    for (int e : s.element_groups.at(group)) {
      const int a = s.edges[2 * e], b = s.edges[2 * e + 1];
      const double length =
          std::hypot(s.vertices[3 * a] - s.vertices[3 * b], s.vertices[3 * a + 1] - s.vertices[3 * b + 1]);
      EXPECT_TRUE(std::ranges::any_of(allowed, [&](double l) { return std::abs(l - length) < 1e-12; })) << group;
      EXPECT_TRUE(seen.insert(std::minmax(a, b)).second);
    }
  EXPECT_EQ(static_cast<int>(seen.size()), s.edge_count());
  EXPECT_EQ(s.vertex_groups.at("x_min"), (std::vector<int>{0, 5, 10, 15}));
  EXPECT_EQ(s.vertex_groups.at("y_max"), (std::vector<int>{15, 16, 17, 18, 19}));
}

TEST(GridCloth, triangles_cover_the_sheet_facing_up) {
  const Cloth cloth = grid_cloth({4, 6, 3, 5, {0, 0, 1}});
  const auto& v = cloth.triangles.vertices;
  double area = 0;
  for (std::size_t t = 0; t < cloth.triangles.triangles.size(); t += 3) {
    const int *i = &cloth.triangles.triangles[t], a = 3 * i[0], b = 3 * i[1], c = 3 * i[2];
    const double twice = (v[b] - v[a]) * (v[c + 1] - v[a + 1]) - (v[c] - v[a]) * (v[b + 1] - v[a + 1]);
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  EXPECT_NEAR(area, 15, 1e-12);
}

TEST(GridCloth, rejects_bad_options) {
  EXPECT_THROW(grid_cloth({1, 5, 1, 1, {}}), InputError);
  EXPECT_THROW(grid_cloth({5, 5, 1, -1, {}}), InputError);
  EXPECT_THROW(grid_cloth({100000, 100000, 1, 1, {}}), InputError);
}

}  // namespace
}  // namespace resilin
