#include <gtest/gtest.h>

#include "solvers/descent/rigid_start.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// The turn that is found for it is the identity but for rounding: a body at rest must not creep by that, step after
// step.
TEST(RigidStart, ABodyAtRestStaysToTheLastBit) {
  Random random(8);
  for (int i = 0; i < 5; ++i) {
    Model model = solid(beam_mesh(2), 1000, "neo_hookean", {});
    double r[9];
    random.rotation(r);
    std::vector<double> q(model.rest.size());
    for (std::size_t k = 0; k < q.size(); ++k)
      for (int j = 0; j < 3; ++j) q[k] += r[3 * (k % 3) + j] * model.rest[k - k % 3 + j];
    OneStage stage(std::move(model), q, 1.0 / 30);
    RigidStart rigid;
    std::vector<double> start;
    rigid.find(stage.problem(), stage.stage().guess, start);
    EXPECT_EQ(start, q);
  }
}

}  // namespace
}  // namespace resilin::test
