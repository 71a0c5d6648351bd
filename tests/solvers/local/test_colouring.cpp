// Orders of visits: every element once, packs and groups without a shared vertex, few colours, the model's order
// kept when serial.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "simd/pack.h"
#include "solvers/local/colouring.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

Elements beam(int across) {
  const TetMesh mesh = beam_mesh(across);
  return Elements::tets(mesh.vertices, mesh.tets);
}

std::vector<int> visited(const VisitOrder& order) {
  std::vector<int> out;
  for (int p = 0; p < order.packs(); ++p)
    for (int l = 0; l < order.active[p]; ++l) out.push_back(order.slot_element[p * lanes + l]);
  return out;
}

bool independent(const Elements& elements, const VisitOrder& order, int first, int last) {
  std::set<int> seen;
  for (int p = first; p < last; ++p)
    for (int l = 0; l < order.active[p]; ++l)
      for (const int v : elements.vertices(order.slot_element[p * lanes + l]))
        if (!seen.insert(v).second) return false;
  return true;
}

int largest_degree(const Elements& elements) {
  std::vector<int> degree(100000, 0);
  for (int i = 0; i < elements.size(); ++i)
    for (const int v : elements.vertices(i)) ++degree[v];
  return *std::max_element(degree.begin(), degree.end());
}

TEST(Colouring, EveryElementOnceAndNoVertexTwiceInAColour) {
  for (const int across : {1, 3, 6}) {
    const Elements elements = beam(across);
    const VisitOrder order = colour_order(elements);
    std::vector<int> all = visited(order);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(static_cast<int>(all.size()), elements.size());
    for (int i = 0; i < elements.size(); ++i) EXPECT_EQ(all[i], i);
    for (int g = 0; g < order.groups(); ++g)
      EXPECT_TRUE(independent(elements, order, order.group_start[g], order.group_start[g + 1]));
    EXPECT_GE(order.groups(), largest_degree(elements));
    EXPECT_LE(order.groups(), 2 * largest_degree(elements));
    EXPECT_EQ(order.group_start.back(), order.packs());
    EXPECT_EQ(order.slot_element.size(), static_cast<std::size_t>(order.packs()) * lanes);
  }
}

TEST(Colouring, SerialKeepsTheOrderOfTheModel) {
  const Elements elements = beam(2);
  const VisitOrder order = serial_order(elements);
  const std::vector<int> all = visited(order);
  ASSERT_EQ(static_cast<int>(all.size()), elements.size());
  for (int i = 0; i < elements.size(); ++i) EXPECT_EQ(all[i], i);
  EXPECT_EQ(order.groups(), order.packs());
  for (int p = 0; p < order.packs(); ++p) EXPECT_TRUE(independent(elements, order, p, p + 1));
}

TEST(Colouring, PointsHaveOneColourAndNothingHasNone) {
  std::vector<int> ids(19);
  std::iota(ids.begin(), ids.end(), 0);
  const VisitOrder order = colour_order(Elements::points(ids));
  EXPECT_EQ(order.groups(), 1);
  EXPECT_EQ(order.packs(), 3);
  EXPECT_EQ(order.active.back(), 3);
  const VisitOrder none = colour_order(Elements::points({})), no_run = serial_order(Elements::points({}));
  EXPECT_EQ(none.packs() + none.groups() + no_run.packs() + no_run.groups(), 0);
}

}  // namespace
}  // namespace resilin::test
