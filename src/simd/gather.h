// Vertices of eight elements into packs and back.
//
//   gather_vertices<N>: out[n][k] lane l = x[4 ids[n][l] + k]      ids: [N][8], corner by corner
//   gather_rows<N>:     the same with the fourth entry, out[n][3]
//   scatter_add<N>:     f[4 ids[n][l] + k] += in[n][k] lane l      lane by lane, so lanes may share vertices
//
// Rows of four, so that one vertex is one load; the fourth entry of positions is ignored and that of forces is only
// ever added 0. Whole vertices are loaded and transposed in registers: measured faster than hardware gathers
// (docs/decisions/0002_simd.md). Included through pack.h; called by the sweep skeleton of a term. Gathers only
// copy, and adds happen in element order, so the bits are the same on every target.
#pragma once

#include "simd/pack.h"

namespace resilin {
namespace detail {

typedef double Row __attribute__((vector_size(32)));  // x y z and one more of a single vertex

RESILIN_INLINE Row load_row(const double* from) {
  Row row;
  __builtin_memcpy(&row, from, sizeof(Row));
  return row;
}
RESILIN_INLINE void store_row(double* to, Row row) { __builtin_memcpy(to, &row, sizeof(Row)); }

template <int K>  // 3, or 4 with the fourth entry of the rows
RESILIN_INLINE void gather_vertex(const double* x, const int* ids, Pack out[K]) {
  [[maybe_unused]] const auto row = [&](int l) { return load_row(x + 4 * std::int64_t{ids[l]}); };
#if RESILIN_SIMD_512
  // Lanes l and l + 2 share a register, so that shuffles of whole quarters put the lanes in order.
  const auto pair = [&](int l) { return __builtin_shufflevector(row(l), row(l + 2), 0, 1, 2, 3, 4, 5, 6, 7); };
  const Pack r02 = pair(0), r13 = pair(1), r46 = pair(4), r57 = pair(5);
  const Pack xz_low = __builtin_shufflevector(r02, r13, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack xz_high = __builtin_shufflevector(r46, r57, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack y_low = __builtin_shufflevector(r02, r13, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack y_high = __builtin_shufflevector(r46, r57, 1, 9, 3, 11, 5, 13, 7, 15);
  out[0] = __builtin_shufflevector(xz_low, xz_high, 0, 1, 4, 5, 8, 9, 12, 13);
  out[1] = __builtin_shufflevector(y_low, y_high, 0, 1, 4, 5, 8, 9, 12, 13);
  out[2] = __builtin_shufflevector(xz_low, xz_high, 2, 3, 6, 7, 10, 11, 14, 15);
  if constexpr (K == 4) out[3] = __builtin_shufflevector(y_low, y_high, 2, 3, 6, 7, 10, 11, 14, 15);
#elif RESILIN_SIMD_256
  const auto half = [&](int l, Row* const to[K]) {
    const Row r0 = row(l), r1 = row(l + 1), r2 = row(l + 2), r3 = row(l + 3);
    const Row xz_low = __builtin_shufflevector(r0, r1, 0, 4, 2, 6),
              xz_high = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
    const Row y_low = __builtin_shufflevector(r0, r1, 1, 5, 3, 7),
              y_high = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    *to[0] = __builtin_shufflevector(xz_low, xz_high, 0, 1, 4, 5);
    *to[1] = __builtin_shufflevector(y_low, y_high, 0, 1, 4, 5);
    *to[2] = __builtin_shufflevector(xz_low, xz_high, 2, 3, 6, 7);
    if constexpr (K == 4) *to[3] = __builtin_shufflevector(y_low, y_high, 2, 3, 6, 7);
  };
  Row *low[K], *high[K];
  for (int k = 0; k < K; ++k) low[k] = &out[k].low, high[k] = &out[k].high;
  half(0, low);
  half(4, high);
#else
  for (int k = 0; k < K; ++k)
    for (int l = 0; l < lanes; ++l) out[k][l] = x[4 * std::int64_t{ids[l]} + k];
#endif
}

RESILIN_INLINE void transpose_to_rows(const Pack in[3], Row rows[lanes]) {
// GCC 12 mixes up the fourth entry of these shuffles when it instruments for the thread sanitizer.
#if RESILIN_SIMD_512 && !defined(__SANITIZE_THREAD__)
  const Pack zero = {};
  const Pack xy_even = __builtin_shufflevector(in[0], in[1], 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack xy_odd = __builtin_shufflevector(in[0], in[1], 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack z_even = __builtin_shufflevector(in[2], zero, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack z_odd = __builtin_shufflevector(in[2], zero, 1, 9, 3, 11, 5, 13, 7, 15);
  const auto put = [&](int first, Pack xy, Pack z) {  // lanes first, first + 2, first + 4, first + 6
    const Pack low = __builtin_shufflevector(xy, z, 0, 1, 8, 9, 2, 3, 10, 11);
    const Pack high = __builtin_shufflevector(xy, z, 4, 5, 12, 13, 6, 7, 14, 15);
    rows[first] = __builtin_shufflevector(low, low, 0, 1, 2, 3);
    rows[first + 2] = __builtin_shufflevector(low, low, 4, 5, 6, 7);
    rows[first + 4] = __builtin_shufflevector(high, high, 0, 1, 2, 3);
    rows[first + 6] = __builtin_shufflevector(high, high, 4, 5, 6, 7);
  };
  put(0, xy_even, z_even);
  put(1, xy_odd, z_odd);
#elif RESILIN_SIMD_256 && !RESILIN_SIMD_512
  const auto put = [&](Row* to, Row x, Row y, Row z) {
    const Row zero = {};
    const Row xy0 = __builtin_shufflevector(x, y, 0, 4, 2, 6);
    const Row xy1 = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    const Row z0 = __builtin_shufflevector(z, zero, 0, 4, 2, 6);
    const Row z1 = __builtin_shufflevector(z, zero, 1, 5, 3, 7);
    to[0] = __builtin_shufflevector(xy0, z0, 0, 1, 4, 5);
    to[1] = __builtin_shufflevector(xy1, z1, 0, 1, 4, 5);
    to[2] = __builtin_shufflevector(xy0, z0, 2, 3, 6, 7);
    to[3] = __builtin_shufflevector(xy1, z1, 2, 3, 6, 7);
  };
  put(rows, in[0].low, in[1].low, in[2].low);
  put(rows + 4, in[0].high, in[1].high, in[2].high);
#else
  for (int l = 0; l < lanes; ++l) rows[l] = Row{in[0][l], in[1][l], in[2][l], 0.0};
#endif
}

}  // namespace detail

template <int N>
RESILIN_INLINE void gather_vertices(const double* x, const int* ids, Pack out[][3]) {
  for (int n = 0; n < N; ++n) detail::gather_vertex<3>(x, ids + n * lanes, out[n]);
}
template <int N>
RESILIN_INLINE void gather_rows(const double* x, const int* ids, Pack out[][4]) {
  for (int n = 0; n < N; ++n) detail::gather_vertex<4>(x, ids + n * lanes, out[n]);
}

// Adds lane 0 first; within a lane, corner 0 first: the order of a plain loop over the elements.
// `active_lanes` < 8 leaves the padding of a last pack out.
template <int N>
RESILIN_INLINE void scatter_add(double* f, const int* ids, const Pack in[][3], int active_lanes = lanes) {
  detail::Row rows[N][lanes];
  for (int n = 0; n < N; ++n) detail::transpose_to_rows(in[n], rows[n]);
  for (int l = 0; l < active_lanes; ++l) {
    for (int n = 0; n < N; ++n) {
      double* vertex = f + 4 * std::int64_t{ids[n * lanes + l]};
      detail::store_row(vertex, detail::load_row(vertex) + rows[n][l]);
    }
  }
}

}  // namespace resilin
