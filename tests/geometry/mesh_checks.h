// Properties that every generated mesh must have; shared by the geometry tests.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "resilin/shapes.h"

namespace resilin::test {

/// Edges of elements with so many corners, each once: pairs (smaller id, larger id), ascending.
inline std::vector<int> unique_edges(std::span<const int> elements, std::size_t corners) {
  std::set<std::pair<int, int>> edges;
  for (std::size_t e = 0; e < elements.size(); e += corners)
    for (std::size_t i = 0; i < corners; ++i)
      for (std::size_t j = i + 1; j < corners; ++j) edges.insert(std::minmax(elements[e + i], elements[e + j]));
  std::vector<int> out;
  for (const auto& [a, b] : edges) out.insert(out.end(), {a, b});
  return out;
}
inline int edge_count(std::span<const int> elements, std::size_t corners) {
  return static_cast<int>(unique_edges(elements, corners).size() / 2);
}

/// Adds `other` after `mesh`, without its groups. Vertices are not merged.
inline void append(TetMesh& mesh, const TetMesh& other) {
  const int first = mesh.vertex_count();
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const int v : other.tets) mesh.tets.push_back(v + first);
}

/// Vertices - edges + triangles: 2 for a sphere, 0 for a torus.
inline int euler_characteristic(const TriangleMesh& mesh) {
  return mesh.vertex_count() - edge_count(mesh.triangles, 3) + mesh.triangle_count();
}

/// Every edge of the surface belongs to two triangles that run through it in opposite directions, and the
/// triangles around each vertex form one fan.
inline void expect_closed_manifold(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> directed;
  std::map<int, std::map<int, int>> next;  // around each vertex
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
    for (int i = 0; i < 3; ++i) {
      const int a = mesh.triangles[t + i], b = mesh.triangles[t + (i + 1) % 3], c = mesh.triangles[t + (i + 2) % 3];
      ++directed[{a, b}];
      next[a][b] = c;
    }
  int bad_edges = 0, bad_vertices = 0;
  for (const auto& [edge, count] : directed)
    if (count != 1 || !directed.count({edge.second, edge.first})) ++bad_edges;
  for (const auto& [v, fan] : next) {
    std::size_t steps = 0;
    int at = fan.begin()->first;
    do {
      const auto it = fan.find(at);
      if (it == fan.end()) break;
      at = it->second;
      ++steps;
    } while (at != fan.begin()->first && steps <= fan.size());
    if (steps != fan.size()) ++bad_vertices;
  }
  EXPECT_EQ(bad_edges, 0);
  EXPECT_EQ(bad_vertices, 0);
}

/// No face has more than two owners; returns how many have exactly one. Counted independently of the library.
inline int boundary_face_count(const TetMesh& mesh) {
  std::map<std::array<int, 3>, int> owners;
  for (std::size_t t = 0; t < mesh.tets.size(); t += 4)
    for (int skip = 0; skip < 4; ++skip) {
      std::array<int, 3> face{};
      for (int i = 0, k = 0; i < 4; ++i)
        if (i != skip) face[k++] = mesh.tets[t + i];
      std::sort(face.begin(), face.end());
      ++owners[face];
    }
  int single = 0, many = 0;
  for (const auto& [face, count] : owners) {
    single += count == 1;
    many += count > 2;
  }
  EXPECT_EQ(many, 0);
  return single;
}

/// No defects, closed manifold surface, and tets that fill exactly what the surface encloses: then the mesh
/// is conforming (a T-junction would leave inner faces single and the enclosed volume wrong).
inline void expect_sound(const TetMesh& mesh) {
  for (const Defect& defect : check(mesh)) ADD_FAILURE() << name(defect.kind) << ": " << defect.detail;
  const TriangleMesh skin = surface(mesh);
  expect_closed_manifold(skin);
  EXPECT_EQ(skin.triangle_count(), boundary_face_count(mesh));
  EXPECT_NEAR(enclosed_volume(skin), total_volume(mesh), 1e-10 * total_volume(mesh));
}

inline TetMesh one_tet() { return {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 2, 3}, {}, {}}; }

/// Runs `action` and returns what the InputError says, or "" and a failure if none comes.
template <class Action>
std::string input_error(Action&& action) {
  try {
    action();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

}  // namespace resilin::test
