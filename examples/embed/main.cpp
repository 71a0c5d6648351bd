// A host program with its own loop: it links the installed library, steps a body and reads positions for its own
// purposes. Two simulations live side by side and share nothing.
#include <cmath>
#include <cstdio>

#include "resilin/builder.h"
#include "resilin/shapes.h"

namespace {

std::unique_ptr<resilin::Simulation> hanging_block(double young) {
  resilin::BoxOptions shape;
  shape.size = {0.1, 0.3, 0.1};
  shape.cells = {3, 9, 3};
  const resilin::TetMesh mesh = resilin::box(shape);
  resilin::Builder builder;
  builder.add(resilin::Solid{.mesh = mesh, .material = {"neo_hookean", {{"young", young}, {"poisson", 0.45}}}});
  builder.pin({.vertices = mesh.vertex_groups.at("y_max")});
  return builder.simulation({.step = 1.0 / 60, .solver = {"quasi_newton", {{"iterations", 20}}}});
}

double lowest(const resilin::Simulation& simulation) {
  double y = 1e300;
  const auto& q = simulation.positions();
  for (std::size_t i = 1; i < q.size(); i += 3) y = std::fmin(y, q[i]);
  return y;
}

}  // namespace

int main() {
  const auto alone = hanging_block(2e4);
  for (int frame = 0; frame < 120; ++frame) alone->step();

  // The same block again, now with another simulation stepping in between.
  const auto soft = hanging_block(2e4), hard = hanging_block(2e6);
  for (int frame = 0; frame < 120; ++frame) {
    if (soft->step().status == resilin::Status::not_finite || hard->step().status == resilin::Status::not_finite)
      return 1;
  }
  std::printf("soft block hangs down to y = %.4f m, hard block to y = %.4f m\n", lowest(*soft), lowest(*hard));
  const bool undisturbed = resilin::hash(alone->state()) == resilin::hash(soft->state());
  std::printf("two simulations in one process %s\n",
              undisturbed ? "do not disturb each other" : "DISTURB each other");
  return undisturbed && lowest(*soft) < lowest(*hard) ? 0 : 1;
}
