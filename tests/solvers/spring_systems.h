// Small systems of springs on a line, for solvers that work by constraints.
#pragma once
#include <vector>

#include "support/setup.h"

namespace resilin::test {

/// Vertices at x = 0, 1, 2, ... of mass `mass`, the first one pinned, springs of rest length `length` between
/// neighbours.
inline Model chain(int vertices, double stiffness, double length, double mass) {
  Springs net;
  net.stiffness = stiffness, net.mass = mass;
  net.length.assign(static_cast<std::size_t>(vertices - 1), length);
  for (int i = 0; i < vertices; ++i)
    net.mesh.vertices.insert(net.mesh.vertices.end(), {static_cast<double>(i), 0.0, 0.0});
  for (int i = 0; i + 1 < vertices; ++i) net.mesh.edges.insert(net.mesh.edges.end(), {i, i + 1});
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(net);
  builder.pin({.vertices = {0}});
  return std::move(builder).model();
}

}  // namespace resilin::test
