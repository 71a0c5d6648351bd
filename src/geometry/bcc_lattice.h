// A body-centred cubic lattice: the corners and the middles of cubes of edge `spacing`. Two middles of
// adjacent cubes and an edge of their common face make a tet; all tets are congruent, with two opposite long
// edges (one spacing) and four short ones (sqrt(3)/2). Coordinates are doubled integers: corners even,
// middles odd. fill_implicit() walks over it; it knows neither the function that is filled nor any values.
#pragma once
#include <cstdint>
#include <cstdlib>

#include "geometry/vec3.h"

namespace resilin {

struct BccLattice {
  using Site = std::array<int, 3>;  // doubled coordinates
  Vec3 origin{};
  double spacing = 1;
  std::array<int, 3> cells{};

  /// The neighbours of a site: 7 directions and, with the sign changed, the other 7. The first 3 are long.
  static constexpr int directions[7][3] = {{2, 0, 0},  {0, 2, 0},  {0, 0, 2}, {1, 1, 1},
                                           {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
  static Site neighbour(const Site& a, int direction, int sign = 1) {
    const int* step = directions[direction];
    return {a[0] + sign * step[0], a[1] + sign * step[1], a[2] + sign * step[2]};
  }
  static bool is_long(const Site& a, const Site& b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) == 2;
  }

  std::int64_t corner_count() const {
    return (cells[0] + std::int64_t{1}) * (cells[1] + std::int64_t{1}) * (cells[2] + std::int64_t{1});
  }
  std::int64_t size() const { return corner_count() + std::int64_t{cells[0]} * cells[1] * cells[2]; }

  std::int64_t index(const Site& s) const {
    const bool middle = s[0] & 1;
    const std::int64_t nx = cells[0] + (middle ? 0 : 1), ny = cells[1] + (middle ? 0 : 1);
    return (middle ? corner_count() : 0) + ((s[2] >> 1) * ny + (s[1] >> 1)) * nx + (s[0] >> 1);
  }
  Site site(std::int64_t index) const {
    const bool middle = index >= corner_count();
    if (middle) index -= corner_count();
    const std::int64_t nx = cells[0] + (middle ? 0 : 1), ny = cells[1] + (middle ? 0 : 1);
    const int odd = middle ? 1 : 0;
    return {static_cast<int>(2 * (index % nx)) + odd, static_cast<int>(2 * (index / nx % ny)) + odd,
            static_cast<int>(2 * (index / nx / ny)) + odd};
  }
  bool contains(const Site& s) const {
    for (int a = 0; a < 3; ++a)
      if (s[a] < 0 || s[a] > 2 * cells[a]) return false;
    return true;
  }
  /// Not surrounded by tets on all sides.
  bool on_boundary(const Site& s) const {
    for (int a = 0; a < 3; ++a)
      if (s[a] <= 1 || s[a] >= 2 * cells[a] - 1) return true;
    return false;
  }
  Vec3 position(const Site& s) const {
    return {origin[0] + 0.5 * spacing * s[0], origin[1] + 0.5 * spacing * s[1], origin[2] + 0.5 * spacing * s[2]};
  }

  /// Calls visit(sites) for every tet: sites 0, 1 span one long edge and 2, 3 the other; positive.
  template <class Visit>
  void for_each_tet(Visit&& visit) const {
    static constexpr int around[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int k = 0; k < cells[2]; ++k)
      for (int j = 0; j < cells[1]; ++j)
        for (int i = 0; i < cells[0]; ++i)
          for (int a = 0; a < 3; ++a) {
            const Site c0{2 * i + 1, 2 * j + 1, 2 * k + 1};
            Site c1 = c0, face = c0;
            c1[a] += 2;
            face[a] += 1;
            if (c1[a] > 2 * cells[a]) continue;
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            for (int q = 0; q < 4; ++q) {
              Site q0 = face, q1 = face;
              q0[b] += around[q][0];
              q0[c] += around[q][1];
              q1[b] += around[q + 1][0];
              q1[c] += around[q + 1][1];
              visit(std::array<Site, 4>{c0, c1, q0, q1});
            }
          }
  }
};

}  // namespace resilin
