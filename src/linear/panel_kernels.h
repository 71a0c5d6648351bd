// The inner loops of the triangular solves on one supernode, in the layout of panel_layout.h. S is the stored
// type, A the type of the arithmetic, R the number of right-hand sides: 3 (x, y, z) or 1. A vector `t` of the
// supernode holds, per chunk of 8 rows, 8 values of the first right-hand side, 8 of the second, ...
// Everything is inlined: vectors of 64 bytes never pass through a call. Called by SupernodalCholesky only;
// knows neither trees nor tasks.
#pragma once
#include <cstddef>

#include "linear/panel_layout.h"
#include "simd/pack.h"

namespace resilin::panel {

template <class T>
struct Lanes;
template <>
struct Lanes<float> {
  typedef float v4 __attribute__((vector_size(16), may_alias));
  typedef float v8 __attribute__((vector_size(32), may_alias));
};
template <>
struct Lanes<double> {
  typedef double v4 __attribute__((vector_size(32), may_alias));
  typedef double v8 __attribute__((vector_size(64), may_alias));
};
template <class T>
using V4 = typename Lanes<T>::v4;
template <class T>
using V8 = typename Lanes<T>::v8;

constexpr int columns = PanelLayout::columns, rows = PanelLayout::rows, chunk = PanelLayout::chunk;
// Values to fetch ahead of a stream: measured best, bandwidth times latency is about 4 kB.
constexpr int ahead = 64 * chunk;

/// Asks for the cache lines of a chunk.
template <class S>
RESILIN_INLINE void fetch_chunk(const S* from) {
  constexpr int line = 64 / sizeof(S);
  for (int i = 0; i < chunk; i += line) __builtin_prefetch(from + i);
}

template <class S, class A>
RESILIN_INLINE void load(const S* from, V8<A>& to) {
  to = __builtin_convertvector(*reinterpret_cast<const V8<S>*>(from), V8<A>);
}
template <class S, class A>
RESILIN_INLINE void load(const S* from, V4<A>& to) {
  to = __builtin_convertvector(*reinterpret_cast<const V4<S>*>(from), V4<A>);
}

/// Keeps the compiler from reading a value from memory again for each of its uses: the loops are short of loads.
template <class V>
RESILIN_INLINE void in_register(V& v) {
#if defined(__AVX512F__)
  __asm__("" : "+v"(v));
#elif defined(__AVX__)
  if constexpr (sizeof(V) <= 32) __asm__("" : "+x"(v));
#endif
}

/// Transposes 4 x 4 values.
template <class T>
RESILIN_INLINE void transpose(V4<T>& a, V4<T>& b, V4<T>& c, V4<T>& d) {
  const V4<T> ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6),
              ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const V4<T> cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6),
              cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// The 4 values of t that belong to column block c, right-hand side 0; the next right-hand side is 8 further.
template <class A, int R>
RESILIN_INLINE A* own(A* t, int c) {
  return t + (c / 2) * rows * R + (c % 2) * columns;
}

/// t_c <- inverse t_c for the 4 rows of column block c.
template <class S, class A, int R>
RESILIN_INLINE void apply_inverse(const S* inverse, A* tc) {
  V4<A> m[columns];
  for (int j = 0; j < columns; ++j) load<S, A>(inverse + columns * j, m[j]);
  for (int r = 0; r < R; ++r) {
    A* t = tc + rows * r;
    const V4<A> x = m[0] * t[0] + m[1] * t[1] + m[2] * t[2] + m[3] * t[3];
    *reinterpret_cast<V4<A>*>(t) = x;
  }
}

/// t_c <- inverse^T (t_c - sum).
template <class S, class A, int R>
RESILIN_INLINE void apply_inverse_transposed(const S* inverse, const A* sum, A* tc) {
  V4<A> m[columns];
  for (int j = 0; j < columns; ++j) load<S, A>(inverse + columns * j, m[j]);
  transpose<A>(m[0], m[1], m[2], m[3]);
  for (int r = 0; r < R; ++r) {
    A* t = tc + rows * r;
    const V4<A> d = *reinterpret_cast<const V4<A>*>(t) - *reinterpret_cast<const V4<A>*>(sum + columns * r);
    *reinterpret_cast<V4<A>*>(t) = m[0] * d[0] + m[1] * d[1] + m[2] * d[2] + m[3] * d[3];
  }
}

/// t -= L x for `count` chunks of one column block; x = its 4 solved rows.
template <class S, class A, int R>
RESILIN_INLINE void subtract_columns(const S* l, int count, const A* xc, A* t) {
  V8<A> x[columns][R];
  for (int j = 0; j < columns; ++j)
    for (int r = 0; r < R; ++r) x[j][r] = xc[rows * r + j] - V8<A>{};
  for (int q = 0; q < count; ++q, l += chunk, t += rows * R) {
    fetch_chunk(l + ahead);
    V8<A> m[columns];
    for (int j = 0; j < columns; ++j) load<S, A>(l + rows * j, m[j]);
    for (int r = 0; r < R; ++r) {
      V8<A> sum = *reinterpret_cast<const V8<A>*>(t + rows * r);
      for (int j = 0; j < columns; ++j) sum -= m[j] * x[j][r];
      *reinterpret_cast<V8<A>*>(t + rows * r) = sum;
    }
  }
}

/// sum[r] (4 values each) += L^T t over `count` chunks of one column block, walked backwards: with the blocks
/// and the supernodes walked backwards too, the factor is one descending stream.
template <class S, class A, int R>
RESILIN_INLINE void add_dots(const S* l, int count, const A* t, A* sum) {
  V8<A> acc[columns][R] = {};
  l += chunk * count;
  t += rows * R * count;
  for (int q = 0; q < count; ++q) {
    l -= chunk;
    t -= rows * R;
    fetch_chunk(l - ahead);
    V8<A> x[R];
    for (int r = 0; r < R; ++r) x[r] = *reinterpret_cast<const V8<A>*>(t + rows * r);
    for (int j = 0; j < columns; ++j) {
      V8<A> m;
      load<S, A>(l + rows * j, m);
      in_register(m);
      for (int r = 0; r < R; ++r) acc[j][r] += m * x[r];
    }
  }
  for (int r = 0; r < R; ++r) {
    V4<A> half[columns];
    for (int j = 0; j < columns; ++j)
      half[j] = __builtin_shufflevector(acc[j][r], acc[j][r], 0, 1, 2, 3) +
                __builtin_shufflevector(acc[j][r], acc[j][r], 4, 5, 6, 7);
    transpose<A>(half[0], half[1], half[2], half[3]);
    *reinterpret_cast<V4<A>*>(sum + columns * r) += (half[0] + half[1]) + (half[2] + half[3]);
  }
}

/// 8 rows of a vector of (x, y, z, 0) quadruples to one chunk of t.
template <class A>
RESILIN_INLINE void quads_to_chunk(const A* const* quad, A* t) {
  for (int half = 0; half < 2; ++half) {
    V4<A> q[4];
    for (int i = 0; i < 4; ++i) q[i] = *reinterpret_cast<const V4<A>*>(quad[4 * half + i]);
    transpose<A>(q[0], q[1], q[2], q[3]);
    for (int r = 0; r < 3; ++r) *reinterpret_cast<V4<A>*>(t + rows * r + 4 * half) = q[r];
  }
}

/// The inverse: (x, y, z, 0) of four rows of a chunk.
template <class A>
RESILIN_INLINE void chunk_to_quads(const A* t, int half, V4<A> (&q)[4]) {
  for (int r = 0; r < 3; ++r) q[r] = *reinterpret_cast<const V4<A>*>(t + rows * r + 4 * half);
  q[3] = V4<A>{};
  transpose<A>(q[0], q[1], q[2], q[3]);
}

/// Packs columns of L (column-major, width + below rows) of column block c for the solves.
template <class S>
void pack_block(const PanelLayout& layout, const double* panel, int c, S* out) {
  const int height = layout.width + layout.below, first = columns * c;
  const auto entry = [&](int row, int column) { return panel[row + static_cast<std::ptrdiff_t>(column) * height]; };
  const PanelLayout::Group group = layout.group_of(c);
  S* const start = out;
  out += layout.block(group, c);
  for (int j = 0; j < columns; ++j) {  // column j of the inverse by forward substitution
    double x[columns] = {};
    for (int i = j; i < columns; ++i) {
      if (first + i >= layout.width) {
        x[i] = i == j ? 1 : 0;
        continue;
      }
      double sum = i == j ? 1 : 0;
      for (int k = j; k < i; ++k) sum -= entry(first + i, first + k) * x[k];
      x[i] = sum / entry(first + i, first + i);
    }
    for (int i = 0; i < columns; ++i) *out++ = static_cast<S>(x[i]);
  }
  for (int q = PanelLayout::first_chunk(c); q < layout.chunks; ++q) {
    if (q >= group.last && (q - group.last) % group.height == 0) {  // on to the next tile
      const int t = (q - group.last) / group.height;
      out = start + layout.tile(group, t) +
            static_cast<std::ptrdiff_t>(chunk) * (c - group.begin) * layout.tile_height(group, t);
    }
    const bool is_own = q < layout.own_chunks;
    const int base = is_own ? rows * q : layout.width + rows * (q - layout.own_chunks);
    const int end = is_own ? layout.width : height;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        const int row = base + i, column = first + j;
        const bool stored = column < layout.width && row < end && (!is_own || row >= first + columns);
        *out++ = stored ? static_cast<S>(entry(row, column)) : S(0);
      }
  }
}

}  // namespace resilin::panel
