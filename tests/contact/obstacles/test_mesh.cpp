#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "contact/obstacle_of.h"
#include "contact/obstacles/distances.h"
#include "resilin/errors.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

Value numbers(const std::vector<double>& of) {
  Value::List out;
  for (const double n : of) out.emplace_back(n);
  return out;
}

Value cube(std::vector<double> vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1},
           std::vector<double> triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                            2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5}) {
  return Value::Object{{"vertices", numbers(vertices)}, {"triangles", numbers(triangles)}};
}

TEST(MeshObstacle, ACubeIsABox) {
  const auto mesh = obstacle_of("mesh", {{"mesh", cube()}, {"scale", 2}}),
             box = obstacle_of("box", {{"size", Value::List{2, 2, 2}}});
  for (const double x : {-0.7, 0.3, 1.2, 2.6})
    for (const double y : {-0.2, 0.9, 1.7, 3.0})
      for (const double z : {-1.1, 0.4, 1.5, 2.2})
        EXPECT_NEAR(mesh->distance({x, y, z}), box->distance({x - 1, y - 1, z - 1}), 1e-14);
}

// Eight points that creep over hills and jump now and then: what is kept of them saves searches and changes no bit.
TEST(MeshObstacle, WhatIsKnownOfPointsChangesNoBit) {
  const auto hills = obstacle_of("height_field", {{"cells", 12}});
  setup::Random random(2);
  alignas(64) double x[3 * lanes];
  for (double& v : x) v = random.uniform(-0.5, 0.5);
  NearFaces known;
  int kept = 0;
  for (int step = 0; step < 300; ++step) {
    const double by = step % 20 == 0 ? 0.3 : 1e-5;
    for (double& v : x) v = std::clamp(v + by * random.uniform(-1, 1), -0.8, 0.8);
    const NearFaces before = known;
    Distances fresh, again;
    hills->measure(x, 2, fresh), hills->measure_near(x, 2, again, known);
    for (int l = 0; l < lanes; ++l) {
      ASSERT_EQ(fresh.value[l], again.value[l]) << step;
      for (int k = 0; k < 3; ++k) ASSERT_EQ(fresh.normal[k][l], again.normal[k][l]) << step;
      for (int k = 0; k < 6; ++k) ASSERT_EQ(fresh.curvature[k][l], again.curvature[k][l]) << step;
      kept += known.older[l] == before.older[l] ? 1 : 0;
    }
  }
  EXPECT_GT(kept, 300 * lanes / 2) << "most searches are saved";
}

void expect_refused(const Value& mesh, const std::string& part) {
  try {
    obstacle_of("mesh", {{"mesh", mesh}});
    FAIL() << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(MeshObstacle, WhatHasNoInsideIsRefused) {
  expect_refused(cube({0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}), "open_boundary");
  expect_refused(cube({0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}), "--repair");
  expect_refused(cube({}, {}), "no triangle");
  std::vector<double> vertices(24, 0.0);
  vertices[5] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(cube(vertices), "non_finite_vertex");
  expect_refused(cube({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3}), "inside_out");
  expect_refused(Value("bunny.obj"), "only a scene reads files");
  expect_refused(Value(Value::Object{}), "\"vertices\" is missing");
}

}  // namespace
}  // namespace resilin::test
