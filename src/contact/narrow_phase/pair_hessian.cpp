#include "contact/narrow_phase/pair_hessian.h"

#include "contact/narrow_phase/pair_distances.h"
#include "simd/eigen9.h"

namespace resilin {
namespace {

using pair::Distance;
using pair::Offset;

constexpr double nearly_parallel = 1e-12;  // squared sine of the angle between two ways to slide

// The ways in which closest points slide, s_a by rows of z; zero: none.
struct Slides {
  Pack row[2][3] = {};
};

Pack one_where(Mask mask) { return select(mask, constant<Pack>(1), Pack{}); }

// The corners with a weight span the part of the triangle that the closest point lies on.
Slides on_triangle(const Pack weight[3]) {
  Pack corner[3];
  for (int i = 0; i < 3; ++i) corner[i] = one_where(abs(weight[i]) > 0.0);
  const auto [a, b, c] = corner;
  const Pack from_a_to_b = a * b, from_a_to_c = a * c * (1.0 - b), from_b_to_c = b * c * (1.0 - a),
             inside = a * b * c;
  Slides out;
  out.row[0][0] = -from_a_to_b - from_a_to_c;
  out.row[0][1] = from_a_to_b - from_b_to_c;
  out.row[0][2] = from_a_to_c + from_b_to_c;
  out.row[1][0] = -inside, out.row[1][2] = inside;
  return out;
}

// D = s z_0 - (1 - t) z_1 - t z_2 with s along the first edge, t along the second.
Slides on_edges(const Pack weight[3]) {
  const Pack along_a = one_where((weight[0] > 0.0) & (weight[0] < 1.0)),
             along_b = one_where((abs(weight[1]) > 0.0) & (abs(weight[2]) > 0.0));
  Slides out;
  out.row[0][0] = along_a;
  out.row[1][1] = along_b, out.row[1][2] = -along_b;
  return out;
}

class Hessian {
 public:
  Hessian(const Pack z[9], Pack k, Pack r) : z_(z), k_(k), r_(r) {}

  /// factor d2/dz2 g(d).
  void add(const Distance& at, const Slides& slides, Pack factor) {
    const Pack zero{}, one = constant<Pack>(1), d = sqrt(at.squared);
    const Mask apart = d > 0.0;
    const Pack inverse = select(apart, 1.0 / select(apart, d, one), zero);
    const Pack across = factor * pair::offset(d, k_, r_).slope * inverse, along = factor * curvature(d);
    Pack u[9], way[2][3] = {}, c[2][9];
    for (int i = 0; i < 9; ++i) u[i] = at.weight[i / 3] * at.difference[i % 3] * inverse;
    for (int a = 0; a < 2; ++a) {
      for (int i = 0; i < 9; ++i) way[a][i % 3] += slides.row[a][i / 3] * z_[i];
      for (int i = 0; i < 9; ++i)
        c[a][i] = at.weight[i / 3] * way[a][i % 3] + slides.row[a][i / 3] * at.difference[i % 3];
    }
    Pack g[3];
    invert(way, g);
    for (int i = 0, at_entry = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j, ++at_entry) {
        Pack second = -u[i] * u[j] - g[0] * c[0][i] * c[0][j] - g[2] * c[1][i] * c[1][j] -
                      g[1] * (c[0][i] * c[1][j] + c[1][i] * c[0][j]);
        if (i % 3 == j % 3) second += at.weight[i / 3] * at.weight[j / 3];
        entry[at_entry] += along * u[i] * u[j] + across * second;
      }
  }

  /// factor (p q^T + q p^T).
  void add(const Pack p[9], const Pack q[9], Pack factor) {
    for (int i = 0, at = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j, ++at) entry[at] += factor * (p[i] * q[j] + q[i] * p[j]);
  }

  /// d/dz g(d).
  void gradient(const Distance& at, Pack g[9]) const {
    const Pack d = sqrt(at.squared);
    const Mask apart = d > 0.0;
    const Pack scale = select(apart, pair::offset(d, k_, r_).slope / select(apart, d, constant<Pack>(1)), Pack{});
    for (int i = 0; i < 9; ++i) g[i] = scale * at.weight[i / 3] * at.difference[i % 3];
  }

  Pack entry[45] = {};

 private:
  Pack curvature(Pack d) const {
    const Pack half = 0.5 * r_, zero{};
    const Pack deep = select(d < pair::least * r_, zero, k_ * half * half / (d * d));
    return select(d < half, deep, select(d < r_, k_, zero));
  }
  // G^-1 as 00, 01, 11. Of two ways that are nearly parallel the second is left out, and a way of no length too.
  static void invert(const Pack way[2][3], Pack g[3]) {
    const auto dot = [&](int a, int b) {
      return dot3(way[a][0], way[a][1], way[a][2], way[b][0], way[b][1], way[b][2]);
    };
    const Pack aa = dot(0, 0), ab = dot(0, 1), bb = dot(1, 1), zero{};
    const Pack determinant = aa * bb - ab * ab;
    const Mask two = determinant > nearly_parallel * aa * bb, first = aa > 0.0;
    const Pack scale = detail::inverse_or_zero(select(two, determinant, zero));
    g[0] = select(two, bb * scale, select(first, detail::inverse_or_zero(aa), zero));
    g[1] = -ab * scale;
    g[2] = select(two, aa * scale, select(first, zero, detail::inverse_or_zero(bb)));
  }

  const Pack* z_;
  Pack k_, r_;
};

void add_vertex_triangle(Hessian& out, const Pack z[9], const double* c, Pack chosen) {
  const auto add = [&](const Distance& at, Pack factor) { out.add(at, on_triangle(at.weight), factor); };
  add(pair::to_face(z), chosen);
  for (int e = 0; e < 3; ++e) add(pair::to_edge(z, e), -chosen * load(c + (3 + e) * lanes));
  for (int p = 0; p < 3; ++p) add(pair::to_corner(z, p), chosen * load(c + (6 + p) * lanes));
}

// d2h = sum_a dh/dg_a d2g_a + sum over pairs of ends (o_ij/g) (p_i p_j^T + p_j p_i^T), p_i = dg_i - (g_i/g) dg,
// o_ij: the product of 1 - g_k/g of the other two ends.
void add_edge_edge(Hessian& out, const Pack z[9], Pack k, Pack r, Pack chosen) {
  const Pack origin[3] = {};
  const auto closest = closest_edge_edge<Pack>(origin, z, z + 3, z + 6);
  Distance whole;
  for (int i = 0; i < 3; ++i) whole.difference[i] = closest.difference[i], whole.weight[i] = closest.weight[i + 1];
  whole.squared = closest.squared;
  const pair::EndDistances<Pack> ends(z);
  const pair::EdgeProduct h(pair::offset(sqrt(whole.squared), k, r), ends, k, r);
  out.add(whole, on_edges(whole.weight), chosen * (h.product + h.lost));
  Pack of_whole[9], p[4][9];
  out.gradient(whole, of_whole);
  for (int i = 0; i < 4; ++i) {
    Distance end;
    for (int j = 0; j < 3; ++j) end.difference[j] = ends.difference[i][j], end.weight[j] = ends.weight[i][j];
    end.squared = ends.squared[i];
    out.add(end, on_edges(end.weight), -chosen * h.others[i]);
    out.gradient(end, p[i]);
    for (int j = 0; j < 9; ++j) p[i][j] -= (1.0 - h.left[i]) * of_whole[j];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      Pack others = chosen * h.inverse;
      for (int l = 0; l < 4; ++l)
        if (l != i && l != j) others *= h.left[l];
      out.add(p[i], p[j], others);
    }
}

}  // namespace

void add_pair_hessian(const Pack z[9], const double* numbers, bool filter, double* out) {
  const Pack is_edges = load(numbers), k = load(numbers + lanes), r = load(numbers + 2 * lanes);
  Hessian hessian(z, k, r);
  if (any(is_edges < 0.5)) add_vertex_triangle(hessian, z, numbers, 1.0 - is_edges);
  if (any(is_edges > 0.5)) add_edge_edge(hessian, z, k, r, is_edges);
  if (filter) project_psd9(hessian.entry);
  for (int i = 0; i < 45; ++i) store(out + i * lanes, load(out + i * lanes) + hessian.entry[i]);
}

}  // namespace resilin
