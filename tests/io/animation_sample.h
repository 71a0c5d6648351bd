// A short animation of two bodies: a tet and a rope.
#pragma once
#include <cstring>

#include "io/mesh_samples.h"

namespace resilin::test {

inline Animation animation(int frames = 3) {
  MeshData mesh;
  mesh.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5, 2, 0, 0, 3, 0, 0};  // vertex 4 is in nothing
  mesh.tets = {0, 1, 2, 3};
  mesh.triangles = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  mesh.edges = {5, 6};
  mesh.tet_groups = {{"tet", {0}}};
  mesh.triangle_groups = {{"tet", {0, 1, 2, 3}}};
  mesh.edge_groups = {{"rope", {0}}};
  Animation out{mesh, {}, {}};
  for (int i = 0; i < frames; ++i) out.times.push_back(0.5 * i);
  out.positions = [mesh](int i) {
    std::vector<double> x = mesh.vertices;
    for (double& v : x) v += i;
    return x;
  };
  return out;
}

template <class T>
T value_at(const std::string& bytes, std::size_t at, bool big_endian = false) {
  char raw[sizeof(T)];
  for (std::size_t k = 0; k < sizeof(T); ++k) raw[k] = bytes.at(at + (big_endian ? sizeof(T) - 1 - k : k));
  T out;
  std::memcpy(&out, raw, sizeof(T));
  return out;
}

}  // namespace resilin::test
