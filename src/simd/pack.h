// Packs: eight doubles that go through every formula together, lane i belonging to element i of a block.
//
//   Pack   8 doubles: + - * / and unary minus, mixed with doubles (`0.5 * x`), x[i]; make one by
//          Pack{a, b, ...}, broadcast(2.0) or load()
//   Mask   what comparing packs gives: 8 x int64, 0 or -1; combine with & | ! (the same on bool)
//
// Formulas are templates on T = double | Pack and use the functions below, which exist for both; choices are
// written select(mask, a, b), a bare constant constant<T>(2.0). Eight lanes on every instruction set, so
// layout and sums do not depend on it. With AVX-512 a Pack is a GCC vector type, elsewhere a struct of
// registers (pair.h). Outside namespace resilin, call log, sqrt, ... of a double qualified, or ::log is
// found. Called by every kernel; it must not know meshes or materials. See docs/decisions/0002_simd.md.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define RESILIN_SIMD_512 1
#else
#define RESILIN_SIMD_512 0
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define RESILIN_SIMD_256 1
#else
#define RESILIN_SIMD_256 0
#endif

// Everything here is inlined, so the calling convention that -Wpsabi warns about never matters.
#pragma GCC diagnostic ignored "-Wpsabi"

#define RESILIN_INLINE [[gnu::always_inline]] inline

namespace resilin {

constexpr int lanes = 8;

// The widest vector the target holds in one register. Long kernels (the SVD) run on it part by part, because
// a whole Pack would not leave them enough registers; lanes are independent, so the bits are the same.
constexpr int native_lanes = RESILIN_SIMD_512 ? 8 : RESILIN_SIMD_256 ? 4 : 2;
typedef double Native __attribute__((vector_size(native_lanes * 8)));
using NativeMask = decltype(Native{} < Native{});  // GCC: of long, Clang: of long long

template <class T>
struct PackTraits;
template <>
struct PackTraits<double> {
  using Element = double;
  using Mask = bool;
  using Bits = std::int64_t;
};
template <>
struct PackTraits<Native> {
  using Element = double;
  using Mask = NativeMask;
  using Bits = NativeMask;
};
template <>
struct PackTraits<NativeMask> {
  using Element = std::int64_t;
};
template <class T>
using ElementOf = typename PackTraits<T>::Element;
template <class T>
using MaskOf = typename PackTraits<T>::Mask;
template <class T>
using BitsOf = typename PackTraits<T>::Bits;

}  // namespace resilin

#if !RESILIN_SIMD_512
#include "simd/pair.h"
#endif

namespace resilin {

#if RESILIN_SIMD_512
using Pack = Native;
using Mask = NativeMask;
template <class T>
concept IsPair = false;
#else
template <>
struct PackTraits<Pair<NativeMask>> : PackTraits<NativeMask> {};
template <>
struct PackTraits<Pair<Pair<NativeMask>>> : PackTraits<NativeMask> {};
template <>
struct PackTraits<Pair<Native>> {
  using Element = double;
  using Mask = Pair<NativeMask>;
  using Bits = Mask;
};
template <>
struct PackTraits<Pair<Pair<Native>>> {
  using Element = double;
  using Mask = Pair<Pair<NativeMask>>;
  using Bits = Mask;
};
#if RESILIN_SIMD_256
using Pack = Pair<Native>;
#else
using Pack = Pair<Pair<Native>>;
#endif
using Mask = MaskOf<Pack>;
template <class T>
concept IsPair = requires(T x) {
  x.low;
  x.high;
};
#endif
static_assert(sizeof(Pack) == 64 && sizeof(Mask) == 64);

// V: a vector of doubles (Pack, Native, halves). T: any of them or double.
// (version 14 of the formatter takes the < for a comparison)
// clang-format off
template <class V>
concept LaneVector = std::same_as<ElementOf<V>, double> && (sizeof(V) > sizeof(double));
// clang-format on
template <class M>
concept LaneMask = std::same_as<ElementOf<M>, std::int64_t>;
template <class T>
concept Real = std::same_as<T, double> || LaneVector<T>;

// --- constants, memory, bits -------------------------------------------------------------------------------

template <Real T>
RESILIN_INLINE T constant(double value) {
  if constexpr (std::same_as<T, double>) return value;
  else if constexpr (IsPair<T>) return {constant<decltype(T::low)>(value), constant<decltype(T::low)>(value)};
  else return value - T{};  // value - 0.0 is exact for every value, -0.0 included
}
RESILIN_INLINE Pack broadcast(double value) { return constant<Pack>(value); }

// `from`, `to`: 64-byte aligned.
RESILIN_INLINE Pack load(const double* from) { return *reinterpret_cast<const Pack*>(from); }
RESILIN_INLINE void store(double* to, Pack value) { *reinterpret_cast<Pack*>(to) = value; }
RESILIN_INLINE void add(double* to, Pack value) { store(to, load(to) + value); }
RESILIN_INLINE void add(double* to, int index, Pack value) { add(to + index * lanes, value); }
// Pack p of an array [packs][count][8].
template <int count>
RESILIN_INLINE void load_pack(const double* from, int p, Pack* to) {
  for (int i = 0; i < count; ++i) to[i] = load(from + (p * count + i) * lanes);
}
template <int count>
RESILIN_INLINE void store_pack(const Pack* from, int p, double* to) {
  for (int i = 0; i < count; ++i) store(to + (p * count + i) * lanes, from[i]);
}

template <Real T>
RESILIN_INLINE BitsOf<T> as_bits(T x) {
  if constexpr (IsPair<T>) return {as_bits(x.low), as_bits(x.high)};
  else return std::bit_cast<BitsOf<T>>(x);
}
template <Real T>
RESILIN_INLINE T from_bits(BitsOf<T> bits) {
  if constexpr (IsPair<T>) return {from_bits<decltype(T::low)>(bits.low), from_bits<decltype(T::low)>(bits.high)};
  else return std::bit_cast<T>(bits);
}

// --- fused multiply-add, square root -----------------------------------------------------------------------

// a * b + c, in one rounding wherever the target has it. Kernels that promise equal bits for double and Pack
// write it explicitly rather than leave the contraction to the compiler.
RESILIN_INLINE double fma(double a, double b, double c) {
#if defined(__FMA__)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}
RESILIN_INLINE double sqrt(double x) { return __builtin_sqrt(x); }

template <LaneVector V>
RESILIN_INLINE V fma(V a, V b, V c) {
  if constexpr (IsPair<V>) {
    return {fma(a.low, b.low, c.low), fma(a.high, b.high, c.high)};
  } else {
#if RESILIN_SIMD_512
    return _mm512_fmadd_pd(a, b, c);
#elif RESILIN_SIMD_256
    return _mm256_fmadd_pd(a, b, c);
#else
    return a * b + c;
#endif
  }
}
template <LaneVector V>
RESILIN_INLINE V sqrt(V x) {
  if constexpr (IsPair<V>) {
    return {sqrt(x.low), sqrt(x.high)};
  } else {
#if RESILIN_SIMD_512
    return _mm512_mask_sqrt_pd(x, 0xFF, x);  // _mm512_sqrt_pd sets off -Wmaybe-uninitialized in GCC 12
#elif RESILIN_SIMD_256
    return _mm256_sqrt_pd(x);
#elif defined(__SSE2__)
    return __builtin_ia32_sqrtpd(x);
#else
    return Native{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
#endif
  }
}

// --- choice ------------------------------------------------------------------------------------------------

template <std::same_as<double> T>
RESILIN_INLINE T select(bool mask, T a, T b) {
  return mask ? a : b;
}
template <LaneVector V>
RESILIN_INLINE V select(MaskOf<V> mask, V a, V b) {
  if constexpr (IsPair<V>) return {select(mask.low, a.low, b.low), select(mask.high, a.high, b.high)};
  else return mask ? a : b;
}
template <LaneVector V>
RESILIN_INLINE V select(MaskOf<V> mask, V a, double b) {
  return select(mask, a, constant<V>(b));
}
template <LaneVector V>
RESILIN_INLINE V select(MaskOf<V> mask, double a, V b) {
  return select(mask, constant<V>(a), b);
}

template <LaneMask M>
RESILIN_INLINE unsigned lane_bits(M mask) {  // bit i is set where lane i is
  if constexpr (IsPair<M>) {
    return lane_bits(mask.low) | lane_bits(mask.high) << (sizeof(M) / 16);
  } else {
#if RESILIN_SIMD_512
    return _mm512_movepi64_mask(std::bit_cast<__m512i>(mask));
#elif RESILIN_SIMD_256
    return static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(mask)));
#else
    return static_cast<unsigned>((mask[0] & 1) | (mask[1] & 2));
#endif
  }
}
RESILIN_INLINE bool any(bool mask) { return mask; }
RESILIN_INLINE bool all(bool mask) { return mask; }
template <LaneMask M>
RESILIN_INLINE bool any(M mask) {
  return lane_bits(mask) != 0;
}
template <LaneMask M>
RESILIN_INLINE bool all(M mask) {
  return lane_bits(mask) == (1u << (sizeof(M) / 8)) - 1;
}

// --- elementary functions ----------------------------------------------------------------------------------

constexpr std::int64_t sign_bit = std::numeric_limits<std::int64_t>::min();

template <Real T>
RESILIN_INLINE T abs(T x) {
  return from_bits<T>(as_bits(x) & ~sign_bit);
}
template <Real T>
RESILIN_INLINE T copysign(T size, T sign) {
  return from_bits<T>((as_bits(size) & ~sign_bit) | (as_bits(sign) & sign_bit));
}
template <LaneVector V>
RESILIN_INLINE V copysign(V size, double sign) {
  return copysign(size, constant<V>(sign));
}
template <LaneVector V>
RESILIN_INLINE V copysign(double size, V sign) {
  return copysign(constant<V>(size), sign);
}

// The second argument is returned when either is not a number, as the hardware's own instructions do.
template <Real T>
RESILIN_INLINE T min(T a, T b) {
  if constexpr (IsPair<T>) return {min(a.low, b.low), min(a.high, b.high)};
#if RESILIN_SIMD_512
  else if constexpr (std::same_as<T, Native>) return _mm512_mask_min_pd(a, 0xFF, a, b);
#elif RESILIN_SIMD_256
  else if constexpr (std::same_as<T, Native>) return _mm256_min_pd(a, b);
#endif
  else return select(a < b, a, b);
}
template <Real T>
RESILIN_INLINE T max(T a, T b) {
  if constexpr (IsPair<T>) return {max(a.low, b.low), max(a.high, b.high)};
#if RESILIN_SIMD_512
  else if constexpr (std::same_as<T, Native>) return _mm512_mask_max_pd(a, 0xFF, a, b);
#elif RESILIN_SIMD_256
  else if constexpr (std::same_as<T, Native>) return _mm256_max_pd(a, b);
#endif
  else return select(a > b, a, b);
}
template <LaneVector V>
RESILIN_INLINE V min(V a, double b) {
  return min(a, constant<V>(b));
}
template <LaneVector V>
RESILIN_INLINE V max(V a, double b) {
  return max(a, constant<V>(b));
}

template <Real T>
RESILIN_INLINE T square(T x) {
  return x * x;
}
template <Real T>
RESILIN_INLINE T reciprocal(T x) {
  return 1.0 / x;
}  // exact division: same bits everywhere
template <Real T>
RESILIN_INLINE MaskOf<T> is_finite(T x) {
  return abs(x) <= std::numeric_limits<double>::max();
}

// Sum of the lanes in one fixed order, ((0+4)+(2+6)) + ((1+5)+(3+7)): the one in which halves fold.
RESILIN_INLINE double sum(Pack x) {
  const double a0 = x[0] + x[4], a1 = x[1] + x[5], a2 = x[2] + x[6], a3 = x[3] + x[7];
  return (a0 + a2) + (a1 + a3);
}
RESILIN_INLINE double sum(double x) { return x; }

RESILIN_INLINE double lane(const Pack& x, int i) { return x[i]; }
RESILIN_INLINE double lane(double x, int) { return x; }

// All ones in the first `count` lanes, for the padded last pack of an array.
RESILIN_INLINE Mask first_lanes(int count) {
  const Mask index = {0, 1, 2, 3, 4, 5, 6, 7};
  return index < static_cast<std::int64_t>(count);
}

/// Eight floats.
typedef float Floats __attribute__((vector_size(32)));

RESILIN_INLINE Pack widen(const float* from) {
  Pack out;
#if RESILIN_SIMD_512
  out = __builtin_convertvector(*reinterpret_cast<const Floats*>(from), Pack);
#else
  alignas(64) double wide[lanes];
  for (int l = 0; l < lanes; ++l) wide[l] = from[l];
  out = load(wide);
#endif
  return out;
}

}  // namespace resilin

#include "simd/gather.h"  // IWYU pragma: export
#include "simd/log.h"     // IWYU pragma: export
