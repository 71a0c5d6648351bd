#include "setup/svd_torture.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>

#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

// std distributions differ between libraries; these do not.
class Source {
 public:
  explicit Source(std::uint64_t seed) : bits_(seed) {}
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double symmetric() { return 2 * uniform() - 1; }
  int below(int n) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(n)); }

 private:
  std::mt19937_64 bits_;
};

void random_rotation(Source& source, double r[9]) {
  double q[4], n = 0;
  do {
    n = 0;
    for (double& x : q) n += square(x = source.symmetric());
  } while (n < 1e-2);
  const double k = 2 / n, w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = {1 - k * (y * y + z * z), k * (x * y - w * z),     k * (x * z + w * y),
                       k * (x * y + w * z),     1 - k * (x * x + z * z), k * (y * z - w * x),
                       k * (x * z - w * y),     k * (y * z + w * x),     1 - k * (x * x + y * y)};
  std::copy(m, m + 9, r);
}

void from_stretches(Source& source, const double s[3], double f[9]) {
  double u[9], v[9];
  random_rotation(source, u);
  random_rotation(source, v);
  multiply_diagonal_nt(u, s, v, f);
}

double power_of_ten(Source& source, double low, double high) {
  return std::pow(10.0, low + (high - low) * source.uniform());
}

void hard_stretches(Source& source, int kind, double s[3]) {
  const double near = power_of_ten(source, -17, -4);
  for (int i = 0; i < 3; ++i) s[i] = 0.1 + source.uniform();
  switch (kind) {
    case 0: s[1] = s[2] = s[0]; break;
    case 1: s[1] = s[0] * (1 + near), s[2] = s[0] * (1 - near * source.uniform()); break;
    case 2: s[1] = s[0] * (1 + near); break;
    case 3: s[2] = -s[1] * (1 + near); break;
    case 4: s[1] = power_of_ten(source, -20, 0), s[2] = power_of_ten(source, -20, 0); break;
    case 5: s[2] = 0; break;
    case 6: s[1] = s[2] = 0; break;
    default: s[1] = power_of_ten(source, -200, 0), s[2] = -power_of_ten(source, -200, 0); break;
  }
  if (source.below(4) == 0) s[2] = -s[2];
}

void hard_matrix(Source& source, double f[9]) {
  const int kind = source.below(16);
  for (int i = 0; i < 9; ++i) f[i] = source.symmetric();
  if (kind < 8) {
    double s[3];
    hard_stretches(source, kind, s);
    from_stretches(source, s, f);
  } else if (kind == 8) {
    for (int i = 0; i < 9; ++i) f[i] = (i % 4 == 0) + power_of_ten(source, -18, -1) * f[i];
  } else if (kind == 9) {
    for (int i = 0; i < 9; ++i) f[i] = source.below(5) - 2;
  } else if (kind == 10) {
    f[3] = f[6] = f[7] = 0;
    if (source.below(2)) std::swap(f[1], f[3]), std::swap(f[2], f[6]), std::swap(f[5], f[7]);
  } else if (kind == 11) {
    for (int i = 0; i < 9; ++i) f[i] = i % 4 == 0 ? source.below(4) * f[i] : 0;
  } else if (kind == 12) {  // u v^T in exact arithmetic on few bits
    const double a[3] = {1.0 * source.below(4), 1.0, 1.0 - source.below(3)},
                 b[3] = {1.0, 1.0 * source.below(3), -1.0};
    for (int i = 0; i < 9; ++i) f[i] = a[i / 3] * b[i % 3];
  } else if (kind == 13) {
    for (int i = 0; i < 9; ++i) f[i] *= power_of_ten(source, -30, 0);
  }
  if (source.below(3) == 0) {
    const double scales[6] = {1e150, 1e-150, 1e-300, 1e60, 1e-9, 0};
    const double scale = scales[source.below(40) == 0 ? 5 : source.below(5)];
    for (int i = 0; i < 9; ++i) f[i] *= scale;
  }
}

// Scaled by a power of two, so that measuring does not overflow.
void judge(const double f_in[9], const double u[9], const double s_in[3], const double v[9], SvdWorst& worst) {
  const double largest = max_abs(f_in);
  const int exponent = largest > 0 ? -std::ilogb(largest) : 0;
  double f[9], s[3], rebuilt[9], product[9];
  for (int i = 0; i < 9; ++i) f[i] = std::ldexp(f_in[i], exponent);
  for (int i = 0; i < 3; ++i) s[i] = std::ldexp(s_in[i], exponent);
  multiply_diagonal_nt(u, s, v, rebuilt);
  double error = 0;
  for (int i = 0; i < 9; ++i) error += square(rebuilt[i] - f[i]);
  // Below the smallest normal number s itself has few bits, whoever computes it.
  const double norm = std::max(frobenius_norm(f), std::ldexp(std::numeric_limits<double>::min(), exponent));
  error = std::sqrt(error) / norm;
  double skewness = 0;
  for (const double* m : {u, v}) {
    multiply_tn(m, m, product);
    for (int i = 0; i < 9; ++i) skewness = std::max(skewness, std::abs(product[i] - (i % 4 == 0)));
  }
  const double det = std::max(std::abs(determinant(u) - 1), std::abs(determinant(v) - 1));
  ++worst.count;
  if (!std::isfinite(error + skewness + det)) {
    ++worst.not_finite;
    return;
  }
  worst.residual = std::max(worst.residual, error);
  worst.orthogonality = std::max(worst.orthogonality, skewness);
  worst.determinant = std::max(worst.determinant, det);
  worst.disordered += !(s_in[0] >= s_in[1] && s_in[1] >= std::abs(s_in[2]));
  const double volume = determinant(f);
  worst.wrong_sign += std::abs(volume) > 1e-13 * norm * norm * norm && (volume > 0) != (s_in[2] > 0);
}

}  // namespace

SvdWorst svd_torture(std::int64_t count, std::uint64_t seed) {
  Source source(seed);
  SvdWorst worst;
  while (worst.count < count) {
    Pack f[9], u[9], s[3], v[9];
    double scalar[lanes][9];
    for (int l = 0; l < lanes; ++l) {
      hard_matrix(source, scalar[l]);
      for (int i = 0; i < 9; ++i) f[i][l] = scalar[l][i];
    }
    svd3(f, u, s, v);
    for (int l = 0; l < lanes; ++l) {
      double lu[9], ls[3], lv[9];
      for (int i = 0; i < 9; ++i) lu[i] = lane(u[i], l), lv[i] = lane(v[i], l);
      for (int i = 0; i < 3; ++i) ls[i] = lane(s[i], l);
      judge(scalar[l], lu, ls, lv, worst);
    }
  }
  return worst;
}

}  // namespace resilin
