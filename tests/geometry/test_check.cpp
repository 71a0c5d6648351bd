// The doctor finds each planted defect, with the right id, and nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

TetMesh block() { return box({{2, 1, 1}, {4, 2, 2}, BoxPattern::five, {0, 0, 0}}); }

const Defect* find(const std::vector<Defect>& defects, DefectKind kind) {
  for (const Defect& d : defects)
    if (d.kind == kind) return &d;
  return nullptr;
}

/// The only defect, of that kind, with these examples.
void expect_only(const TetMesh& mesh, DefectKind kind, const std::vector<int>& ids) {
  const auto defects = check(mesh);
  for (const Defect& d : defects) EXPECT_EQ(d.kind, kind) << name(d.kind) << ": " << d.detail;
  const Defect* d = find(defects, kind);
  ASSERT_NE(d, nullptr) << name(kind);
  EXPECT_EQ(d->examples, ids);
  EXPECT_EQ(d->count, static_cast<int>(ids.size()));
}

TEST(Check, a_good_mesh_has_no_defects) {
  EXPECT_TRUE(check(block()).empty());
  EXPECT_TRUE(check(TetMesh{}).empty());
  EXPECT_NO_THROW(validate(block(), "block"));
}

TEST(Check, non_finite_vertex) {
  TetMesh mesh = block();
  mesh.vertices[3 * 7 + 1] = std::nan("");
  mesh.vertices[3 * 9] = std::numeric_limits<double>::infinity();
  expect_only(mesh, DefectKind::non_finite_vertex, {7, 9});
}

TEST(Check, index_out_of_range) {
  TetMesh mesh = block();
  mesh.tets[4 * 5 + 2] = mesh.vertex_count();
  mesh.tets[4 * 11] = -1;
  const auto defects = check(mesh);
  const Defect* d = find(defects, DefectKind::index_out_of_range);
  ASSERT_NE(d, nullptr);
  EXPECT_EQ(d->examples, (std::vector<int>{5, 11}));
  const std::string text = input_error([&] { validate(mesh, "mesh.msh"); });
  EXPECT_NE(text.find("mesh.msh: tet 5"), std::string::npos) << text;
  EXPECT_NE(text.find("0..44"), std::string::npos) << text;
  EXPECT_NE(text.find("1 more"), std::string::npos) << text;
}

TEST(Check, repeated_vertex) {
  TetMesh mesh = block();
  mesh.tets[4 * 3 + 1] = mesh.tets[4 * 3];
  const auto defects = check(mesh);
  ASSERT_NE(find(defects, DefectKind::repeated_vertex), nullptr);
  EXPECT_EQ(find(defects, DefectKind::repeated_vertex)->examples, (std::vector<int>{3}));
}

TEST(Check, zero_volume_is_relative_to_size) {
  TetMesh mesh{{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 0}, {0, 1, 2, 3}, {}, {}};
  expect_only(mesh, DefectKind::zero_volume, {0});
  mesh.vertices[11] = 1e-6;  // a sliver, but a tet
  EXPECT_TRUE(check(mesh).empty());
  scale(mesh, 1e-6);
  EXPECT_TRUE(check(mesh).empty());
  mesh.vertices[11] = 1e-18;
  expect_only(mesh, DefectKind::zero_volume, {0});
}

TEST(Check, inverted_and_repaired) {
  TetMesh mesh = block();
  for (int t : {2, 17}) std::swap(mesh.tets[4 * t], mesh.tets[4 * t + 1]);
  expect_only(mesh, DefectKind::inverted, {2, 17});
  const std::string text = input_error([&] { validate(mesh, "here"); });
  EXPECT_NE(text.find("tet 2"), std::string::npos) << text;
  EXPECT_NE(text.find("-0.0208333"), std::string::npos) << text;
  EXPECT_EQ(repair_winding(mesh), (std::vector<int>{2, 17}));
  EXPECT_TRUE(check(mesh).empty());
  EXPECT_TRUE(repair_winding(mesh).empty());
}

TEST(Check, duplicate_tets_in_any_vertex_order) {
  TetMesh mesh = block();
  const int* t = mesh.tets.data() + 4 * 6;
  const std::vector<int> copy{t[1], t[2], t[0], t[3]};
  mesh.tets.insert(mesh.tets.end(), copy.begin(), copy.end());
  const auto defects = check(mesh);
  ASSERT_NE(find(defects, DefectKind::duplicate_tet), nullptr);
  EXPECT_EQ(find(defects, DefectKind::duplicate_tet)->examples, (std::vector<int>{80}));
  EXPECT_NE(find(defects, DefectKind::duplicate_tet)->detail.find("tet 6"), std::string::npos);
}

TEST(Check, non_manifold_face) {
  TetMesh mesh = one_tet();  // two more tets behind face 1, 2, 3
  mesh.vertices.insert(mesh.vertices.end(), {1, 1, 1, 2, 2, 2});
  mesh.tets.insert(mesh.tets.end(), {1, 2, 3, 4, 1, 2, 3, 5});
  expect_only(mesh, DefectKind::non_manifold_face, {0});
  EXPECT_THROW(validate(mesh, ""), InputError);
}

TEST(Check, unreferenced_vertex_and_its_repair) {
  TetMesh mesh = block();
  mesh.vertices.insert(mesh.vertices.begin(), {5, 5, 5});
  for (int& v : mesh.tets) ++v;
  for (auto& [name, ids] : mesh.vertex_groups)
    for (int& v : ids) ++v;
  expect_only(mesh, DefectKind::unreferenced_vertex, {0});
  EXPECT_THROW(validate(mesh, ""), InputError);
  EXPECT_EQ(drop_unreferenced(mesh), (std::vector<int>{0}));
  EXPECT_EQ(mesh.tets, block().tets);
  EXPECT_EQ(mesh.vertices, block().vertices);
  EXPECT_EQ(mesh.vertex_groups, block().vertex_groups);
}

TEST(Check, coincident_vertices_pass_validation) {
  TetMesh mesh = block(), other = block();
  translate(other, {2, 0, 0});
  append(mesh, other);  // touch at x = 1: 9 vertices
  const auto defects = check(mesh);
  ASSERT_EQ(defects.size(), 1u);
  EXPECT_EQ(defects[0].kind, DefectKind::coincident_vertices);
  EXPECT_EQ(defects[0].count, 9);
  EXPECT_EQ(defects[0].examples.front(), 45);
  EXPECT_NE(defects[0].detail.find("vertex 4"), std::string::npos) << defects[0].detail;
  EXPECT_NO_THROW(validate(mesh, ""));
}

TEST(Check, many_copies_of_one_vertex_stay_cheap) {
  TetMesh mesh = one_tet();
  for (int i = 0; i < 100000; ++i) mesh.vertices.insert(mesh.vertices.end(), {1, 0, 0});
  const auto defects = check(mesh);
  ASSERT_NE(find(defects, DefectKind::coincident_vertices), nullptr);
  EXPECT_EQ(find(defects, DefectKind::coincident_vertices)->count, 100000);
}

TEST(Check, incomplete_arrays) {
  TetMesh mesh = one_tet();
  mesh.tets.push_back(0);
  ASSERT_EQ(check(mesh).size(), 1u);
  EXPECT_EQ(check(mesh)[0].kind, DefectKind::incomplete_array);
  EXPECT_THROW(validate(mesh, "m"), InputError);
}

}  // namespace
}  // namespace resilin
