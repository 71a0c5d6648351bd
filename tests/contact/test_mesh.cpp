#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "contact/obstacle_of.h"
#include "resilin/errors.h"

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
