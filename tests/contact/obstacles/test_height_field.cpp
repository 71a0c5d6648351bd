#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact/obstacle_of.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin::test {
namespace {

Value rows(const std::vector<std::vector<double>>& of) {
  Value::List out;
  for (const auto& row : of) {
    Value::List numbers;
    for (const double n : row) numbers.emplace_back(n);
    out.emplace_back(std::move(numbers));
  }
  return out;
}

TEST(HeightField, ASlopeIsAPlane) {
  // Farther is higher: 0.5 m over 2 m.
  const Value::Object slope{{"size", Value::List{2, 2}}, {"heights", rows({{0.5, 0.5, 0.5}, {0, 0, 0}})}};
  const auto field = obstacle_of("height_field", slope);
  const double cosine = 2 / std::hypot(2, 0.5);
  EXPECT_NEAR(field->distance({0, 0.35, 0}), 0.1 * cosine, 1e-12);
  EXPECT_NEAR(field->distance({0.2, 0.15, 0}), -0.1 * cosine, 1e-12);
  EXPECT_GT(field->distance({0, 0.4, 0.5}), field->distance({0, 0.4, -0.5})) << "away is -z where y is up";
}

TEST(HeightField, UpIsWhereItSays) {
  for (const char* up : {"x", "y", "z"}) {
    const auto field = obstacle_of("height_field", {{"heights", rows({{1, 1}, {1, 1}})}, {"up", up}});
    Vec3 above{0, 0, 0};
    above[static_cast<std::size_t>(up[0] - 'x')] = 1.25;
    EXPECT_NEAR(field->distance(above), 0.25, 1e-12) << up;
  }
}

TEST(HeightField, HillsAreTheSameForTheSameSeed) {
  const auto one = obstacle_of("height_field", {{"seed", 3}}), same = obstacle_of("height_field", {{"seed", 3}}),
             other = obstacle_of("height_field", {{"seed", 4}});
  EXPECT_EQ(one->surface().vertices, same->surface().vertices);
  EXPECT_NE(one->surface().vertices, other->surface().vertices);
  double low = 1, high = 0;  // of hills up to 0.2 m
  for (double x = -0.9; x < 1; x += 0.1)
    for (double z = -0.9; z < 1; z += 0.1) {
      const double height = 5 - one->distance({x, 5, z});
      low = std::min(low, height), high = std::max(high, height);
    }
  EXPECT_GT(low, 0);
  EXPECT_LT(high, 0.2);
  EXPECT_GT(high - low, 0.02);
}

TEST(HeightField, BadHeightsAreRefused) {
  for (const Value& bad : {rows({{0, 1}}), rows({{0, 1}, {0}}), rows({{0, 1}, {0, NAN}}), Value("hills.pgm")})
    EXPECT_THROW(obstacle_of("height_field", {{"heights", bad}}), InputError);
  EXPECT_THROW(obstacle_of("height_field", {{"size", Value::List{1}}}), InputError);
}

}  // namespace
}  // namespace resilin::test
