// Signs of determinants: a quick estimate with an error bound, then expansions (sums of doubles that do not
// overlap), after Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
// 1997. Compiled without contraction to fused multiply-adds, which would break two_sum.
#include "geometry/self_intersection.h"

#include <algorithm>
#include <limits>

#include "geometry/box_tree.h"
#include "geometry/vec3.h"

namespace resilin {

namespace {

// ---- exact signs ------------------------------------------------------------------------------------------

constexpr double half_ulp = std::numeric_limits<double>::epsilon() / 2;

int sign(double x) { return (x > 0) - (x < 0); }

/// A sum of doubles, smallest first, none overlapping: its sign is that of the last one that is not zero.
template <int N>
struct Expansion {
  double part[N];
  int count = 0;
};

// sum + error = a + b exactly (Knuth).
double two_sum(double a, double b, double& error) {
  const double sum = a + b, b_part = sum - a;
  error = (a - (sum - b_part)) + (b - b_part);
  return sum;
}

/// Adds one double (Shewchuk, GROW-EXPANSION); zeros are left out.
template <int N>
void grow(Expansion<N>& e, double b) {
  int kept = 0;
  for (int i = 0; i < e.count; ++i) {
    double error;
    b = two_sum(b, e.part[i], error);
    if (error != 0) e.part[kept++] = error;
  }
  if (b != 0) e.part[kept++] = b;
  e.count = kept;
}

template <int N, int M, int K>
void add_product(Expansion<N>& out, const Expansion<M>& a, const Expansion<K>& b, double factor) {
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j) {
      const double x = factor * a.part[i], product = x * b.part[j];
      grow(out, std::fma(x, b.part[j], -product));
      grow(out, product);
    }
}

Expansion<2> difference(double a, double b) {
  Expansion<2> out;
  double error;
  const double sum = two_sum(a, -b, error);
  if (error != 0) out.part[out.count++] = error;
  if (sum != 0) out.part[out.count++] = sum;
  return out;
}

/// a b - c d
Expansion<16> cross_term(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                         const Expansion<2>& d) {
  Expansion<16> out;
  add_product(out, a, b, 1);
  add_product(out, c, d, -1);
  return out;
}

template <int N>
int sign(const Expansion<N>& e) {
  return e.count == 0 ? 0 : sign(e.part[e.count - 1]);
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion<2> u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k)
    u[k] = difference(b[k], a[k]), v[k] = difference(c[k], a[k]), w[k] = difference(d[k], a[k]);
  Expansion<192> det;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    add_product(det, u[k], cross_term(v[i], w[j], v[j], w[i]), 1);
  }
  return sign(det);
}

struct Vec2 {
  double x, y;
};

/// The sign of det(b - a, c - a).
int flat_orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double left = (b.x - a.x) * (c.y - a.y), right = (b.y - a.y) * (c.x - a.x), det = left - right;
  const double bound = (3 + 16 * half_ulp) * half_ulp * (std::abs(left) + std::abs(right));  // Shewchuk, eq. 20
  if (std::abs(det) > bound || bound == 0) return sign(det);
  return sign(cross_term(difference(b.x, a.x), difference(c.y, a.y), difference(b.y, a.y), difference(c.x, a.x)));
}

// ---- in a plane -------------------------------------------------------------------------------------------

/// The coordinate planes keep incidences: the axis along which the triangle looks largest is left out.
int flat_axis(const Corners& t) {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(n[k]) > std::abs(n[axis])) axis = k;
  return axis;
}

Vec2 flattened(const Vec3& p, int axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

bool between(const Vec2& a, const Vec2& b, const Vec2& p) {  // p is on their line
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

bool segments_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const int c_side = flat_orientation(a, b, c), d_side = flat_orientation(a, b, d);
  const int a_side = flat_orientation(c, d, a), b_side = flat_orientation(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && between(a, b, c)) || (d_side == 0 && between(a, b, d)) ||
         (a_side == 0 && between(c, d, a)) || (b_side == 0 && between(c, d, b));
}

bool segment_meets_in_plane(const Vec3& from, const Vec3& to, const Corners& t) {
  const int axis = flat_axis(t);
  const Vec2 p = flattened(from, axis), q = flattened(to, axis);
  const Vec2 v[3] = {flattened(t[0], axis), flattened(t[1], axis), flattened(t[2], axis)};
  int least = 1, most = -1;
  for (int i = 0; i < 3; ++i) {
    const int side = flat_orientation(v[i], v[(i + 1) % 3], p);
    least = std::min(least, side), most = std::max(most, side);
    if (segments_meet(p, q, v[i], v[(i + 1) % 3])) return true;
  }
  return least * most > 0;  // inside
}

// ---- in space ---------------------------------------------------------------------------------------------

/// `from_side`, `to_side`: of the segment's ends against the plane of `t`.
bool segment_meets(const Vec3& from, const Vec3& to, int from_side, int to_side, const Corners& t) {
  if (from_side * to_side > 0) return false;
  if (from_side == 0 && to_side == 0) return segment_meets_in_plane(from, to, t);
  int least = 1, most = -1;
  for (int i = 0; i < 3; ++i) {
    const int side = orientation(from, to, t[i], t[(i + 1) % 3]);
    least = std::min(least, side), most = std::max(most, side);
    if (least * most < 0) return false;
  }
  return true;
}

bool segment_meets(const Vec3& from, const Vec3& to, const Corners& t) {
  return segment_meets(from, to, orientation(t[0], t[1], t[2], from), orientation(t[0], t[1], t[2], to), t);
}

std::array<int, 3> sides(const Corners& plane, const Corners& t) {
  std::array<int, 3> out;
  for (int i = 0; i < 3; ++i) out[i] = orientation(plane[0], plane[1], plane[2], t[i]);
  return out;
}

bool on_one_side(const std::array<int, 3>& s) { return s[0] != 0 && s[0] == s[1] && s[1] == s[2]; }

/// Two triangles (u, v, a) and (u, v, b): more than their edge only when folded flat onto each other.
bool folded(const Vec3& u, const Vec3& v, const Vec3& a, const Vec3& b) {
  if (orientation(u, v, a, b) != 0) return false;
  const int axis = flat_axis({u, v, a});
  const Vec2 p = flattened(u, axis), q = flattened(v, axis);
  return flat_orientation(p, q, flattened(a, axis)) * flat_orientation(p, q, flattened(b, axis)) > 0;
}

// The corner belongs to both. What they have in common besides is a segment that starts there and ends on the
// opposite edge of one of them.
bool meet_beyond_corner(const Corners& p, int i, const Corners& q, int j) {
  return segment_meets(p[(i + 1) % 3], p[(i + 2) % 3], q) || segment_meets(q[(j + 1) % 3], q[(j + 2) % 3], p);
}

struct Surface {
  std::span<const double> vertices;
  std::span<const int> triangles;
  const int* ids(int t) const { return triangles.data() + 3 * static_cast<std::size_t>(t); }
  Corners corners(int t) const {
    return {vertex_at(vertices, ids(t)[0]), vertex_at(vertices, ids(t)[1]), vertex_at(vertices, ids(t)[2])};
  }
};

bool pair_intersects(const Surface& surface, int s, int t) {
  const Corners p = surface.corners(s), q = surface.corners(t);
  int shared = 0, in_p = 0,
      in_q = 0;  // sums of the shared corners' places: with two of three, 3 - sum is the other
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (surface.ids(s)[i] == surface.ids(t)[j]) ++shared, in_p += i, in_q += j;
  if (shared == 0) return triangles_intersect(p, q);
  if (shared == 1) return meet_beyond_corner(p, in_p, q, in_q);
  if (shared > 2) return false;
  const int i = 3 - in_p, j = 3 - in_q;
  return folded(p[(i + 1) % 3], p[(i + 2) % 3], p[i], q[j]);
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  double det = 0, permanent = 0;
  for (int k = 0; k < 3; ++k) {
    const double left = v[(k + 1) % 3] * w[(k + 2) % 3], right = v[(k + 2) % 3] * w[(k + 1) % 3];
    det += u[k] * (left - right);
    permanent += std::abs(u[k]) * (std::abs(left) + std::abs(right));
  }
  const double bound = (7 + 56 * half_ulp) * half_ulp * permanent;  // Shewchuk, table 5
  if (std::abs(det) > bound || bound == 0) return sign(det);
  return exact_orientation(a, b, c, d);
}

bool triangles_intersect(const Corners& p, const Corners& q) {
  const std::array<int, 3> q_side = sides(p, q);
  if (on_one_side(q_side)) return false;
  const std::array<int, 3> p_side = sides(q, p);
  if (on_one_side(p_side)) return false;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (segment_meets(q[i], q[j], q_side[i], q_side[j], p)) return true;
    if (segment_meets(p[i], p[j], p_side[i], p_side[j], q)) return true;
  }
  return false;
}

IntersectingPairs intersecting_pairs(std::span<const double> vertices, std::span<const int> triangles,
                                     const std::vector<bool>& use) {
  // A surface that lies in itself everywhere has n^2 pairs; ordinary ones have some ten candidates per triangle.
  constexpr std::size_t max_pairs = 1'000'000, max_candidates_each = 40, free_candidates = 4'000'000;
  const Surface surface{vertices, triangles};
  std::vector<int> used;
  std::vector<Bounds> boxes;
  for (int t = 0; t < static_cast<int>(triangles.size() / 3); ++t) {
    if (!use[t]) continue;
    used.push_back(t);
    boxes.push_back(box_of(surface.corners(t)));
  }
  const BoxTree tree(boxes);
  IntersectingPairs out;
  std::size_t candidates_left = free_candidates + max_candidates_each * used.size();
  for (int i = 0; i < static_cast<int>(used.size()) && out.complete; ++i)
    tree.touching(boxes[i], [&](int j) {
      if (j <= i || !touch(boxes[i], boxes[j])) return true;
      if (pair_intersects(surface, used[i], used[j])) out.pairs.push_back({used[i], used[j]});
      return out.complete = --candidates_left > 0 && out.pairs.size() < max_pairs;
    });
  std::sort(out.pairs.begin(), out.pairs.end());
  return out;
}

}  // namespace resilin
