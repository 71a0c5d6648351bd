#include "simd/polar3.h"

#include "simd/jacobi3.h"
#include "simd/parts.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

constexpr int most_iterations = 5;
constexpr double last_step = 1e-8;        // Newton: the error after a step is its square
constexpr double least_condition = 1e-3;  // det H / (tr H / 3)^3 below which the SVD decides

// One Newton step. With M = R^T F and R <- R exp[w], tr(R^T F) has gradient g_i = skew part of M and Hessian
// -H, H = tr(M) 1 - sym(M), whose eigenvalues at a critical point are the s_i + s_j: positive only at the
// nearest rotation. Gives w = H^-1 g and whether H is safely positive definite.
template <class T>
RESILIN_INLINE MaskOf<T> newton_step(const T m[9], T w[3]) {
  const T g[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  const T h00 = m[4] + m[8], h11 = m[0] + m[8], h22 = m[0] + m[4];
  const T h01 = -0.5 * (m[1] + m[3]), h02 = -0.5 * (m[2] + m[6]), h12 = -0.5 * (m[5] + m[7]);
  const T c00 = fma(h11, h22, -(h12 * h12)), c11 = fma(h00, h22, -(h02 * h02)), c22 = fma(h00, h11, -(h01 * h01));
  const T c01 = fma(h02, h12, -(h01 * h22)), c02 = fma(h01, h12, -(h02 * h11)), c12 = fma(h01, h02, -(h00 * h12));
  const T det = dot3(h00, h01, h02, c00, c01, c02);
  const T inverse = 1.0 / det;
  w[0] = dot3(c00, c01, c02, g[0], g[1], g[2]) * inverse;
  w[1] = dot3(c01, c11, c12, g[0], g[1], g[2]) * inverse;
  w[2] = dot3(c02, c12, c22, g[0], g[1], g[2]) * inverse;
  const T mean = (h00 + h11 + h22) * (1.0 / 3.0);
  const T zero = constant<T>(0.0);
  return (h00 > zero) & (c22 > zero) & (det > least_condition * mean * mean * mean);
}

// q <- q * (1, w / 2): a rotation by |w| to third order. The length grows; rotation_of does not mind.
template <class T>
RESILIN_INLINE void turn(T q[4], const T w[3]) {
  const T x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2];
  const T q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
  const T t0 = fma(-z, q3, fma(-y, q2, fma(-x, q1, q0)));
  const T t1 = fma(-y, q3, fma(z, q2, fma(x, q0, q1)));
  const T t2 = fma(x, q3, fma(y, q0, fma(-z, q1, q2)));
  const T t3 = fma(z, q0, fma(y, q1, fma(-x, q2, q3)));
  q[0] = t0, q[1] = t1, q[2] = t2, q[3] = t3;
}

// Newton from q; true in the lanes that arrived. Lanes that have arrived, or left the region of convergence,
// stop moving.
template <class T>
RESILIN_INLINE MaskOf<T> iterate(const T f[9], T q[4], T r[9]) {
  MaskOf<T> arrived{}, failed{};
  jacobi3::rotation_of(q, r);
  for (int i = 0; i < most_iterations; ++i) {
    T m[9], w[3], next[4] = {q[0], q[1], q[2], q[3]};
    multiply_tn(r, f, m);
    const auto sound = newton_step(m, w);
    turn(next, w);
    const auto moving = !(arrived | failed);
    for (int j = 0; j < 4; ++j) q[j] = select(moving, next[j], q[j]);
    jacobi3::rotation_of(q, r);
    const T length = dot3(w[0], w[1], w[2], w[0], w[1], w[2]);
    arrived = arrived | (moving & sound & (length <= constant<T>(last_step * last_step)));
    failed = failed | (moving & !(length < constant<T>(4.0)));
    if (all(arrived | failed)) break;
  }
  const T length = 1.0 / sqrt(fma(q[3], q[3], fma(q[2], q[2], fma(q[1], q[1], q[0] * q[0]))));
  for (int j = 0; j < 4; ++j) q[j] = q[j] * length;
  return arrived;
}

// Unit quaternion of a rotation, from the largest of its four components (Shepperd 1978).
template <class T>
RESILIN_INLINE void quaternion_of(const T r[9], T q[4]) {
  const T one = constant<T>(1.0);
  const T squares[4] = {one + r[0] + r[4] + r[8], one + r[0] - r[4] - r[8], one - r[0] + r[4] - r[8],
                        one - r[0] - r[4] + r[8]};
  const T a = r[7] - r[5], b = r[2] - r[6], c = r[3] - r[1];
  const T d = r[1] + r[3], e = r[2] + r[6], h = r[5] + r[7];
  const T rows[4][4] = {{squares[0], a, b, c}, {a, squares[1], d, e}, {b, d, squares[2], h}, {c, e, h, squares[3]}};
  T best = squares[0];
  for (int j = 0; j < 4; ++j) q[j] = rows[0][j];
  for (int i = 1; i < 4; ++i) {
    const auto better = squares[i] > best;
    best = select(better, squares[i], best);
    for (int j = 0; j < 4; ++j) q[j] = select(better, rows[i][j], q[j]);
  }
  const T length = 0.5 / sqrt(best);
  for (int j = 0; j < 4; ++j) q[j] = q[j] * length;
}

}  // namespace

void polar3(const Pack f[9], Pack r[9]) {
  Pack u[9], s[3], v[9];
  svd3(f, u, s, v);
  multiply_nt(u, v, r);
}

void polar3(const double f[9], double r[9]) {
  double u[9], s[3], v[9];
  svd3(f, u, s, v);
  multiply_nt(u, v, r);
}

unsigned polar3_warm(const Pack f[9], Pack guess[4], Pack r[9]) {
  unsigned arrived = 0;
  for (int part = 0; part < native_parts; ++part) {
    Native pf[9], pq[4], pr[9];
    read_part<9>(f, part, pf);
    read_part<4>(guess, part, pq);
    arrived |= lane_bits(iterate(pf, pq, pr)) << (part * native_lanes);
    write_part<4>(pq, part, guess);
    write_part<9>(pr, part, r);
  }
  const unsigned missing = ~arrived & ((1u << lanes) - 1);
  if (missing == 0) return 0;
  Pack exact[9], quaternion[4];
  polar3(f, exact);
  quaternion_of(exact, quaternion);
  for (int l = 0; l < lanes; ++l) {
    if ((missing >> l & 1) == 0) continue;
    for (int j = 0; j < 9; ++j) r[j][l] = lane(exact[j], l);
    for (int j = 0; j < 4; ++j) guess[j][l] = lane(quaternion[j], l);
  }
  return missing;
}

}  // namespace resilin
