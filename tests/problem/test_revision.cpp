#include <gtest/gtest.h>

#include <functional>

#include "potentials/pin.h"
#include "problem/revision.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

enum Stamps { function, energy, stiffness, structure };  // each takes the ones before it along

Revision revision(const Model& model) { return revision_of(model, stamp_terms(model)); }

// What is made of a part of the model is made again when that part changes, and only then.
TEST(Revision, EveryChangeShowsInItsStampAndInNoDeeperOne) {
  struct Change {
    const char* what;
    Stamps deepest;
    std::function<void(Model&)> make;
  };
  const std::vector<Change> changes = {
      {"gravity", function, [](Model& m) { m.gravity[1] = -3; }},
      {"a force", function, [](Model& m) { m.forces.emplace_back(); }},
      {"a hand", function,
       [](Model& m) {
         m.listed.push_back(
             {"hand", Elements::points(std::array{3}), {make_pin(1, std::array{0.0, 0.0, 0.0}, {})}});
       }},
      {"the motion of a pin", function,
       [](Model& m) {
         MotionStep up;
         up.direction = {0, 1, 0};
         m.pins[0].motion = Motion({up});
       }},
      {"where a pin is", function, [](Model& m) { m.pins[0].start[0] += 1; }},
      {"the stiffness", stiffness,
       [](Model& m) {
         set_material(m, 0, "neo_hookean", {{"young", 3e5}});
       }},
      {"a mass", stiffness, [](Model& m) { m.mass[4] *= 2; }},
      {"another vertex pinned", structure, [](Model& m) { m.pins[0].vertices[0] = 5; }},
      {"a spring", structure,
       [](Model& m) {
         m.terms.push_back({"spring", Elements::springs(std::array{0, 9}), {}});
       }},
  };
  Model plain = solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e5}});
  pin(plain, {0, 1});
  const Revision before = revision(plain);
  EXPECT_EQ(revision(plain), before);
  for (const Change& change : changes) {
    Model model = plain;
    change.make(model);
    const Revision after = revision(model);
    EXPECT_NE(after.function, before.function) << change.what;
    EXPECT_EQ(after.energy != before.energy, change.deepest >= energy) << change.what;
    EXPECT_EQ(after.stiffness != before.stiffness, change.deepest >= stiffness) << change.what;
    EXPECT_EQ(after.structure != before.structure, change.deepest >= structure) << change.what;
  }
}

}  // namespace
}  // namespace resilin::test
