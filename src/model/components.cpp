#include "model/components.h"

#include <algorithm>
#include <numeric>

#include "resilin/global_energy.h"

namespace resilin {

std::vector<int> connected_components(const Model& model) {
  std::vector<int> root(static_cast<std::size_t>(model.vertex_count()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  const auto join = [&](std::span<const int> ids) {
    for (const int v : ids) {
      const int a = find(ids[0]), b = find(v);
      root[std::max(a, b)] = std::min(a, b);
    }
  };
  for (const Term& term : model.terms)
    for (int i = 0; i < term.elements.size(); ++i) join(term.elements.vertices(i));
  for (const auto& energy : model.global_energies) join(energy->vertices());
  std::vector<int> component(root.size(), -1);
  int count = 0;
  for (int v = 0; v < model.vertex_count(); ++v) {
    const int r = find(v);  // the least vertex of its component
    component[v] = r == v ? count++ : component[r];
  }
  return component;
}

}  // namespace resilin
