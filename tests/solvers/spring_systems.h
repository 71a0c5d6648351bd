// Small systems of springs on a line, for solvers that work by constraints.
#pragma once
#include <vector>

#include "lab/setup.h"
#include "potentials/spring.h"

namespace resilin::lab {

/// Vertices at x = 0, 1, 2, ... of mass `mass`, the first one pinned, springs of rest length `length` between neighbours.
inline Model chain(int vertices, double stiffness, double length, double mass) {
  Model model;
  model.gravity = {0, 0, 0};
  std::vector<double> rest;
  for (int i = 0; i < vertices; ++i) rest.insert(rest.end(), {static_cast<double>(i), 0.0, 0.0});
  model.add_vertices(rest);
  std::fill(model.mass.begin(), model.mass.end(), mass);
  std::vector<int> edges;
  for (int i = 0; i + 1 < vertices; ++i) edges.insert(edges.end(), {i, i + 1});
  const std::vector<double> k(vertices - 1, stiffness), l(vertices - 1, length);
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(k, l)}});
  pin(model, {0});
  return model;
}

}  // namespace resilin::lab
