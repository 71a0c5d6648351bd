// Every registered experiment under its quick set keeps its verdict. What does not pass today says why, is skipped with that reason as a
// known failure, and fails here once it passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "lab/experiment.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

class QuickExperiment : public testing::TestWithParam<std::string> {};

TEST_P(QuickExperiment, KeepsItsVerdict) {
  const Quick quick = plugin<ExperimentPlugin>("experiment", GetParam(), "test").quick.value();
  if (quick.meshes && std::getenv("RESILIN_MESHES") == nullptr) GTEST_SKIP() << "RESILIN_MESHES is not set";
  const ExperimentReport report = run_experiment(GetParam(), quick.set);
  if (quick.misses.empty()) {
    for (const Row& row : report.rows)
      EXPECT_TRUE(row.pass) << row.quantity << ": measured " << row.measured << ", expected " << row.relation << " "
                            << row.expected;
    EXPECT_NE(report.verdict, ExperimentVerdict::missed);
    return;
  }
  ASSERT_EQ(report.verdict, ExperimentVerdict::missed) << "it passes now: take .misses out of its quick set";
  GTEST_SKIP() << "known failure: " << GetParam() << ": " << quick.misses;
}

std::vector<std::string> experiments(bool slow) {
  std::vector<std::string> out;
  for (const auto& [id, experiment] : registry<ExperimentPlugin>())
    if (experiment.quick && experiment.quick->slow == slow) out.push_back(id);
  return out;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Experiments, QuickExperiment, testing::ValuesIn(experiments(false)), test_name);
INSTANTIATE_TEST_SUITE_P(ExperimentsSlow, QuickExperiment, testing::ValuesIn(experiments(true)), test_name);

}  // namespace
}  // namespace resilin
