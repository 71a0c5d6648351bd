#include <gtest/gtest.h>

#include <cmath>

#include "core/expect_input_error.h"
#include "geometry/vec3.h"
#include "resilin/builder.h"
#include "resilin/scene.h"
#include "support/setup.h"

namespace resilin {
namespace {

double area_of(const Body& body, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t t = 0; t < body.triangles.size(); t += 3) {
    const auto x = [&](std::size_t i) { return vertex_at(q, body.triangles[t + i]); };
    sum += norm(cross(x(1) - x(0), x(2) - x(0))) / 2;
  }
  return sum;
}

constexpr double arap = 1e4;

Builder sheet(double stiffness, double target) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Shell{.mesh = grid_sheet({}),
                    .skin = {.thickness = 0.5,
                             .material = {"arap", {{"stiffness", arap}}},
                             .bending = "none",
                             .potentials = {{"area", {{"stiffness", stiffness}, {"target", target}}}}}});
  return builder;
}

TEST(Area, EnergyIsOfTheAreaAndNotOfTheShape) {
  const Model model = sheet(5000, 1.5).model(), bare = sheet(1e-300, 1.5).model();
  ThreadPool pool(1);
  DynamicSystem system(model, pool), plain(bare, pool);
  for (const double s : {0.7, 1.0, 1.3}) {
    std::vector<double> q = model.rest;
    for (std::size_t i = 0; i < q.size(); i += 3) q[i] *= s, q[i + 1] *= 1.2, q[i] += 0.4 * q[i + 1];
    const double wanted = 0.5 * 5000 / 2 * (1.2 * s - 1.5) * (1.2 * s - 1.5);
    EXPECT_NEAR(system.potential_energy(q.data(), nullptr) - plain.potential_energy(q.data(), nullptr), wanted,
                1e-9 * wanted + 1e-8);
  }
}

// The stretch at which k/2 sum (s - 1)^2 of the material and K/2 (s^2 - target)^2 balance.
double balance(double k, double target) {
  double low = 0.1, high = 3;
  for (int i = 0; i < 60; ++i) {
    const double s = (low + high) / 2, slope = arap * (s - 1) + k * (s * s - target) * s;
    (slope > 0 ? high : low) = s;
  }
  return low;
}

TEST(Area, TheSheetFollowsItsTarget) {
  for (const double target : {0.5, 1.0, 2.0})
    for (const char* solver : {"newton", "quasi_newton", "admm", "xpbd"}) {
      const auto simulation =
          sheet(1e5, target)
              .simulation(
                  {.step = 0.1, .solver = {solver, {{"iterations", 300}, {"tolerance", 1e-4}}}, .threads = 1});
      for (int i = 0; i < 30; ++i) simulation->step();
      const double area = area_of(simulation->model().bodies[0], simulation->positions()),
                   expected = std::pow(balance(1e5, target), 2);
      // XPBD ends near the minimum, not at it.
      EXPECT_NEAR(area / expected, 1, solver == std::string("xpbd") ? 0.05 : 0.01) << solver << " " << target;
      EXPECT_NEAR(expected / target, 1, 0.1);
    }
}

TEST(Area, ATargetIsAnEditWithoutAFactorisation) {
  const auto simulation = build_simulation(
      parse_scene(
          R"({"step": 0.05, "gravity": 0, "bodies": [{"shell": {"type": "grid"}, "material": "gel", "bending": "none",
              "potentials": [{"type": "area", "stiffness": 1e7}]}]})",
          "test"),
      1);
  simulation->step();
  simulation->post(SetParameter{"bodies[0].potentials[0].target", 1.5});
  const double before = area_of(simulation->model().bodies[0], simulation->positions());
  int factorisations = 0;
  for (int i = 0; i < 40; ++i) {
    const StepReport report = simulation->step();
    for (const EditRecord& edit : report.edits) EXPECT_EQ(edit.refused, "");
    factorisations += report.solve.factorisations;
  }
  EXPECT_EQ(factorisations, 0);
  EXPECT_NEAR(area_of(simulation->model().bodies[0], simulation->positions()) / before, 1.5, 0.02);
}

TEST(Area, SaysWhatIsWrong) {
  Builder builder;
  const InputError error = test::input_error([&] { builder.add(Solid{.mesh = box({}), .potentials = {"area"}}); });
  for (const char* words : {"area", "tets"}) EXPECT_TRUE(test::says(error, words));
  Builder bare;
  bare.add(Shell{.mesh = grid_sheet({}), .skin = {.material = "none", .bending = "none", .potentials = {"area"}}});
  const InputError missing = test::input_error([&] { bare.model(); });
  for (const char* words : {"stiffness", "no material"}) EXPECT_TRUE(test::says(missing, words));
}

}  // namespace
}  // namespace resilin
