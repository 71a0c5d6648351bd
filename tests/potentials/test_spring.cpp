#include <gtest/gtest.h>

#include "potentials/spring.h"
#include "problem/dynamic_system.h"

namespace resilin {
namespace {

// k n n^T + k (1 - l/|z|)(1 - n n^T): pressed together it gives way to the side, which the filter takes out and
// nothing else.
TEST(Spring, TheFilterTakesOutWhatIsNegativeInCompression) {
  const double k = 200, rest = 1;
  Model model;
  model.gravity = {0, 0, 0};
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0});
  model.mass = {1e-9, 1e-9};
  model.terms.push_back(
      {"spring", Elements::springs(std::array{0, 1}), {make_spring(std::span(&k, 1), std::span(&rest, 1))}});
  model.pins.push_back({{0}, {0, 0, 0}, {}});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  for (const double length : {0.5, 2.0}) {
    const std::vector<double> q = {0, 0, 0, length, 0, 0};
    Stage stage;
    stage.tau = 1, stage.origin = stage.target = stage.guess = q, stage.velocity.assign(6, 0.0);
    system.begin(stage);
    for (const bool filter : {false, true}) {
      SymmetricMatrix h = system.problem().linearise(system.space().rest().data()).pattern();
      system.problem().linearise(q.data()).assemble(h, filter);
      ASSERT_EQ(h.value.size(), 9u);
      const double across = k * (1 - rest / length);
      EXPECT_NEAR(h.value[0], k, 1e-6) << length;
      for (const int i : {4, 8}) EXPECT_NEAR(h.value[i], filter ? std::max(0.0, across) : across, 1e-6) << length;
    }
  }
}

}  // namespace
}  // namespace resilin
