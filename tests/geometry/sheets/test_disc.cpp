#include <gtest/gtest.h>

#include "geometry/mesh_checks.h"
#include "geometry/sheets/angles.h"
#include "resilin/errors.h"
#include "resilin/sheets.h"

namespace resilin {
namespace {

using namespace test;

TEST(DiscSheet, CoversTheDisc) {
  for (const int rings : {1, 2, 7}) {
    const TriangleMesh mesh = disc_sheet({2, rings, {1, 0, -1}});
    EXPECT_TRUE(check_shell(mesh).empty());
    EXPECT_EQ(mesh.vertex_count(), 1 + 3 * rings * (rings + 1));
    EXPECT_EQ(mesh.triangle_count(), 6 * rings * rings);
    EXPECT_EQ(euler_characteristic(mesh), 1);
    const int sides = 6 * rings;
    EXPECT_NEAR(angles(mesh).area, 4 * sides / 2.0 * std::sin(2 * std::numbers::pi / sides), 1e-12);
    EXPECT_GT(angles(mesh).least, 38);
    EXPECT_EQ(mesh.vertex_groups.at("rim").size(), static_cast<std::size_t>(sides));
    for (const int v : mesh.vertex_groups.at("rim"))
      EXPECT_NEAR(norm(vertex_at(mesh.vertices, v) - Vec3{1, 0, -1}), 2, 1e-14);
  }
  EXPECT_THROW(disc_sheet({-1, 3}), InputError);
  EXPECT_THROW(disc_sheet({1, 0}), InputError);
}

}  // namespace
}  // namespace resilin
