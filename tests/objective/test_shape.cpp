#include <gtest/gtest.h>

#include "lab/setup.h"

namespace resilin::lab {
namespace {

// The sampled elements stand for all of them, by volume.
TEST(Objective, TheSampleHasTheMeasureOfTheWhole) {
  for (const int cells : {1, 4}) {
    Model model = solid(beam_mesh(cells), 1000, "neo_hookean", {});
    const auto q = model.rest;
    const int elements = model.terms[0].elements.size();
    OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), 0.05, 1);
    double volume = 0;
    int slots = 0;
    stage.objective().sweep_sample(q.data(), [&](int, SweepBlock& sweep) {
      for (int i = 0; i < 8 * sweep.block.packs; ++i) volume += sweep.measure[i], slots += sweep.measure[i] > 0;
    });
    EXPECT_NEAR(volume, 4, 1e-9) << cells;
    if (cells == 4) {
      EXPECT_LT(slots, elements / 4) << "not all of them";
    }
  }
}

// A body of other proportions is cut into other parts, though the same vertices are coupled.
TEST(Objective, TheHessianFollowsAnotherShape) {
  const auto stretched = [](double along, double across) {
    TetMesh mesh = beam_mesh(6);
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
      mesh.vertices[i] *= along, mesh.vertices[i + 2] *= across;
    return solid(mesh, 1000, "neo_hookean", {});
  };
  Model model = stretched(1, 1);
  ThreadPool pool(1);
  Objective objective(model, pool);
  Stage stage;
  stage.tau = 0.02;
  stage.origin = stage.target = stage.guess = model.rest;
  stage.velocity.assign(model.rest.size(), 0.0);
  objective.begin(stage);
  SymmetricMatrix h = objective.hessian_pattern();
  objective.hessian(model.rest.data(), h, false);
  model = stretched(0.2, 9);
  objective.update();
  Objective fresh(model, pool);
  stage.origin = stage.target = stage.guess = model.rest;
  for (Objective* o : {&objective, &fresh}) o->begin(stage);
  h = objective.hessian_pattern();
  SymmetricMatrix wanted = fresh.hessian_pattern();
  objective.hessian(model.rest.data(), h, false);
  fresh.hessian(model.rest.data(), wanted, false);
  EXPECT_EQ(h.column, wanted.column);
  EXPECT_EQ(h.value, wanted.value);
}

}  // namespace
}  // namespace resilin::lab
