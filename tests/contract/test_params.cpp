// Whatever is registered documents its parameters, and every range is enforced by a message that names the
// parameter.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle.h"
#include "lab/experiment.h"
#include "linear/linear_solver.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "resilin/integrator.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"

namespace resilin {
namespace {

// Besides `others`, without which it would be refused anyway.
void refuses(const Params& params, const Param& p, Value bad, const std::string& who, const Value::Object& others) {
  Value object{others};
  object.set(p.name, std::move(bad));
  object.locate("test.json");
  try {
    params.read(object);
    ADD_FAILURE() << who << " accepts a bad " << p.name;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(p.name), std::string::npos) << who << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find("test.json"), std::string::npos) << who << ": " << error.what();
  }
}

void check_params(const std::string& who, const std::string& doc, const Params& params,
                  const Value::Object& others = {}) {
  EXPECT_FALSE(doc.empty()) << who << " has no documentation";
  for (const Param& p : params.list()) {
    EXPECT_FALSE(p.doc.empty()) << who << "." << p.name << " has no documentation";
    if (p.type == Param::Type::number || p.type == Param::Type::integer) {
      if (std::isfinite(p.range.low))
        refuses(params, p, p.range.low_open ? p.range.low : p.range.low - 1, who, others);
      if (std::isfinite(p.range.high))
        refuses(params, p, p.range.high_open ? p.range.high : p.range.high + 1, who, others);
      refuses(params, p, std::nan(""), who, others);
      refuses(params, p, "text", who, others);
    }
    if (p.type == Param::Type::choice) refuses(params, p, "no such choice", who, others);
    if (p.type == Param::Type::boolean) refuses(params, p, 3.0, who, others);
  }
  Value unknown{Value::Object{{"surely_not_a_parameter", 1.0}}};
  EXPECT_THROW(params.read(unknown), InputError) << who;
}

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
TEST(ParamsContract, Experiments) {
  for (const auto& e : registry<ExperimentPlugin>()) {
    check_params(e.name, e.plugin.doc, e.plugin.params);
    EXPECT_FALSE(e.plugin.title.empty()) << e.name;
    EXPECT_FALSE(e.plugin.source.empty()) << e.name;
    ASSERT_TRUE(e.plugin.quick) << e.name << " has no quick set";
    EXPECT_NO_THROW(e.plugin.params.read(e.plugin.quick->set)) << e.name;
  }
}
TEST(ParamsContract, LinearSolversAndFormatsAreDocumented) {
  for (const auto& e : registry<LinearSolverPlugin>()) EXPECT_FALSE(e.plugin.doc.empty()) << e.name;
  for (const auto& e : registry<FormatPlugin>()) EXPECT_FALSE(e.plugin.doc.empty()) << e.name;
}

}  // namespace
}  // namespace resilin
