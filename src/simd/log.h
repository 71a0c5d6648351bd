// Natural logarithm for double and Pack, the same bits in every lane as for a lone double.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f / (2 + f), log(1 + f) = 2 atanh(s) = 2 s + s
// R(s^2) = f - (f^2/2 - s (f^2/2 + R)), the arrangement of K. C. Ng's fdlibm; the seven coefficients of R are
// our own minimax fit (Remez, relative error 1.3e-18). Measured error below 1 ulp. Included through pack.h;
// called by materials and barriers. As std::log: log(0) = -inf, log(x < 0) = NaN, log(inf) = inf, NaN stays.
// Denormals are handled, but a thread that runs with denormals-are-zero reads them as 0.
#pragma once

#include "simd/pack.h"

namespace resilin {

template <Real T>
RESILIN_INLINE T log(T x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t root_half = 0x3FE6A09E667F3BCD;  // bits of sqrt(1/2)
  constexpr std::int64_t one = 0x3FF0000000000000;
  constexpr std::int64_t mantissa = 0x000FFFFFFFFFFFFF;
  constexpr std::int64_t two_to_52 = 0x4330000000000000;  // its low bits count in units of one
  constexpr double ln2_high = 0x1.62e42fee00000p-1;       // k * ln2_high is exact
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;

  const auto tiny = x < constant<T>(std::numeric_limits<double>::min());
  // Infinity and NaN are mended below.
  const T scaled = min(select(tiny, x * 0x1p54, x), constant<T>(std::numeric_limits<double>::max()));
  const T bias = select(tiny, constant<T>(0x1p52 + 1023 + 54), constant<T>(0x1p52 + 1023));

  const BitsOf<T> shifted = as_bits(scaled) + (one - root_half);
  const T k = from_bits<T>(((shifted >> 52) & 0x7FF) | two_to_52) - bias;
  const T f = from_bits<T>((shifted & mantissa) + root_half) - 1.0;

  const T s = f / (f + 2.0);
  const T z = s * s;
  T p = constant<T>(0x1.2f0563862e5fdp-3);
  p = fma(p, z, constant<T>(0x1.39a1bab73fcacp-3));
  p = fma(p, z, constant<T>(0x1.74663ee86e841p-3));
  p = fma(p, z, constant<T>(0x1.c71c52095d16fp-3));
  p = fma(p, z, constant<T>(0x1.24924941f124fp-2));
  p = fma(p, z, constant<T>(0x1.999999997fdb7p-2));
  p = fma(p, z, constant<T>(0x1.5555555555592p-1));

  const T half = 0.5 * f;
  const T tail = fma(s, fma(p, z, half * f), k * ln2_low);
  const T result = fma(k, constant<T>(ln2_high), f - fma(half, f, -tail));

  const T outside =
      select(x == constant<T>(0.0), constant<T>(-infinity), constant<T>(std::numeric_limits<double>::quiet_NaN()));
  return select(x > constant<T>(0.0), select(x < constant<T>(infinity), result, x), outside);
}

}  // namespace resilin
