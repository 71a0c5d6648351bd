#include "core/thread_pool.h"
#include "io/element_fields.h"
#include "io/io_support.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/shapes.h"

namespace resilin::test {
namespace {

struct Stretched {
  Model model;
  State state;
  ThreadPool pool{2};

  explicit Stretched(const Vec3& factors, const std::string& material = "neo_hookean") {
    BoxOptions box_options;
    box_options.cells = {3, 2, 2};
    Builder builder;
    builder.add(Solid{.mesh = box(box_options), .material = {material, {{"young", 1e5}, {"poisson", 0.3}}}});
    model = std::move(builder).model();
    state.q = model.rest;
    for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] *= factors[i % 3];
    state.v.assign(state.q.size(), 0.0);
  }
};

TEST(ElementFields, StretchesAndEnergyOfAUniformStretch) {
  for (const char* material : {"neo_hookean", "corotated"}) {
    Stretched box({1.2, 1, 0.9}, material);
    DynamicSystem system(box.model, box.pool);
    ElementFields fields(box.model);
    const std::vector<NamedField> values = fields.evaluate(system, box.state.q);
    ASSERT_EQ(values[0].name, "stretch");
    ASSERT_EQ(values[2].name, "energy");
    double energy = 0;
    const Body& body = box.model.bodies[0];
    for (std::size_t t = 0; t < body.tets.size() / 4; ++t) {
      EXPECT_NEAR(values[0].values[3 * t], 1.2, 1e-12);
      EXPECT_NEAR(values[0].values[3 * t + 1], 1, 1e-12);
      EXPECT_NEAR(values[0].values[3 * t + 2], 0.9, 1e-12);
      EXPECT_NEAR(values[1].values[t], values[1].values[0], 1e-6 * values[1].values[0]);
      EXPECT_GT(values[1].values[t], 0);
    }
    const TetMesh mesh{box.model.rest, body.tets, {}, {}};
    for (int t = 0; t < mesh.tet_count(); ++t)
      energy += tet_volume(mesh, t) * values[2].values[static_cast<std::size_t>(t)];
    EXPECT_NEAR(energy, system.potential_energy(box.state.q.data(), nullptr), 1e-9 * energy) << material;
  }
}

TEST(ElementFields, PressureIsNoVonMisesStress) {
  Stretched box({1.1, 1.1, 1.1});
  DynamicSystem system(box.model, box.pool);
  ElementFields fields(box.model);
  for (const double stress : fields.evaluate(system, box.state.q)[1].values) EXPECT_LT(stress, 1e-5);
}

// Small uniaxial strain e with free sides has stress E e; with fixed sides the deviator is 2 mu e, von Mises 2 mu
// e.
TEST(ElementFields, SmallStrainGivesTwoMuStrain) {
  const double e = 1e-6, mu = 1e5 / (2 * 1.3);
  Stretched box({1 + e, 1, 1});
  DynamicSystem system(box.model, box.pool);
  ElementFields fields(box.model);
  for (const double stress : fields.evaluate(system, box.state.q)[1].values)
    EXPECT_NEAR(stress, 2 * mu * e, 1e-3 * mu * e);
}

// A strip that is pulled with free sides has the stress E e, and von Mises is just that. A cube stands before it:
// the fields of tets come first.
TEST(ElementFields, TrianglesOfShellsComeAfterAllTets) {
  const double young = 2e5, poisson = 0.3, e = 1e-6;
  Builder builder;
  const Choice material{"neo_hookean", {{"young", young}, {"poisson", poisson}}};
  const TriangleMesh sheet = grid_sheet({{1, 1}, {3, 2}});
  builder.add(Shell{.mesh = sheet, .skin = {.material = material}});
  BoxOptions cube;
  cube.cells = {1, 1, 1};
  const int tets = box(cube).tet_count();
  builder.add(Solid{.mesh = box(cube), .material = material});
  const Model model = builder.model();
  std::vector<double> q = model.rest;
  for (int v = 0; v < model.bodies[0].vertex_count; ++v) q[3 * v] *= 1 + e, q[3 * v + 1] *= 1 - poisson * e;
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  ElementFields fields(model);
  const std::vector<NamedField>& values = fields.evaluate(system, q);
  ASSERT_EQ(values[1].values.size(), static_cast<std::size_t>(tets + sheet.triangle_count()));
  for (int t = 0; t < tets; ++t) EXPECT_NEAR(values[1].values[t], 0, 1e-6 * young * e);
  for (int t = tets; t < tets + sheet.triangle_count(); ++t) {
    EXPECT_NEAR(values[0].values[3 * t], 1 + e, 1e-12);
    EXPECT_NEAR(values[0].values[3 * t + 1], 1 - poisson * e, 1e-12);
    EXPECT_EQ(values[0].values[3 * t + 2], 0);
    EXPECT_NEAR(values[1].values[t], young * e, 1e-4 * young * e);
    EXPECT_NEAR(values[2].values[t], young * e * e / 2, 1e-3 * young * e * e);
  }
}

}  // namespace
}  // namespace resilin::test
