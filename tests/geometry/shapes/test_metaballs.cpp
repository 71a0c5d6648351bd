#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

TEST(Metaballs, one_ball_is_a_sphere) {
  EXPECT_NEAR(total_volume(metaballs({{{{0, 0, 0}, 0.5}}, 0.1, 0.1})), total_volume(sphere({0.5, 0.1, {}})), 1e-9);
}

TEST(Metaballs, blending_joins_what_a_plain_union_leaves_apart) {
  MetaballsOptions o{{{{-0.33, 0, 0}, 0.3}, {{0.33, 0, 0}, 0.3}}, 0, 0.08};
  EXPECT_EQ(components(metaballs(o)).count, 2);
  o.blend = 0.1;
  const TetMesh mesh = metaballs(o);
  EXPECT_EQ(components(mesh).count, 1);
  expect_sound(mesh);
  EXPECT_EQ(euler_characteristic(surface(mesh)), 2);
}

TEST(Metaballs, the_creature_is_one_sound_body) {
  const TetMesh mesh = metaballs({creature_balls(), 0.03, 0.04});
  expect_sound(mesh);
  EXPECT_EQ(components(mesh).count, 1);
  const Quality q = quality(mesh);
  EXPECT_GE(q.min_dihedral, 10.7);
  EXPECT_LE(q.max_dihedral, 164.8);
  EXPECT_NEAR(bounds(mesh.vertices).lower[2], 0, 0.03);
}

TEST(Metaballs, as_a_plugin) {
  const ShapePlugin plugin = shape_metaballs();
  EXPECT_GT(plugin.make(plugin.params.defaults()).tet_count(), 1000);
  Value value(Value::Object{});
  Value ball(Value::Object{});
  ball.set("center", Value::List{0, 0, 0});
  ball.set("radius", 0.2);
  value.set("balls", Value::List{ball, Value(Value::List{0.2, 0, 0, 0.1})});
  EXPECT_GT(plugin.make(plugin.params.read(value)).tet_count(), 100);
  value.set("balls", Value::List{Value(Value::List{0, 0, 0})});
  value.locate("s.json", "shape");
  const std::string text = input_error([&] { plugin.make(plugin.params.read(value)); });
  EXPECT_NE(text.find("shape.balls[0]"), std::string::npos) << text;
  EXPECT_THROW(metaballs({{}, 0.1, 0.1}), InputError);
  EXPECT_THROW(metaballs({{{{0, 0, 0}, -1}}, 0.1, 0.1}), InputError);
}

}  // namespace
}  // namespace resilin
