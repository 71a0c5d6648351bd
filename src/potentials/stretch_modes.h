// The second derivative of an isotropic psi(s) at z = u diag(s) v^T in its own axes: the 3x3 block h of the stretch
// modes u_i v_i^T and the eigenvalues of the three flips (u_i v_j^T + u_j v_i^T)/sqrt 2 and the three twists (u_i
// v_j^T - u_j v_i^T)/sqrt 2. Entry k of a triple belongs to the pair of axes without k. MembraneModes is the same
// for triangles, whose z is 2x3: one flip, one twist, and two modes u_i n^T out of the plane, n its normal.
#pragma once
#include "simd/eigen3.h"
#include "simd/pack.h"

namespace resilin {

struct StretchModes {
  static constexpr int pair[3][2] = {{1, 2}, {0, 2}, {0, 1}};
  static constexpr int full[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};  // where h_ij stands

  /// From dpsi/ds and d2psi/ds2 (00 11 22 12 02 01); positive semidefinite when `filter`.
  StretchModes(const Pack s[3], const Pack d[3], const Pack second[6], bool filter) {
    for (int i = 0; i < 6; ++i) h[i] = second[i];
    for (int k = 0; k < 3; ++k) {
      const int i = pair[k][0], j = pair[k][1];
      flip[k] = flip_eigenvalue(d[i], d[j], s[i], s[j], h[i], h[j], h[3 + k]);
      twist[k] = twist_eigenvalue(d[i], d[j], s[i], s[j], h[i], h[j], h[3 + k]);
    }
    if (!filter) return;
    project_psd3(h);
    for (int k = 0; k < 3; ++k) flip[k] = max(flip[k], 0.0), twist[k] = max(twist[k], 0.0);
  }

  Pack h[6], flip[3], twist[3];

  // (d_i - d_j) / (s_i - s_j); equal stretches have the limit (h_ii + h_jj)/2 - h_ij, whose error is of second
  // order in the gap.
  static Pack flip_eigenvalue(Pack di, Pack dj, Pack si, Pack sj, Pack hii, Pack hjj, Pack hij) {
    const Pack gap = si - sj;
    const Mask near = abs(gap) < 1e-5 * max(abs(si), 1.0);
    return select(near, 0.5 * (hii + hjj) - hij, (di - dj) / select(near, 1.0, gap));
  }

  // (d_i + d_j) / (s_i + s_j). At s_i = -s_j energies that are smooth in z have the limit (h_ii + h_jj)/2 + h_ij;
  // the others (corotated, ARAP) are truly singular there and get a bounded denominator.
  static Pack twist_eigenvalue(Pack di, Pack dj, Pack si, Pack sj, Pack hii, Pack hjj, Pack hij) {
    const Pack sum = si + sj, top = di + dj;
    const Mask near = abs(sum) < 1e-5 * max(abs(si), 1.0);
    const Mask smooth = near & (abs(top) <= 1e-4 * (abs(di) + abs(dj) + abs(hii) + abs(hjj)));
    const Pack bounded = select(near, copysign(max(abs(sum), 1e-6), sum), sum);
    return select(smooth, 0.5 * (hii + hjj) + hij, top / bounded);
  }
};

/// The nearest positive semidefinite matrix to m = 00 11 01. A lane without a negative eigenvalue keeps its bits.
inline void project_psd2(Pack m[3]) {
  const Pack mean = 0.5 * (m[0] + m[1]), half = 0.5 * (m[0] - m[1]), radius = sqrt(half * half + m[2] * m[2]);
  const Pack high = max(mean + radius, 0.0);
  const Mask negative = mean - radius<0.0, apart = radius> 0.0;
  // high (m - low 1)/(high - low) where low < 0 < high.
  const Pack part = select(apart, high / select(apart, 2.0 * radius, 1.0), 0.0), low = mean - radius;
  m[0] = select(negative, part * (m[0] - low), m[0]);
  m[1] = select(negative, part * (m[1] - low), m[1]);
  m[2] = select(negative, part * m[2], m[2]);
}

struct MembraneModes {
  /// From dpsi/ds and d2psi/ds2 (00 11 01).
  MembraneModes(const Pack s[2], const Pack d[2], const Pack second[3], bool filter)
      : h{second[0], second[1], second[2]},
        flip(StretchModes::flip_eigenvalue(d[0], d[1], s[0], s[1], h[0], h[1], h[2])),
        twist(StretchModes::twist_eigenvalue(d[0], d[1], s[0], s[1], h[0], h[1], h[2])) {
    for (int i = 0; i < 2; ++i) out[i] = tension(d[i], s[i], h[i]);
    if (!filter) return;
    project_psd2(h);
    flip = max(flip, 0.0), twist = max(twist, 0.0);
    for (Pack& value : out) value = max(value, 0.0);
  }

  Pack h[3], flip, twist, out[2];

 private:
  // d/s: a stretched membrane resists to be turned out of its plane. At s = 0 as in twist_eigenvalue.
  static Pack tension(Pack d, Pack s, Pack h) {
    const Mask near = s < 1e-5, smooth = near & (abs(d) <= 1e-4 * (abs(d) + abs(h)));
    return select(smooth, h, d / max(s, 1e-6));
  }
};

}  // namespace resilin
