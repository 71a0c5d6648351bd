// A pack made of two halves, for targets whose registers hold fewer than eight doubles (AVX2: two registers,
// SSE2: four). GCC 12 keeps a vector type wider than a register in memory and lowers its selects to scalar
// code (measured on AVX2: log 20 ns per value instead of 0.7); two halves in a struct stay in registers.
// Behaves like a vector type: + - * / & | ^ ! < ..., mixed with scalars, x[i]. Only pack.h includes this.
#pragma once

#include <cstdint>

namespace resilin {

template <class H>
struct Pair {
  H low, high;
  static constexpr int half = sizeof(H) / 8;
  auto operator[](int i) const { return i < half ? low[i] : high[i - half]; }
  auto& operator[](int i) { return reinterpret_cast<ElementOf<H>*>(this)[i]; }
};

// S: the scalar that mixes with a Pair (double with packs, int64 with masks).
#define RESILIN_PAIR_BINARY(op)                                              \
  template <class H>                                                         \
  RESILIN_INLINE auto operator op(const Pair<H>& a, const Pair<H>& b) {      \
    return Pair<decltype(a.low op b.low)>{a.low op b.low, a.high op b.high}; \
  }                                                                          \
  template <class H>                                                         \
  RESILIN_INLINE auto operator op(const Pair<H>& a, ElementOf<H> b) {        \
    return Pair<decltype(a.low op b)>{a.low op b, a.high op b};              \
  }                                                                          \
  template <class H>                                                         \
  RESILIN_INLINE auto operator op(ElementOf<H> a, const Pair<H>& b) {        \
    return Pair<decltype(a op b.low)>{a op b.low, a op b.high};              \
  }
RESILIN_PAIR_BINARY(+)
RESILIN_PAIR_BINARY(-)
RESILIN_PAIR_BINARY(*)
RESILIN_PAIR_BINARY(/)
RESILIN_PAIR_BINARY(&)
RESILIN_PAIR_BINARY(|)
RESILIN_PAIR_BINARY(^)
RESILIN_PAIR_BINARY(<)
RESILIN_PAIR_BINARY(<=)
RESILIN_PAIR_BINARY(>)
RESILIN_PAIR_BINARY(>=)
RESILIN_PAIR_BINARY(==)
RESILIN_PAIR_BINARY(!=)
#undef RESILIN_PAIR_BINARY

#define RESILIN_PAIR_ASSIGN(op)                                          \
  template <class H>                                                     \
  RESILIN_INLINE Pair<H>& operator op##=(Pair<H>& a, const Pair<H>& b) { \
    return a = a op b;                                                   \
  }                                                                      \
  template <class H>                                                     \
  RESILIN_INLINE Pair<H>& operator op##=(Pair<H>& a, ElementOf<H> b) {   \
    return a = a op b;                                                   \
  }
RESILIN_PAIR_ASSIGN(+)
RESILIN_PAIR_ASSIGN(-)
RESILIN_PAIR_ASSIGN(*)
RESILIN_PAIR_ASSIGN(/)
RESILIN_PAIR_ASSIGN(&)
RESILIN_PAIR_ASSIGN(|)
#undef RESILIN_PAIR_ASSIGN

template <class H>
RESILIN_INLINE Pair<H> operator-(const Pair<H>& a) {
  return {-a.low, -a.high};
}
template <class H>
RESILIN_INLINE Pair<H> operator~(const Pair<H>& a) {
  return {~a.low, ~a.high};
}
template <class H>
RESILIN_INLINE auto operator!(const Pair<H>& a) {
  return Pair<decltype(!a.low)>{!a.low, !a.high};
}
template <class H>
RESILIN_INLINE Pair<H> operator>>(const Pair<H>& a, int n) {
  return {a.low >> n, a.high >> n};
}
template <class H>
RESILIN_INLINE Pair<H> operator<<(const Pair<H>& a, int n) {
  return {a.low << n, a.high << n};
}

}  // namespace resilin
