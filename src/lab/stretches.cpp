#include "lab/stretches.h"

#include <algorithm>

#include "lab/worst.h"
#include "potentials/evaluate.h"

namespace resilin::lab {

// Parts are swept at the same time: each has its own extremes.
StretchRange stretch_range(DynamicSystem& system, const std::vector<double>& q) {
  const auto parts = static_cast<std::size_t>(system.elements().partition().parts());
  std::vector<Worst> largest(parts);
  std::vector<Least> smallest(parts);
  std::vector<char> met(parts, 0);
  system.problem().elements().sweep_coordinates(q.data(), [&](int term, int part, SweepBlock& sweep) {
    const ElementKind kind = system.model().terms[static_cast<std::size_t>(term)].elements.kind();
    if (kind != ElementKind::tet && kind != ElementKind::triangle) return;
    decompose(sweep.block);
    const auto at = static_cast<std::size_t>(part);
    met[at] = 1;
    for (int i = 0; i < sweep.block.packs * sweep.block.rows * 8; ++i)
      largest[at].see(sweep.block.s[i]), smallest[at].see(sweep.block.s[i]);
  });
  Worst worst;
  Least least;
  for (std::size_t i = 0; i < parts; ++i)
    if (met[i] != 0) worst.see(largest[i]), least.see(smallest[i]);
  return {least, worst};
}

}  // namespace resilin::lab
