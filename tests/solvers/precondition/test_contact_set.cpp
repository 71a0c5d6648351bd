#include <gtest/gtest.h>

#include <numeric>

#include "solvers/precondition/obstacle_level.h"

namespace resilin {
namespace {

struct Row {
  std::vector<double> rest;
  PatchTree tree;
  ContactSet set;

  Row() {
    for (int v = 0; v < 20; ++v) rest.insert(rest.end(), {0.1 * v, 0, 0});
    std::vector<int> all(20);
    std::iota(all.begin(), all.end(), 0);
    tree = PatchTree(rest, all, all);
    set = ContactSet(tree.size());
  }
  // Every vertex up to `count` is pushed upwards with this stiffness, and held along the ground with that one.
  ContactSet::Change update(int count, double up, double along, bool patient = false) {
    set.age();
    const double stiffness[6] = {along, 0, up, 0, 0, along};
    for (int i = 0; i < tree.size(); ++i)
      if (tree.order[static_cast<std::size_t>(i)] < count) set.add(i, stiffness);
    const auto change = set.take(tree, points, patient);
    if (change == ContactSet::Change::renewed) points = set.points(tree);
    return change;
  }
  std::vector<ContactSet::Point> points;  // in use
};

TEST(ContactSet, IsRenewedWhenContactsStickThatSlid) {
  Row row;
  EXPECT_EQ(row.update(20, 100, 0), ContactSet::Change::renewed);
  EXPECT_EQ(row.update(20, 100, 0), ContactSet::Change::none);
  EXPECT_EQ(row.update(20, 100, 100, true), ContactSet::Change::little) << "rows are costly";
  EXPECT_EQ(row.update(20, 100, 100), ContactSet::Change::renewed);
  for (const auto& point : row.points) EXPECT_EQ(point.stiffness, (Symmetric3{100, 0, 100, 0, 0, 100}));
  EXPECT_EQ(row.update(20, 105, 104), ContactSet::Change::none) << "that is about the same";
  EXPECT_EQ(row.update(20, 100, 0), ContactSet::Change::renewed);
}

TEST(ContactSet, SeveralObstaclesAddUpWithinAnUpdateOnly) {
  Row row;
  const double stiffness[6] = {1, 0, 2, 0, 0, 3};
  for (int update = 0; update < 3; ++update) {
    row.set.age();
    for (int twice = 0; twice < 2; ++twice) row.set.add(4, stiffness);
    row.set.take(row.tree, {}, false);
    EXPECT_EQ(row.set.stiffness()[4], (Symmetric3{2, 0, 4, 0, 0, 6})) << update;
  }
}

TEST(ContactSet, ManyNewVerticesRenewItAndAFewDoNot) {
  Row row;
  EXPECT_EQ(row.update(10, 100, 0), ContactSet::Change::renewed);
  EXPECT_EQ(row.update(11, 100, 0, true), ContactSet::Change::little);
  EXPECT_EQ(row.points.size(), 10u);
  EXPECT_EQ(row.update(11, 100, 0), ContactSet::Change::renewed);
  EXPECT_EQ(row.points.size(), 11u);
}

}  // namespace
}  // namespace resilin
