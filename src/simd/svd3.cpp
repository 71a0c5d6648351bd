#include "simd/svd3.h"

#include <initializer_list>

#include "simd/jacobi3.h"
#include "simd/parts.h"

namespace resilin {
namespace {

constexpr int first_sweeps = 3;
constexpr int most_refinements = 8;
constexpr double tolerance = 1e-15;  // on the entries of U^T F V off the diagonal, relative to s0

template <class T>
RESILIN_INLINE void gram(const T b[9], T g[6]) {
  for (int k = 0; k < 3; ++k) {
    const int p = (k + 1) % 3, q = (k + 2) % 3;
    g[k] = dot3(b[k], b[3 + k], b[6 + k], b[k], b[3 + k], b[6 + k]);
    g[3 + k] = dot3(b[p], b[3 + p], b[6 + p], b[q], b[3 + q], b[6 + q]);
  }
}

// b_p . b_q / max(|b_p|, |b_q|) is the entry that U^T F V would have off its diagonal.
template <class T>
RESILIN_INLINE MaskOf<T> unfinished(const T g[6]) {
  const T scale = (tolerance * tolerance) * max(max(g[0], g[1]), g[2]);
  const auto bad = [&](int k) {
    return g[3 + k] * g[3 + k] > scale * max(g[(k + 1) % 3], g[(k + 2) % 3]);  // false for NaN
  };
  return bad(0) | bad(1) | bad(2);
}

// b <- b J, v <- v J with J from `sweeps` sweeps on the Gram matrix of b.
template <int sweeps, class T>
RESILIN_INLINE void refine(const T g_in[6], T b[9], T v[9], bool first) {
  T g[6], r[4], j[9], product[9];
  for (int i = 0; i < 6; ++i) g[i] = g_in[i];
  for (int i = 0; i < 4; ++i) r[i] = constant<T>(i == 0 ? 1.0 : 0.0);
  for (int i = 0; i < sweeps; ++i) jacobi3::sweep(g, r);
  jacobi3::rotation_of(r, j);
  multiply(b, j, product);
  for (int i = 0; i < 9; ++i) b[i] = product[i];
  if (first) {
    for (int i = 0; i < 9; ++i) v[i] = j[i];
  } else {
    multiply(v, j, product);
    for (int i = 0; i < 9; ++i) v[i] = product[i];
  }
}

// Exchanges columns p and q where |b_q| > |b_p|; one changes its sign so that det V stays +1.
template <class T>
RESILIN_INLINE void order(int p, int q, T n[3], T b[9], T v[9]) {
  const auto exchange = n[q] > n[p];
  const T np = n[p];
  n[p] = select(exchange, n[q], np);
  n[q] = select(exchange, np, n[q]);
  for (int i = 0; i < 3; ++i) {
    for (T* m : {b, v}) {
      const T mp = m[3 * i + p];
      m[3 * i + p] = select(exchange, m[3 * i + q], mp);
      m[3 * i + q] = select(exchange, -mp, m[3 * i + q]);
    }
  }
}

// b = U diag(s) for b with orthogonal columns of descending length: Gram-Schmidt, u2 = u0 x u1.
template <class T>
RESILIN_INLINE void left_vectors(const T b[9], const T n[3], T u[9], T s[3]) {
  const auto zero = n[0] <= constant<T>(0.0);
  s[0] = sqrt(n[0]);
  const T inverse = 1.0 / select(zero, constant<T>(1.0), s[0]);
  T u0[3] = {select(zero, constant<T>(1.0), b[0] * inverse), b[3] * inverse, b[6] * inverse};

  T b1[3] = {b[1], b[4], b[7]}, u1[3], u2[3];
  const auto remove_u0 = [&] {
    const T along = -dot3(u0[0], u0[1], u0[2], b1[0], b1[1], b1[2]);
    for (int i = 0; i < 3; ++i) b1[i] = fma(along, u0[i], b1[i]);
    return dot3(b1[0], b1[1], b1[2], b1[0], b1[1], b1[2]);
  };
  T n1 = remove_u0();
  s[1] = sqrt(n1);
  // A b1 that is mostly along u0 is below the tolerance: rounding or zero. Any direction across u0 will do.
  const auto noise = n1 <= 0.25 * n[1];
  if (any(noise)) {
    const auto across_x = abs(u0[0]) < constant<T>(0.6);
    b1[0] = select(noise, select(across_x, constant<T>(1.0), constant<T>(0.0)), b1[0]);
    b1[1] = select(noise, select(across_x, constant<T>(0.0), constant<T>(1.0)), b1[1]);
    b1[2] = select(noise, constant<T>(0.0), b1[2]);
    const T kept[3] = {b1[0], b1[1], b1[2]};
    const T fresh = remove_u0();
    // (lanes with a sound b1 keep the vector of the first pass)
    for (int i = 0; i < 3; ++i) b1[i] = select(noise, b1[i], kept[i]);
    n1 = select(noise, fresh, n1);
    s[1] = select(noise, constant<T>(0.0), s[1]);
  }
  const T inverse1 = 1.0 / sqrt(n1);
  for (int i = 0; i < 3; ++i) u1[i] = b1[i] * inverse1;
  cross(u0, u1, u2);
  for (int i = 0; i < 3; ++i) u[3 * i] = u0[i], u[3 * i + 1] = u1[i], u[3 * i + 2] = u2[i];
  const T s2 = dot3(u2[0], u2[1], u2[2], b[2], b[5], b[8]);
  s[1] = min(s[1], s[0]);  // the order may be off by one rounding
  s[2] = copysign(min(abs(s2), s[1]), s2);
}

template <class T>
RESILIN_INLINE void decompose(const T f[9], T u[9], T s[3], T v[9]) {
  // By a power of two near the largest entry, so scaling is exact. Clamped: its inverse must be a normal number.
  constexpr std::int64_t exponent = 0x7FF0000000000000;
  const T largest = min(max(max_abs(f), constant<T>(0x1p-1000)), constant<T>(0x1p1000));
  const T scale = from_bits<T>(as_bits(largest) & exponent);
  const T unscale = 1.0 / scale;
  T b[9], g[6];
  for (int i = 0; i < 9; ++i) b[i] = f[i] * unscale;
  gram(b, g);
  refine<first_sweeps>(g, b, v, true);
  gram(b, g);
  refine<1>(g, b, v, false);
  gram(b, g);

  auto active = unfinished(g);
  for (int i = 0; i < most_refinements && any(active); ++i) {
    T b_next[9], v_next[9];
    for (int j = 0; j < 9; ++j) b_next[j] = b[j], v_next[j] = v[j];
    refine<1>(g, b_next, v_next, false);
    for (int j = 0; j < 9; ++j) {  // lanes that had finished keep their bits
      b[j] = select(active, b_next[j], b[j]);
      v[j] = select(active, v_next[j], v[j]);
    }
    gram(b, g);
    active = active & unfinished(g);
  }
  order(0, 1, g, b, v);
  order(0, 2, g, b, v);
  order(1, 2, g, b, v);
  left_vectors(b, g, u, s);
  for (int i = 0; i < 3; ++i) s[i] = s[i] * scale;
}

}  // namespace

void svd3(const Pack f[9], Pack u[9], Pack s[3], Pack v[9]) {
  for (int part = 0; part < native_parts; ++part) {
    Native pf[9], pu[9], ps[3], pv[9];
    read_part<9>(f, part, pf);
    decompose(pf, pu, ps, pv);
    write_part<9>(pu, part, u);
    write_part<3>(ps, part, s);
    write_part<9>(pv, part, v);
  }
}

void svd3(const double f[9], double u[9], double s[3], double v[9]) {
  Native pf[9], pu[9], ps[3], pv[9];
  for (int i = 0; i < 9; ++i) pf[i] = constant<Native>(f[i]);
  decompose(pf, pu, ps, pv);
  for (int i = 0; i < 9; ++i) u[i] = pu[i][0], v[i] = pv[i][0];
  for (int i = 0; i < 3; ++i) s[i] = ps[i][0];
}

}  // namespace resilin
