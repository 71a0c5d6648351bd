// Whatever is registered documents its parameters, and every range is enforced by a message that names the
// parameter.
#include <gtest/gtest.h>

#include "contact/obstacles/obstacle.h"
#include "contract/check_params.h"
#include "linear/linear_solver.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/integrator.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"

namespace resilin {
namespace {

using test::check_params;

TEST(ParamsContract, Materials) {
  for (const auto& e : registry<MaterialPlugin>()) check_params(e.name, e.plugin.doc, e.plugin.params);
}
TEST(ParamsContract, Damping) {
  for (const auto& e : registry<DampingPlugin>()) check_params(e.name, e.plugin.doc, e.plugin.params);
}
TEST(ParamsContract, Solvers) {
  for (const auto& e : registry<SolverPlugin>()) check_params(e.name, e.plugin.doc, e.plugin.params);
}
TEST(ParamsContract, Integrators) {
  for (const auto& e : registry<IntegratorPlugin>()) check_params(e.name, e.plugin.doc, e.plugin.params);
}
TEST(ParamsContract, Shapes) {
  for (const auto& e : registry<ShapePlugin>()) check_params(e.name, e.plugin.doc, e.plugin.params);
}
TEST(ParamsContract, Obstacles) {
  for (const auto& e : registry<ObstaclePlugin>())
    check_params(e.name, e.plugin.doc, e.plugin.params, e.plugin.example);
}
TEST(ParamsContract, LinearSolversAndFormatsAreDocumented) {
  for (const auto& e : registry<LinearSolverPlugin>()) EXPECT_FALSE(e.plugin.doc.empty()) << e.name;
  for (const auto& e : registry<FormatPlugin>()) EXPECT_FALSE(e.plugin.doc.empty()) << e.name;
}

}  // namespace
}  // namespace resilin
