#include "objective/vectors.h"

namespace resilin {

double chunk_dot(const double* a, const double* b, std::ptrdiff_t n) {
  double sum[8] = {};
  std::ptrdiff_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) sum[l] += a[i + l] * b[i + l];
  for (int l = 0; i < n; ++i, ++l) sum[l] += a[i] * b[i];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

}  // namespace resilin
