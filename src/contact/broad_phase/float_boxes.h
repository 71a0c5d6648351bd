// Boxes in single precision, eight at a time. They are rounded outwards, so that a test may keep a pair that is too
// far apart but never loses one that is near: exact distances decide afterwards.
#pragma once
#include <algorithm>
#include <cfloat>
#include <limits>

#include "simd/pack.h"

namespace resilin {

typedef float Float4 __attribute__((vector_size(16)));
typedef std::int32_t Int8 __attribute__((vector_size(32)));

/// The fourth entries mean nothing.
struct FloatBox {
  Float4 lower, upper;
};

RESILIN_INLINE FloatBox empty_float_box() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  return {Float4{inf, inf, inf, inf}, Float4{-inf, -inf, -inf, -inf}};
}
RESILIN_INLINE void extend(FloatBox& box, const FloatBox& other) {
  box.lower = box.lower < other.lower ? box.lower : other.lower;
  box.upper = box.upper > other.upper ? box.upper : other.upper;
}

/// Around a position of up to 1e15. One unit in the last place is added on each side: twice what rounding to a
/// float may take.
RESILIN_INLINE FloatBox float_box(double x, double y, double z) {
  const Float4 p = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
  const Float4 size = p < 0 ? -p : p;
  const Float4 margin = size * FLT_EPSILON + FLT_MIN;
  return {p - margin, p + margin};
}

struct alignas(32) BoxPack {
  Floats lower[3], upper[3];

  void set(int lane, const FloatBox& box) {
    for (int k = 0; k < 3; ++k) lower[k][lane] = box.lower[k], upper[k][lane] = box.upper[k];
  }
  FloatBox at(int lane) const {
    return {Float4{lower[0][lane], lower[1][lane], lower[2][lane], 0},
            Float4{upper[0][lane], upper[1][lane], upper[2][lane], 0}};
  }
  void clear() {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (int k = 0; k < 3; ++k) lower[k] = inf - Floats{}, upper[k] = -inf - Floats{};
  }
};

RESILIN_INLINE Floats max(Floats a, Floats b) {
#if defined(__AVX__)
  return _mm256_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

RESILIN_INLINE unsigned lane_bits(Int8 mask) {
#if RESILIN_SIMD_512
  return _mm256_movepi32_mask(std::bit_cast<__m256i>(mask));
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(mask)));
#else
  unsigned bits = 0;
  for (int l = 0; l < lanes; ++l) bits |= static_cast<unsigned>(mask[l] & 1) << l;
  return bits;
#endif
}

/// What squared distances of boxes are compared with: at least radius^2 with the errors of `near` in it.
inline float squared_limit(double radius) {
  return static_cast<float>(std::min(1.00001 * radius * radius + 1e-30, 1e38));
}

/// Lanes whose box may be closer to `query` than the radius of `limit`. Never those of an empty box.
RESILIN_INLINE Int8 near(const BoxPack& boxes, const FloatBox& query, float limit) {
  Floats sum = {};
  for (int k = 0; k < 3; ++k) {
    const Floats gap = max(max(boxes.lower[k] - query.upper[k], query.lower[k] - boxes.upper[k]), Floats{});
    sum += gap * gap;
  }
  return sum < limit;
}

/// Writes the values of the lanes in `bits`, side by side, and possibly rubbish behind them: there must be room for
/// eight.
RESILIN_INLINE void write_lanes(double* to, const Pack& values, unsigned bits) {
#if RESILIN_SIMD_512
  // Not the compressing store, which takes a hundred cycles on some processors.
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), values));
#else
  for (; bits != 0; bits &= bits - 1) *to++ = values[__builtin_ctz(bits)];
#endif
}
RESILIN_INLINE void write_lanes(int* to, Int8 values, unsigned bits) {
#if RESILIN_SIMD_512
  const __m256i packed = _mm256_maskz_compress_epi32(static_cast<__mmask8>(bits), std::bit_cast<__m256i>(values));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), packed);
#else
  for (; bits != 0; bits &= bits - 1) *to++ = values[__builtin_ctz(bits)];
#endif
}

}  // namespace resilin
