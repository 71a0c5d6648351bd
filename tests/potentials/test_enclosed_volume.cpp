#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/expect_input_error.h"
#include "potentials/enclosed_volume.h"
#include "resilin/builder.h"
#include "support/setup.h"

namespace resilin {
namespace {

double energy(const GlobalEnergy& of, const std::vector<double>& x) {
  const double c = of.constraint(x.data(), 3, nullptr);
  return of.stiffness() / 2 * c * c;
}

TEST(EnclosedVolume, EnergyOfASphereThatSwells) {
  const TriangleMesh ball = ball_surface({.radius = 0.5, .subdivisions = 3});
  const double volume = enclosed_volume(ball);
  EXPECT_NEAR(volume, 4.0 / 3 * std::numbers::pi / 8, 0.01);
  const auto inflation = make_enclosed_volume(ball.vertices, ball.triangles, 2e3, 1.5);
  for (const double s : {0.5, 1.0, 1.3}) {
    std::vector<double> x = ball.vertices;
    scale(x, {s, s, s});
    translate(x, {1e4, -2e4, 3e4});  // it is where it is: V does not depend on it
    EXPECT_NEAR(energy(*inflation, x), 2e3 / 2 * volume * std::pow(s * s * s - 1.5, 2), 1e-6);
  }
}

TEST(EnclosedVolume, GradientMatchesFiniteDifferences) {
  const TriangleMesh ball = ball_surface({.radius = 1, .subdivisions = 1});
  const auto inflation = make_enclosed_volume(ball.vertices, ball.triangles, 2e3, 1.5);
  setup::Random random(3);
  std::vector<double> x = ball.vertices, g(x.size());
  for (double& v : x) v += 0.1 * random.normal();
  inflation->constraint(x.data(), 3, g.data());
  double net[3] = {};
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> up = x, down = x;
    up[i] += 1e-5, down[i] -= 1e-5;
    const double slope =
        (inflation->constraint(up.data(), 3, nullptr) - inflation->constraint(down.data(), 3, nullptr)) / 2e-5;
    EXPECT_NEAR(slope, g[i], 1e-9);
    net[i % 3] += g[i];
  }
  for (const double force : net) EXPECT_NEAR(force, 0, 1e-13);
}

TEST(EnclosedVolume, CurvatureMatchesFiniteDifferences) {
  const TriangleMesh ball = ball_surface({.radius = 1, .subdivisions = 1});
  const auto inflation = make_enclosed_volume(ball.vertices, ball.triangles, 2e3, 1.5);
  setup::Random random(3);
  std::vector<double> x = ball.vertices;
  for (double& v : x) v += 0.1 * random.normal();
  const std::size_t n = x.size();
  std::vector<double> h(n * n, 0.0), up(n), down(n);
  inflation->curvature(x.data(), [&](int v, int w, const std::array<double, 9>& block) {
    for (std::size_t i = 0; i < 9; ++i) {
      const std::size_t a = 3 * static_cast<std::size_t>(v) + i / 3, b = 3 * static_cast<std::size_t>(w) + i % 3;
      h[a * n + b] += block[i], h[b * n + a] += block[i];
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> moved = x;
    moved[i] += 1e-5;
    inflation->constraint(moved.data(), 3, up.data());
    moved[i] -= 2e-5;
    inflation->constraint(moved.data(), 3, down.data());
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR((up[j] - down[j]) / 2e-5, h[i * n + j], 1e-9) << i << " " << j;
  }
}

// Newton's method has the whole Hessian of an inflated sheet: a few iterations where the Gauss-Newton part alone
// takes dozens.
TEST(EnclosedVolume, NewtonConvergesInAFewIterations) {
  for (const char* hessian : {"filtered", "exact_first", "shifted"}) {
    Builder builder;
    builder.gravity({0, 0, 0});
    builder.add(Shell{.mesh = ball_surface({.radius = 0.5, .subdivisions = 2}),
                      .skin = {.thickness = 0.01, .material = {"neo_hookean", {{"young", 1e5}}}},
                      .inflation = Inflation{.target = 2, .stiffness = 5e4}});
    const auto simulation = builder.simulation(
        {.step = 0.05,
         .solver = {"newton", {{"hessian", hessian}, {"iterations", 100}, {"gradient_tolerance", 1e-9}}},
         .threads = 1});
    for (int i = 0; i < 3; ++i) {
      const SolveReport report = simulation->step().solve;
      EXPECT_EQ(report.status, Status::converged) << hessian;
      EXPECT_LE(report.iterations, 12) << hessian << " " << i;
    }
  }
}

TEST(EnclosedVolume, DoesNotDependOnTheWinding) {
  TriangleMesh ball = ball_surface({.radius = 1, .subdivisions = 1});
  const auto outward = make_enclosed_volume(ball.vertices, ball.triangles, 2e3, 1.5);
  for (std::size_t t = 0; t < ball.triangles.size(); t += 3) std::swap(ball.triangles[t], ball.triangles[t + 1]);
  const auto inward = make_enclosed_volume(ball.vertices, ball.triangles, 2e3, 1.5);
  scale(ball.vertices, {1.2, 1, 1});
  EXPECT_NEAR(energy(*outward, ball.vertices), energy(*inward, ball.vertices), 1e-9);
}

TEST(EnclosedVolume, RefusesAnOpenSurfaceAndNamesAnEdge) {
  TriangleMesh ball = ball_surface({.radius = 1, .subdivisions = 0});
  const std::vector<int> lost(ball.triangles.end() - 3, ball.triangles.end());
  ball.triangles.resize(ball.triangles.size() - 3);
  Builder builder;
  builder.add(Shell{.mesh = grid_sheet({}), .skin = {.bending = "none"}});  // ids are those of the body
  const InputError error = test::input_error([&] {
    builder.add(Shell{.name = "hole", .mesh = ball, .skin = {.bending = "none"}, .inflation = Inflation{}});
  });
  const std::string vertex = "vertices " + std::to_string(std::min({lost[0], lost[1], lost[2]})) + " and";
  for (const std::string& words :
       {std::string("hole"), std::string("inflation"), std::string("open at the edge"), vertex})
    EXPECT_TRUE(test::says(error, words.c_str())) << error.what();
}

TEST(EnclosedVolume, RefusesABodyWithoutElements) {
  Builder builder;
  builder.add(
      Shell{.mesh = ball_surface({}), .skin = {.material = "none", .bending = "none"}, .inflation = Inflation{}});
  const InputError error = test::input_error([&] { builder.model(); });
  for (const char* words : {"part of no element", "material"}) EXPECT_TRUE(test::says(error, words));
}

}  // namespace
}  // namespace resilin
