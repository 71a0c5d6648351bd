#include <gtest/gtest.h>

#include "support/setup.h"

namespace resilin::test {
namespace {

// The sampled elements stand for all of them, by volume.
TEST(Problem, TheSampleHasTheMeasureOfTheWhole) {
  for (const int cells : {1, 4}) {
    Model model = solid(beam_mesh(cells), 1000, "neo_hookean", {});
    const auto q = model.rest;
    const int elements = model.terms[0].elements.size();
    OneStage stage(std::move(model), q, 0.05, 1);
    double volume = 0;
    int slots = 0;
    stage.system().problem().elements().sweep_sample(q.data(), [&](int, SweepBlock& sweep) {
      for (int i = 0; i < 8 * sweep.block.packs; ++i) volume += sweep.measure[i], slots += sweep.measure[i] > 0;
    });
    EXPECT_NEAR(volume, 4, 1e-9) << cells;
    if (cells == 4) {
      EXPECT_LT(slots, elements / 4) << "not all of them";
    }
  }
}

// A body of other proportions is cut into other parts, though the same vertices are coupled.
TEST(Problem, TheHessianFollowsAnotherShape) {
  const auto stretched = [](double along, double across) {
    TetMesh mesh = beam_mesh(6);
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
      mesh.vertices[i] *= along, mesh.vertices[i + 2] *= across;
    return solid(mesh, 1000, "neo_hookean", {});
  };
  Model model = stretched(1, 1);
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  Stage stage;
  stage.tau = 0.02;
  stage.origin = stage.target = stage.guess = model.rest;
  stage.velocity.assign(model.rest.size(), 0.0);
  system.begin(stage);
  SymmetricMatrix h = system.problem().linearise(model.rest.data()).pattern();
  system.problem().linearise(model.rest.data()).assemble(h, false);
  model = stretched(0.2, 9);
  system.update();
  DynamicSystem fresh(model, pool);
  stage.origin = stage.target = stage.guess = model.rest;
  for (DynamicSystem* each : {&system, &fresh}) each->begin(stage);
  h = system.problem().linearise(model.rest.data()).pattern();
  SymmetricMatrix wanted = fresh.problem().linearise(model.rest.data()).pattern();
  system.problem().linearise(model.rest.data()).assemble(h, false);
  fresh.problem().linearise(model.rest.data()).assemble(wanted, false);
  EXPECT_EQ(h.column, wanted.column);
  EXPECT_EQ(h.value, wanted.value);
}

}  // namespace
}  // namespace resilin::test
