#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "model/coefficients.h"
#include "model/packed_term.h"
#include "model/partition.h"

namespace resilin {
namespace {

// Packs have eight lanes: what fills up the last one weighs nothing, whatever is left over.
TEST(PackedTerm, PaddingWeighsNothing) {
  for (const int springs : {1, 7, 8, 9, 30}) {
    Model model;
    std::vector<double> rest;
    std::vector<int> edges;
    for (int i = 0; i <= springs; ++i) rest.insert(rest.end(), {static_cast<double>(i), 0.0, 0.0});
    for (int i = 0; i < springs; ++i) edges.insert(edges.end(), {i, i + 1});
    model.add_vertices(rest);
    model.terms.push_back({"springs", Elements::springs(edges), {}});
    const PackedTerm packed(model, 0, Partition(model));
    std::vector<double> weight(static_cast<std::size_t>(springs), 0.0);
    for (int slot = 0; slot < 8 * packed.packs(); ++slot)
      weight[packed.slot_element()[slot]] += packed.measure(slot / 8)[slot % 8];
    EXPECT_EQ(weight, std::vector<double>(weight.size(), 1.0)) << springs;
  }
}

// Packs follow the partition, not the numbering of the elements.
TEST(Coefficients, EverySlotHasThoseOfItsElement) {
  std::vector<int> slots(16);
  std::iota(slots.rbegin(), slots.rend(), 0);
  Coefficients each(2), same(2);
  for (int i = 0; i < 16; ++i) {
    each.add(std::vector<double>{1.0 * i, 100.0 + i});
    same.add(std::vector<double>{5, 6});
  }
  const PackedCoefficients packed = each.pack(slots), uniform = same.pack(slots);
  for (int slot = 0; slot < 16; ++slot) {
    const double* c = packed.pack(slot / 8) + slot % 8;
    EXPECT_EQ(c[0], slots[slot]);
    EXPECT_EQ(c[8], 100 + slots[slot]);
    EXPECT_EQ(uniform.pack(slot / 8)[slot % 8], 5);
    EXPECT_EQ(uniform.pack(slot / 8)[8 + slot % 8], 6);
  }
}

}  // namespace
}  // namespace resilin
