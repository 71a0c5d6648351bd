// Diagnosis of whole files, verdicts, and repairs after which the defects are gone.
#include "io/doctor.h"
#include "io/mesh_samples.h"
#include "resilin/shapes.h"

namespace resilin::test {
namespace {

TetMesh block(const Vec3& centre = {0, 0, 0}) { return box({{2, 1, 1}, {4, 2, 2}, BoxPattern::five, centre}); }

MeshData solid_block() { return to_mesh_data(block()); }
MeshData two_blocks(const Vec3& second) {
  MeshData out = solid_block();
  const MeshData other = to_mesh_data(block(second));
  for (const int v : other.tets) out.tets.push_back(v + block().vertex_count());
  out.vertices.insert(out.vertices.end(), other.vertices.begin(), other.vertices.end());
  return out;
}
MeshData surface_block() { return to_mesh_data(surface(block())); }

int count_of(const MeshData& mesh, DefectKind kind) {
  for (const Finding& f : diagnose(mesh).findings)
    if (f.defect.kind == kind) return f.defect.count;
  return 0;
}

/// What the repair did, as text, after checking that the result is better.
std::string repaired(MeshData& mesh, Verdict after) {
  EXPECT_EQ(diagnose(mesh).verdict, Verdict::repairable);
  std::string out;
  for (const RepairStep& step : repair(mesh)) out += step.what + " " + std::to_string(step.count) + ";";
  EXPECT_EQ(broken_promise(mesh), "");
  EXPECT_EQ(diagnose(mesh).verdict, after);
  EXPECT_TRUE(repair(mesh).empty()) << "a second repair finds something";
  return out;
}

TEST(Diagnose, SolidsAndSurfaces) {
  const Diagnosis solid = diagnose(solid_block());
  EXPECT_EQ(solid.verdict, Verdict::ready);
  EXPECT_TRUE(solid.findings.empty());
  EXPECT_TRUE(solid.closed);
  EXPECT_EQ(solid.components, 1);
  EXPECT_NEAR(solid.volume, 2, 1e-12);
  EXPECT_EQ(solid.groups.size(), block().vertex_groups.size());
  const Diagnosis surface = diagnose(surface_block());
  EXPECT_EQ(surface.verdict, Verdict::surface_only);
  EXPECT_NEAR(surface.volume, 2, 1e-12);
  MeshData points = solid_block();
  points.tets.clear();
  EXPECT_EQ(diagnose(points).verdict, Verdict::empty);
  EXPECT_TRUE(repair(points).empty());
  EXPECT_EQ(diagnose({}).verdict, Verdict::empty);
}

TEST(Diagnose, EveryFindingHasAMeaning) {
  for (int k = 0; k <= static_cast<int>(DefectKind::size_looks_like_millimetres); ++k) {
    const std::string text = name(static_cast<DefectKind>(k));
    EXPECT_NE(text, "unknown");
    EXPECT_EQ(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << text;
  }
  MeshData mesh = solid_block();
  mesh.vertices.insert(mesh.vertices.end(), {20, 0, 0});
  for (const Finding& f : diagnose(mesh).findings) EXPECT_FALSE(f.meaning.empty()) << name(f.defect.kind);
}

TEST(Diagnose, SizesOfMillimetres) {
  MeshData mesh = solid_block();
  for (const auto& [factor, expected] :
       {std::pair{4.9, 0}, std::pair{5.0, 1}, std::pair{4e4, 1}, std::pair{6e4, 0}}) {
    MeshData scaled = mesh;
    for (double& x : scaled.vertices) x *= factor;
    EXPECT_EQ(count_of(scaled, DefectKind::size_looks_like_millimetres), expected) << factor;
    EXPECT_EQ(diagnose(scaled).verdict, Verdict::ready);
  }
}

TEST(Diagnose, OverlappingSolidsIntersect) {
  const Diagnosis found = diagnose(two_blocks({0.9, 0.3, 0.2}));
  EXPECT_EQ(found.components, 2);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].defect.kind, DefectKind::self_intersection);
  EXPECT_EQ(found.verdict, Verdict::ready);
}

TEST(Repair, TetsAreFlippedAndDropped) {
  MeshData mesh = solid_block();
  mesh.tet_groups["last"] = {mesh.tet_count() - 1};
  mesh.tet_groups["copies"] = {mesh.tet_count(), mesh.tet_count() + 1};
  std::swap(mesh.tets[4 * 3], mesh.tets[4 * 3 + 1]);
  mesh.tets.insert(mesh.tets.begin(), {0, 1, 1, 2});  // renumbers the rest
  for (auto& [name, ids] : mesh.tet_groups)
    for (int& id : ids) ++id;
  mesh.tets.insert(mesh.tets.end(), {mesh.tets[40], mesh.tets[41], mesh.tets[42], mesh.tets[43]});
  mesh.tets.insert(mesh.tets.end(), {0, 1, 2, 3});  // in one row of the grid
  mesh.vertices.insert(mesh.vertices.end(), {0, 0, 0.1});
  const std::string done = repaired(mesh, Verdict::ready);
  EXPECT_EQ(
      done,
      "dropped_repeating_tets 1;dropped_flat_tets 1;dropped_duplicate_tets 1;flipped_tets 1;dropped_vertices 1;");
  EXPECT_EQ(mesh.tet_count(), block().tet_count());
  EXPECT_EQ(mesh.tet_groups.at("last"), (std::vector<int>{mesh.tet_count() - 1}));
  EXPECT_TRUE(mesh.tet_groups.at("copies").empty());
  EXPECT_TRUE(diagnose(mesh).findings.empty());
}

TEST(Repair, TouchingBodiesStayApartAndCracksAreWelded) {
  MeshData touching = two_blocks({2, 0, 0});
  EXPECT_EQ(count_of(touching, DefectKind::coincident_vertices), 9);
  EXPECT_EQ(diagnose(touching).verdict, Verdict::ready);
  EXPECT_TRUE(repair(touching).empty());

  MeshData cracked = solid_block();  // one tet has a copy of one of its vertices
  const int v = cracked.tets[4 * 30];
  for (int k = 0; k < 3; ++k) cracked.vertices.push_back(cracked.vertices[3 * static_cast<std::size_t>(v) + k]);
  cracked.tets[4 * 30] = cracked.vertex_count() - 1;
  ASSERT_EQ(repair(cracked).size(), 1u);
  EXPECT_EQ(cracked.tets, solid_block().tets);
  EXPECT_EQ(cracked.vertices, solid_block().vertices);
}

TEST(Repair, ASoupBecomesASurface) {
  const MeshData whole = surface_block();
  MeshData soup;
  for (const int v : whole.triangles) {
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(whole.vertices[3 * static_cast<std::size_t>(v) + k]);
    soup.triangles.push_back(soup.vertex_count() - 1);
  }
  for (std::size_t t = 0; t < 12; ++t) std::swap(soup.triangles[6 * t + 1], soup.triangles[6 * t + 2]);
  soup.vertex_groups["some"] = {0, 1, 2};
  EXPECT_EQ(diagnose(soup).components, whole.triangle_count());
  EXPECT_FALSE(diagnose(soup).closed);
  repaired(soup, Verdict::surface_only);
  EXPECT_EQ(soup.vertex_count(), whole.vertex_count());
  EXPECT_EQ(soup.vertex_groups.at("some"), (std::vector<int>{0, 1, 2}));
  const Diagnosis after = diagnose(soup);
  EXPECT_TRUE(after.findings.empty());
  EXPECT_NEAR(after.volume, 2, 1e-12);
}

TEST(Repair, InsideOutAndDisagreeing) {
  MeshData mesh = surface_block();
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) std::swap(mesh.triangles[t], mesh.triangles[t + 1]);
  std::swap(mesh.triangles[0], mesh.triangles[1]);
  EXPECT_EQ(repaired(mesh, Verdict::surface_only),
            "turned_triangles " + std::to_string(mesh.triangle_count() - 1) + ";");
  EXPECT_TRUE(diagnose(mesh).findings.empty());
}

TEST(Repair, OppositeTrianglesGoInPairs) {
  MeshData mesh = surface_block();
  const int a = mesh.triangles[0], b = mesh.triangles[1], tip = mesh.vertex_count();
  mesh.vertices.insert(mesh.vertices.end(), {3, 3, 3});
  mesh.triangles.insert(mesh.triangles.end(), {a, b, tip, a, tip, b});
  const Diagnosis found = diagnose(mesh);
  EXPECT_EQ(count_of(mesh, DefectKind::duplicate_triangle), 2);
  EXPECT_TRUE(found.closed);
  EXPECT_NEAR(found.volume, 2, 1e-12);
  EXPECT_EQ(found.verdict, Verdict::repairable);
  std::vector<std::string> steps;
  for (const RepairStep& step : repair(mesh)) steps.push_back(step.what);
  EXPECT_EQ(steps, (std::vector<std::string>{"dropped_opposite_triangles", "dropped_vertices"}));
  EXPECT_EQ(mesh.triangles, surface_block().triangles);
  EXPECT_TRUE(diagnose(mesh).findings.empty());
}

TEST(Diagnose, WhatEnclosesNothingIsASheet) {
  MeshData sheet;  // with a seam: repairing it makes it no solid
  sheet.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  sheet.triangles = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(diagnose(sheet).verdict, Verdict::sheet);
  EXPECT_NE(diagnose(sheet).refusal.find("encloses nothing"), std::string::npos) << diagnose(sheet).refusal;
  repair(sheet);
  EXPECT_EQ(diagnose(sheet).verdict, Verdict::sheet);
  MeshData wire = solid_block();
  wire.tets.clear(), wire.edges = {0, 1, 1, 2};
  EXPECT_EQ(diagnose(wire).verdict, Verdict::empty);
}

TEST(Repair, WhatItCannotRepairIsDamaged) {
  MeshData mesh;  // three tets on one face
  mesh.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0.3, 0.3, 2};
  mesh.tets = {0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5};
  EXPECT_EQ(diagnose(mesh).verdict, Verdict::damaged);
  EXPECT_NE(diagnose(mesh).refusal.find("shared by more than two tets"), std::string::npos);
}

TEST(Repair, FieldsFollow) {
  MeshData mesh = solid_block();
  NamedField field{"pair", 2, {-1, -1}};
  for (int i = 0; i < 2 * mesh.tet_count(); ++i) field.values.push_back(i);
  const std::vector<double> expected(field.values.begin() + 2, field.values.end());
  mesh.tets.insert(mesh.tets.begin(), {0, 0, 1, 2});
  mesh.tet_fields = {field};
  repair(mesh);
  EXPECT_EQ(mesh.tet_fields[0].values, expected);
}

TEST(FormatOfFile, ContentThenName) {
  const TemporaryFolder folder;
  write_file(folder.file("a.obj"), seed("gmsh/v41.msh"));
  EXPECT_EQ(format_of_file(folder.file("a.obj")), "gmsh");
  EXPECT_EQ(format_of_file(folder.file("missing.vtu")), "vtu");
  EXPECT_EQ(format_of_file(folder.file("missing.xyz")), "");
}

}  // namespace
}  // namespace resilin::test
