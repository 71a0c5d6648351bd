#include "geometry/rigid_step.h"

#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {

void rigid_step(std::span<const double> mass, const std::vector<int>& component, const std::vector<double>& target,
                std::vector<double>& x) {
  double total = 0, cx[3] = {}, ct[3] = {};
  for (const int v : component) {
    total += mass[v];
    for (int k = 0; k < 3; ++k) cx[k] += mass[v] * x[3 * v + k], ct[k] += mass[v] * target[3 * v + k];
  }
  for (int k = 0; k < 3; ++k) cx[k] /= total, ct[k] /= total;
  double covariance[9] = {};
  for (const int v : component)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        covariance[3 * i + j] += mass[v] * (target[3 * v + i] - ct[i]) * (x[3 * v + j] - cx[j]);
  double u[9], s[3], w[9], rotation[9];
  svd3(covariance, u, s, w);
  multiply_nt(u, w, rotation);
  if (!(s[1] > 1e-12 * s[0]))  // a line or a point: the rotation is not determined
    for (int i = 0; i < 9; ++i) rotation[i] = i % 4 == 0 ? 1 : 0;
  for (const int v : component) {
    const double from[3] = {x[3 * v] - cx[0], x[3 * v + 1] - cx[1], x[3 * v + 2] - cx[2]};
    double to[3];
    apply(rotation, from, to);
    for (int k = 0; k < 3; ++k) x[3 * v + k] = ct[k] + to[k];
  }
}

}  // namespace resilin
