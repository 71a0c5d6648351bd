// Every row of every registered experiment under its quick set. Rows that miss today are declared with the reason:
// they are known failures, which ./test names at its end; one that passes again fails here, and so does any other
// row that misses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "contract/check_params.h"
#include "lab/experiment.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

class QuickExperiment : public testing::TestWithParam<std::string> {};

TEST_P(QuickExperiment, KeepsItsVerdict) {
  const Quick quick = plugin<ExperimentPlugin>("experiment", GetParam(), "test").quick.value();
  if (quick.meshes && std::getenv("RESILIN_MESHES") == nullptr) GTEST_SKIP() << "RESILIN_MESHES is not set";
  const ExperimentReport report = run_experiment(GetParam(), quick.set);
  std::map<std::string, std::string> known = quick.misses;
  for (const Row& row : report.rows) {
    const auto miss = known.find(row.quantity);
    if (miss == known.end()) {
      EXPECT_TRUE(row.pass) << row.quantity << ": measured " << row.measured << ", expected " << row.relation << " "
                            << row.expected;
      continue;
    }
    EXPECT_FALSE(row.pass) << row.quantity << " passes now: take it out of .misses";
    std::printf("known failure: %s: %s: %s\n", GetParam().c_str(), row.quantity.c_str(), miss->second.c_str());
    known.erase(miss);
  }
  EXPECT_TRUE(known.empty()) << "there is no row " << known.begin()->first;
  EXPECT_EQ(report.verdict == ExperimentVerdict::missed, !quick.misses.empty());
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

TEST(Experiments, AreDocumented) {
  for (const auto& e : registry<ExperimentPlugin>()) {
    test::check_params(e.name, e.plugin.doc, e.plugin.params);
    EXPECT_FALSE(e.plugin.title.empty()) << e.name;
    EXPECT_FALSE(e.plugin.source.empty()) << e.name;
    ASSERT_TRUE(e.plugin.quick) << e.name << " has no quick set";
    EXPECT_NO_THROW(e.plugin.params.read(e.plugin.quick->set)) << e.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Experiments, QuickExperiment, testing::ValuesIn(experiments(false)), test_name);
INSTANTIATE_TEST_SUITE_P(ExperimentsSlow, QuickExperiment, testing::ValuesIn(experiments(true)), test_name);

}  // namespace
}  // namespace resilin
