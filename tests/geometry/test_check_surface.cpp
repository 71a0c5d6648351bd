// The doctor for surfaces finds each planted defect, with the right id, and nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/mesh_checks.h"

namespace resilin {
namespace {

using namespace test;

TriangleMesh skin(const Vec3& centre = {0, 0, 0}, double size = 1) {
  return surface(box({{size, size, size}, {2, 2, 2}, BoxPattern::five, centre}));
}

/// Both in one mesh, sharing nothing.
TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
  const int offset = a.vertex_count();
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (int v : b.triangles) a.triangles.push_back(v + offset);
  return a;
}

void turn(TriangleMesh& mesh, int t) { std::swap(mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]); }

TriangleMesh inward(TriangleMesh mesh) {
  for (int t = 0; t < mesh.triangle_count(); ++t) turn(mesh, t);
  return mesh;
}

const Defect* find(const std::vector<Defect>& defects, DefectKind kind) {
  for (const Defect& d : defects)
    if (d.kind == kind) return &d;
  return nullptr;
}

/// The only defect, of that kind, with that count.
void expect_only(const TriangleMesh& mesh, DefectKind kind, int count) {
  const auto defects = check(mesh);
  for (const Defect& d : defects) EXPECT_EQ(d.kind, kind) << name(d.kind) << ": " << d.detail;
  const Defect* d = find(defects, kind);
  ASSERT_NE(d, nullptr) << name(kind);
  EXPECT_EQ(d->count, count);
}

TEST(CheckSurface, a_good_surface_has_no_defects) {
  EXPECT_TRUE(check(skin()).empty());
  EXPECT_TRUE(check(joined(skin(), skin({5, 0, 0}))).empty());
  EXPECT_TRUE(check(TriangleMesh{}).empty());
}

TEST(CheckSurface, open_boundary) {
  TriangleMesh mesh = skin();
  mesh.triangles.resize(mesh.triangles.size() - 3);
  expect_only(mesh, DefectKind::open_boundary, 3);
}

TEST(CheckSurface, a_part_that_faces_inward_and_one_triangle_that_does) {
  expect_only(inward(skin()), DefectKind::inside_out, 1);
  TriangleMesh mesh = skin();
  turn(mesh, 7);
  expect_only(mesh, DefectKind::inconsistent_winding, 3);
  EXPECT_EQ(repair_winding(mesh), (std::vector<int>{7}));
  EXPECT_TRUE(check(mesh).empty());
}

TEST(CheckSurface, a_cavity_faces_inward_and_a_solid_in_it_outward) {
  const TriangleMesh hollow = joined(skin({0, 0, 0}, 4), inward(skin({0.1, 0.03, 0.07}, 2)));
  EXPECT_TRUE(check(hollow).empty());
  EXPECT_TRUE(check(joined(hollow, skin({0.1, 0.03, 0.07}, 1))).empty());
  expect_only(joined(hollow, inward(skin({0.1, 0.03, 0.07}, 1))), DefectKind::inside_out, 1);
  TriangleMesh kept = hollow;
  EXPECT_TRUE(repair_winding(kept).empty());
  TriangleMesh all = inward(hollow);
  EXPECT_EQ(static_cast<int>(repair_winding(all).size()), skin().triangle_count());  // the outer one
}

TEST(CheckSurface, one_sided_strips_are_left_alone) {
  TriangleMesh strip;  // a Moebius strip of five quads
  for (int i = 0; i < 5; ++i)
    for (double side : {-0.3, 0.3}) {
      const double angle = 0.4 * i * std::acos(-1.0), r = 1 + side * std::cos(angle / 2);
      strip.vertices.insert(strip.vertices.end(),
                            {r * std::cos(angle), r * std::sin(angle), side * std::sin(angle / 2)});
    }
  for (int i = 0; i < 5; ++i) {
    const int a = 2 * i, b = a + 1, c = i == 4 ? 1 : a + 2, d = i == 4 ? 0 : a + 3;
    strip.triangles.insert(strip.triangles.end(), {a, c, b, b, c, d});
  }
  const auto defects = check(strip);
  ASSERT_NE(find(defects, DefectKind::inconsistent_winding), nullptr);
  ASSERT_NE(find(defects, DefectKind::open_boundary), nullptr);
  EXPECT_EQ(find(defects, DefectKind::open_boundary)->count, 10);
  EXPECT_TRUE(repair_winding(strip).empty());
}

TEST(CheckSurface, non_manifold_edge_and_duplicates) {
  TriangleMesh mesh = skin();
  mesh.triangles.insert(mesh.triangles.end(), {mesh.triangles[0], mesh.triangles[2], mesh.triangles[1]});
  expect_only(mesh, DefectKind::duplicate_triangle, 1);
  mesh = skin();
  const int v = mesh.vertex_count();
  mesh.vertices.insert(mesh.vertices.end(), {9, 9, 9});
  mesh.triangles.insert(mesh.triangles.end(), {mesh.triangles[0], mesh.triangles[1], v});
  const auto defects = check(mesh);
  ASSERT_NE(find(defects, DefectKind::non_manifold_edge), nullptr);
  EXPECT_EQ(find(defects, DefectKind::non_manifold_edge)->examples, (std::vector<int>{0}));
  EXPECT_EQ(find(defects, DefectKind::open_boundary)->count, 2);
}

/// A fin of `height` pairs of quads on the edge from the first to the second vertex of triangle 0, written with
/// both sides.
TriangleMesh with_fin(TriangleMesh mesh, int height) {
  int a = mesh.triangles[0], b = mesh.triangles[1];
  for (int i = 1; i <= height; ++i) {
    const int c = mesh.vertex_count(), d = c + 1;
    for (const int from : {mesh.triangles[0], mesh.triangles[1]}) {
      const Vec3 p{mesh.vertices[3 * from], mesh.vertices[3 * from + 1], mesh.vertices[3 * from + 2]};
      mesh.vertices.insert(mesh.vertices.end(), {p[0] * (1 + i), p[1] * (1 + i), p[2] * (1 + i)});
    }
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c, c, b, d, a, c, b, c, d, b});
    a = c, b = d;
  }
  return mesh;
}

TEST(CheckSurface, opposite_triangles_cancel_in_pairs) {
  for (const int height : {1, 3}) {
    expect_only(with_fin(skin(), height), DefectKind::duplicate_triangle, 4 * height);
    TriangleMesh open = with_fin(skin(), height);  // a hole elsewhere stays what it is
    open.triangles.erase(open.triangles.begin() + 30, open.triangles.begin() + 33);
    EXPECT_EQ(find(check(open), DefectKind::duplicate_triangle)->count, 4 * height);
    EXPECT_EQ(find(check(open), DefectKind::open_boundary)->count, 3);
  }
  TriangleMesh once_more = with_fin(skin(), 1);  // two one way, one the other: one stays
  const std::vector<int> t(once_more.triangles.end() - 3, once_more.triangles.end());
  once_more.triangles.insert(once_more.triangles.end(), t.begin(), t.end());
  EXPECT_EQ(find(check(once_more), DefectKind::duplicate_triangle)->count, 4);
  EXPECT_EQ(find(check(once_more), DefectKind::open_boundary)->count, 3);
}

TEST(CheckSurface, a_second_side_does_not_open_what_is_closed) {
  TriangleMesh mesh = skin();  // every triangle of one face of the box a second time, the other way round
  const int n = mesh.triangle_count();
  int second = 0;
  for (int t = 0; t < n; ++t) {
    const int *v = &mesh.triangles[3 * t], a = v[0], b = v[1], c = v[2];
    if (mesh.vertices[3 * a] + mesh.vertices[3 * b] + mesh.vertices[3 * c] < 1.49) continue;
    mesh.triangles.insert(mesh.triangles.end(), {a, c, b});
    ++second;
  }
  ASSERT_EQ(second, 8);
  expect_only(mesh, DefectKind::duplicate_triangle, 8);
  const TriangleMesh sheet{{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, {0, 1, 2, 1, 3, 2, 0, 2, 1, 1, 2, 3}, {}, {}};
  EXPECT_EQ(find(check(sheet), DefectKind::duplicate_triangle)->count, 2);
  EXPECT_EQ(find(check(sheet), DefectKind::open_boundary)->count, 4);
}

TEST(CheckSurface, zero_area_and_repeated_vertices) {
  TriangleMesh mesh{{0, 0, 0, 1, 0, 0, 2, 0, 0}, {0, 1, 2, 0, 1, 1}, {}, {}};
  const auto defects = check(mesh);
  ASSERT_NE(find(defects, DefectKind::zero_area), nullptr);
  EXPECT_EQ(find(defects, DefectKind::zero_area)->examples, (std::vector<int>{0}));
  ASSERT_NE(find(defects, DefectKind::repeated_vertex), nullptr);
  EXPECT_EQ(find(defects, DefectKind::repeated_vertex)->examples, (std::vector<int>{1}));
}

TEST(CheckSurface, interpenetrating_components_are_named) {
  const auto defects = check(joined(skin(), skin({0.37, 0.41, 0.43})));
  const Defect* d = find(defects, DefectKind::self_intersection);
  ASSERT_NE(d, nullptr);
  EXPECT_GT(d->count, 4);
  EXPECT_NE(d->detail.find("between components 0 and 1"), std::string::npos) << d->detail;
  EXPECT_EQ(d->detail.find("within"), std::string::npos) << d->detail;
}

TEST(CheckSurface, boxes_that_touch_with_equal_sides_do_not_intersect) {
  expect_only(joined(skin(), skin({1, 0, 0})), DefectKind::coincident_vertices, 9);
}

TEST(CheckSurface, unreferenced_and_coincident_vertices) {
  TriangleMesh mesh = skin();
  mesh.vertices.insert(mesh.vertices.end(), {0.1, 0.2, 0.3});
  expect_only(mesh, DefectKind::unreferenced_vertex, 1);
  mesh.vertices.insert(mesh.vertices.end(), {0.1, 0.2, 0.3});
  EXPECT_EQ(find(check(mesh), DefectKind::coincident_vertices)->count, 1);
}

TEST(CheckSurface, any_content_is_accepted) {
  TriangleMesh mesh = skin();
  mesh.vertices[4] = std::nan("");
  mesh.vertices[9] = 1e300;
  mesh.triangles[5] = -7;
  mesh.triangles[8] = 1 << 30;
  mesh.triangles.push_back(0);
  const auto defects = check(mesh);
  EXPECT_NE(find(defects, DefectKind::incomplete_array), nullptr);
  EXPECT_NE(find(defects, DefectKind::non_finite_vertex), nullptr);
  EXPECT_EQ(find(defects, DefectKind::index_out_of_range)->examples, (std::vector<int>{1, 2}));
}

TEST(CoincidentVertices, KeepTheSmallestAndDoNotChain) {
  const double step = 0.7e-9;  // of a diagonal of one: neighbours are close enough, next neighbours are not
  const std::vector<double> row{0, 0, 0, step, 0, 0, 2 * step, 0, 0, 3 * step, 0, 0, 1, 0, 0};
  EXPECT_EQ(coincident_vertices(row), (std::vector<int>{0, 0, 2, 2, 4}));
  EXPECT_EQ(coincident_vertices(std::vector<double>(9, 2.5)), (std::vector<int>{0, 0, 0}));
  EXPECT_TRUE(coincident_vertices({}).empty());
}

}  // namespace
}  // namespace resilin
