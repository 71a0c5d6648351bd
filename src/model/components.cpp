#include "model/components.h"

#include "core/disjoint_sets.h"
#include "resilin/global_energy.h"

namespace resilin {

std::vector<int> connected_components(const Model& model) {
  DisjointSets sets(static_cast<std::size_t>(model.vertex_count()));
  const auto join = [&](std::span<const int> ids) {
    for (const int v : ids) sets.join(ids[0], v);
  };
  for (const Term& term : model.terms)
    for (int i = 0; i < term.elements.size(); ++i) join(term.elements.vertices(i));
  for (const auto& energy : model.global_energies) join(energy->vertices());
  std::vector<int> component(static_cast<std::size_t>(model.vertex_count()), -1);
  int count = 0;
  for (int v = 0; v < model.vertex_count(); ++v) {
    const int r = sets.root(v);  // the least vertex of its component
    component[v] = r == v ? count++ : component[r];
  }
  return component;
}

}  // namespace resilin
