#include "simd/eigen9.h"

namespace resilin {
namespace {

constexpr int n = 9, most_sweeps = 12;
constexpr double tolerance = 1e-14;  // on the entries off the diagonal, relative to the largest entry

struct Eigen9 {
  Pack a[n][n], q[n][n] = {};

  explicit Eigen9(const Pack h[45]) {
    for (int i = 0, at = 0; i < n; ++i) {
      q[i][i] = constant<Pack>(1);
      for (int j = 0; j <= i; ++j, ++at) a[i][j] = a[j][i] = h[at];
    }
    Pack largest = {};
    for (const auto& row : a)
      for (const Pack& entry : row) largest = max(abs(entry), largest);
    for (int i = 0; i < most_sweeps && any(off_diagonal() > tolerance * largest); ++i) sweep();
  }

  Pack off_diagonal() const {
    Pack out = {};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) out = max(abs(a[i][j]), out);
    return out;
  }

 private:
  void sweep() {
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) rotate(i, j);
  }
  // Makes a[i][j] zero.
  void rotate(int i, int j) {
    const Pack one = constant<Pack>(1), zero = {};
    const Mask some = abs(a[i][j]) > 0.0;
    const Pack theta = 0.5 * (a[j][j] - a[i][i]) / select(some, a[i][j], one);
    const Pack t = select(some, copysign(one, theta) / (abs(theta) + sqrt(theta * theta + 1.0)), zero);
    const Pack c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; ++k) {
      const Pack ki = a[k][i], kj = a[k][j];
      a[k][i] = c * ki - s * kj, a[k][j] = s * ki + c * kj;
    }
    for (int k = 0; k < n; ++k) {
      const Pack ik = a[i][k], jk = a[j][k], qi = q[k][i], qj = q[k][j];
      a[i][k] = c * ik - s * jk, a[j][k] = s * ik + c * jk;
      q[k][i] = c * qi - s * qj, q[k][j] = s * qi + c * qj;
    }
  }
};

}  // namespace

void project_psd9(Pack h[45]) {
  const Eigen9 e(h);
  Pack least = e.a[0][0], clamped[n];
  for (int i = 0; i < n; ++i) least = min(e.a[i][i], least), clamped[i] = max(e.a[i][i], Pack{});
  const Mask negative = least < 0.0;
  if (!any(negative)) return;
  for (int i = 0, at = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j, ++at) {
      Pack sum = {};
      for (int k = 0; k < n; ++k) sum += clamped[k] * e.q[i][k] * e.q[j][k];
      h[at] = select(negative, sum, h[at]);
    }
}

}  // namespace resilin
