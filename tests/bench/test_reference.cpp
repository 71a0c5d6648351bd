// The plain reference computes what the library computes: only then its time is worth comparing.
#include <gtest/gtest.h>

#include <cmath>

#include "benchmark.h"
#include "resilin/registry.h"
#include "scene_case.h"

namespace resilin {
namespace {

// Largest difference of positions after some frames from the same start, over the size of the body.
double difference(bench::SceneCase c, const BenchmarkContext& context, int frames = 5) {
  const auto ours = build_simulation(bench::load(c, context), 2);
  reference::Options options;
  options.step = ours->options().step;
  options.iterations = c.iterations;
  options.newton = c.solver == "newton";
  reference::PlainSimulation plain(ours->model(), bench::constants_of(c.material), options);
  plain.set_state(ours->state());
  const std::vector<double> start = ours->state().q;
  for (int i = 0; i < frames; ++i) {
    const StepReport report = ours->step();
    EXPECT_EQ(report.solve.iterations, c.iterations);
    plain.step();
  }
  double largest = 0, moved = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    largest = std::max(largest, std::abs(plain.positions()[i] - ours->state().q[i]));
    moved = std::max(moved, std::abs(ours->state().q[i] - start[i]));
  }
  EXPECT_GT(moved, 1e-3 * ours->model().size());
  return largest / ours->model().size();
}

BenchmarkContext small_bar() {
  BenchmarkContext context;
  context.overrides = {{"bodies[0].shape.cells", "[2, 2, 8]"},
                       {"bodies[0].shape.size", "[0.06, 0.06, 0.24]"},
                       {"solver.linear_solver", "cholesky"}};
  return context;
}

class PlainReference : public ::testing::TestWithParam<const char*> {};

TEST_P(PlainReference, AgreesOnATwistedBar) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = GetParam();
  EXPECT_LE(difference(c, small_bar()), 1e-6);
}
INSTANTIATE_TEST_SUITE_P(Materials, PlainReference,
                         ::testing::Values("neo_hookean", "corotated", "arap", "spline"));

TEST(PlainReference, AgreesOnACloth) {
  bench::SceneCase c;
  c.scene = "hanging_cloth";
  BenchmarkContext context;
  context.overrides = {{"bodies[0].cloth.cells", "[8, 8]"}, {"solver.linear_solver", "cholesky"}};
  EXPECT_LE(difference(c, context), 1e-6);
}

TEST(PlainReference, AgreesForNewton) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "neo_hookean", c.solver = "newton", c.iterations = 1;
  EXPECT_LE(difference(c, small_bar()), 1e-6);
}

// The same pairs in the same order, and their distances.
TEST(PlainReference, AgreesOnContactPairs) {
  BenchmarkContext context;
  context.quick = true;
  const auto rows = plugin<BenchmarkPlugin>("benchmark", "contact_detect", "test").run(context);
  ASSERT_EQ(rows.size(), 1u);
  const auto found =
      std::ranges::find(rows[0].extra, "reference_difference", [](const auto& e) { return e.first; });
  ASSERT_NE(found, rows[0].extra.end());
  EXPECT_LE(found->second, 1e-14);
}

TEST(Benchmarks, TheNamesOfTheIssueAreRegistered) {
  for (const char* name :
       {"kernels", "solve", "scene_a_nh", "scene_a_corot", "scene_b_nh", "scene_b_corot", "scene_b_spline",
        "cloth_c", "cloth_14k", "scene_a_two_level", "scene_b_two_level", "newton_a", "admm_a_nh", "xpbd_a",
        "xpbd_b", "damping_a", "armadillo_drop", "contact_detect"}) {
    const auto* entry = find_plugin<BenchmarkPlugin>(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_FALSE(entry->plugin.doc.empty());
    EXPECT_TRUE(entry->plugin.run);
  }
}

TEST(Benchmarks, ASceneCaseFillsItsRow) {
  bench::SceneCase c;
  c.scene = "twisting_bar", c.material = "corotated";
  BenchmarkContext context = small_bar();
  context.quick = true, context.frames = 2, context.threads = 2;
  const auto rows = bench::run_scene("a_case", c, context);
  ASSERT_EQ(rows.size(), 1u);
  const CaseResult& row = rows[0];
  EXPECT_EQ(row.name, "a_case");
  EXPECT_EQ(row.threads, 2);
  for (const auto& value : {row.median_ms, row.min_ms, row.p99_ms, row.floor_ms, row.ratio_to_floor,
                            row.reference_ms, row.speedup, row.peak_mb}) {
    ASSERT_TRUE(value.has_value());
    EXPECT_TRUE(std::isfinite(*value) && *value > 0);
  }
  EXPECT_FALSE(row.median_ns.has_value());
}

TEST(Samples, Quantiles) {
  bench::Samples samples;
  for (int i = 1000; i >= 1; --i) samples.add(i);
  EXPECT_EQ(samples.min(), 1);
  EXPECT_EQ(samples.median(), 500.5);
  EXPECT_EQ(samples.quantile(0.99), 990);
  EXPECT_EQ(samples.quantile(0.999), 999);
  EXPECT_EQ(samples.max(), 1000);
}

}  // namespace
}  // namespace resilin
