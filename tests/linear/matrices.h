// Matrices like those of meshes, for the tests of linear/: cliques with positive definite element blocks plus
// a mass.
#pragma once
#include <cmath>
#include <random>
#include <vector>

#include "linear/sparse_matrix.h"

namespace resilin::test {

struct Cliques {
  std::vector<int> offset = {0}, vertex;
  void add(std::initializer_list<int> ids) {
    vertex.insert(vertex.end(), ids);
    offset.push_back(static_cast<int>(vertex.size()));
  }
};

/// Cells of six tets on a grid of nx x ny x nz vertices.
inline Cliques grid_tets(int nx, int ny, int nz) {
  static constexpr int tets[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                     {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
  Cliques cliques;
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j)
      for (int k = 0; k + 1 < nz; ++k)
        for (const auto& tet : tets) {
          const auto id = [&](int corner) {
            return ((i + (corner & 1)) * ny + j + (corner >> 1 & 1)) * nz + k + (corner >> 2);
          };
          cliques.add({id(tet[0]), id(tet[1]), id(tet[2]), id(tet[3])});
        }
  return cliques;
}

inline Cliques random_edges(int n, int edges, unsigned seed) {
  std::mt19937 random(seed);
  Cliques cliques;
  for (int e = 0; e < edges; ++e) cliques.add({static_cast<int>(random() % n), static_cast<int>(random() % n)});
  return cliques;
}

/// Adds w w^T per edge of the pattern, with random w, and `mass` on the diagonal: positive definite for mass
/// > 0.
inline void fill_values(SymmetricMatrix& a, double mass, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  const int b = a.block();
  a.clear();
  const auto add = [&](int row, int col, const double* u, const double* v, double sign) {
    double* m = &a.value[static_cast<std::size_t>(a.find(row, col)) * b * b];
    for (int i = 0; i < b; ++i)
      for (int j = 0; j < b; ++j) m[b * i + j] += sign * u[i] * v[j];
  };
  for (int i = 0; i < a.size(); ++i)
    for (int s = a.start[i]; s < a.start[i + 1]; ++s) {
      const int j = a.column[s];
      if (j == i) continue;
      for (int rank = 0; rank < b; ++rank) {
        double u[3], v[3];  // b = 3: not the same at both ends, so that blocks are not symmetric
        for (int c = 0; c < 3; ++c) u[c] = uniform(random), v[c] = b == 1 ? u[c] : uniform(random);
        add(i, i, u, u, 1), add(j, j, v, v, 1), add(i, j, u, v, -1);
      }
    }
  for (int i = 0; i < a.size(); ++i)
    for (int c = 0; c < b; ++c) a.value[static_cast<std::size_t>(a.start[i + 1] - 1) * b * b + c * b + c] += mass;
}

inline SymmetricMatrix make_matrix(int n, int block, const Cliques& cliques, double mass = 0.1) {
  SymmetricMatrix a(n, block, cliques.offset, cliques.vertex);
  fill_values(a, mass, 7);
  return a;
}

inline SymmetricMatrix make_grid(int nx, int ny, int nz, int block, double mass = 0.1) {
  return make_matrix(nx * ny * nz, block, grid_tets(nx, ny, nz), mass);
}

inline SymmetricMatrix make_dense(int n, int block) {
  Cliques cliques;
  for (int i = 0; i < n; ++i) cliques.vertex.push_back(i);
  cliques.offset.push_back(n);
  return make_matrix(n, block, cliques);
}

inline std::vector<double> random_vector(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> v(size);
  for (double& x : v) x = uniform(random);
  return v;
}

inline double norm(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

/// |A x - b| / |b|
inline double residual(const SymmetricMatrix& a, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> r(b.size());
  a.multiply(x.data(), r.data());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= b[i];
  return b.empty() ? 0 : norm(r) / norm(b);
}

}  // namespace resilin::test
