// The second derivative of an isotropic psi(s) at z = u diag(s) v^T in its own axes: the 3x3 block h of the stretch modes u_i v_i^T and
// the eigenvalues of the three flips (u_i v_j^T + u_j v_i^T)/sqrt 2 and the three twists (u_i v_j^T - u_j v_i^T)/sqrt 2. Entry k of a
// triple belongs to the pair of axes without k.
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

 private:
  // (d_i - d_j) / (s_i - s_j); equal stretches have the limit (h_ii + h_jj)/2 - h_ij, whose error is of second order in the gap.
  static Pack flip_eigenvalue(Pack di, Pack dj, Pack si, Pack sj, Pack hii, Pack hjj, Pack hij) {
    const Pack gap = si - sj;
    const Mask near = abs(gap) < 1e-5 * max(abs(si), 1.0);
    return select(near, 0.5 * (hii + hjj) - hij, (di - dj) / select(near, 1.0, gap));
  }

  // (d_i + d_j) / (s_i + s_j). At s_i = -s_j energies that are smooth in z have the limit (h_ii + h_jj)/2 + h_ij; the others
  // (corotated, ARAP) are truly singular there and get a bounded denominator.
  static Pack twist_eigenvalue(Pack di, Pack dj, Pack si, Pack sj, Pack hii, Pack hjj, Pack hij) {
    const Pack sum = si + sj, top = di + dj;
    const Mask near = abs(sum) < 1e-5 * max(abs(si), 1.0);
    const Mask smooth = near & (abs(top) <= 1e-4 * (abs(di) + abs(dj) + abs(hii) + abs(hjj)));
    const Pack bounded = select(near, copysign(max(abs(sum), 1e-6), sum), sum);
    return select(smooth, 0.5 * (hii + hjj) + hij, top / bounded);
  }
};

}  // namespace resilin
