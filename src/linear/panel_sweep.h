// Forward and backward substitution with one supernode: gather its rows into a small dense vector, run the
// kernels of panel_kernels.h over its column blocks, scatter back. Wide supernodes of the top share their
// rows (forward) or columns (backward) among the threads: every sum stays whole in one part, so the split
// changes no bit. Called by SupernodalCholesky; knows neither trees nor tasks.
#pragma once
#include <algorithm>
#include <cstring>

#include "linear/multifrontal.h"
#include "linear/panel_kernels.h"

namespace resilin::panel {

constexpr std::int64_t wide_panel = 1 << 16;  // values from which a panel is shared out
constexpr int wide_blocks = 32;               // column blocks solved by one thread before the others join in
constexpr int part_values = 1 << 12;          // in one part, at least
constexpr int most_parts = 8;

/// How many rows or columns, of `count` with `values` each, one part takes: a fixed rule, without regard to
/// threads.
inline int part_size(int count, int values) {
  const std::int64_t parts = static_cast<std::int64_t>(count) * values / part_values;
  const int bounded = static_cast<int>(std::clamp<std::int64_t>(parts, 1, most_parts));
  return std::max(1, (count + bounded - 1) / bounded);
}

// Values that a block row takes in a region's vector: x, y, z and padding, or the three scalars of a block.
template <int R>
constexpr int stride = R == 3 ? 4 : 3;

template <class S, class A>
struct PanelView {
  PanelLayout layout;
  const S* panel;
  const int* index;  // places of the rows below in `vector`, in block rows
  A* vector;
  A* own;      // the part of `vector` that holds the supernode's columns
  A* scratch;  // chunks * 8 * R values, then blocks * 4 * R
  const S* block(int c) const { return panel + layout.offset(c); }
  const S* chunks(int c) const { return block(c) + PanelLayout::triangle; }
};

template <class S, class A, int R>
RESILIN_INLINE void load_own(const PanelView<S, A>& v, A* t) {
  const int width = v.layout.width;
  if constexpr (R == 1) {
    std::copy(v.own, v.own + width, t);
    std::fill(t + width, t + rows * v.layout.own_chunks, A(0));
  } else {
    const A* from = v.own;
    int i = 0;
    for (; i + rows <= width; i += rows, t += rows * R, from += 4 * rows) {
      const A* quad[rows];
      for (int k = 0; k < rows; ++k) quad[k] = from + 4 * k;
      quads_to_chunk<A>(quad, t);
    }
    if (i == width) return;
    std::fill(t, t + rows * R, A(0));
    for (int k = 0; i + k < width; ++k)
      for (int r = 0; r < R; ++r) t[rows * r + k] = from[4 * k + r];
  }
}

template <class S, class A, int R>
RESILIN_INLINE void store_own(const PanelView<S, A>& v, const A* t) {
  const int width = v.layout.width;
  if constexpr (R == 1) {
    std::copy(t, t + width, v.own);
  } else {
    A* to = v.own;
    int i = 0;
    for (; i + 4 <= width; i += 4, to += 16) {
      V4<A> quad[4];
      chunk_to_quads<A>(t + (i / rows) * rows * R, i % rows / 4, quad);
      for (int k = 0; k < 4; ++k) *reinterpret_cast<V4<A>*>(to + 4 * k) = quad[k];
    }
    for (; i < width; ++i, to += 4)
      for (int r = 0; r < R; ++r) to[r] = t[(i / rows) * rows * R + rows * r + i % rows];
  }
}

template <class S, class A, int R>
RESILIN_INLINE void load_below(const PanelView<S, A>& v, A* t) {
  if constexpr (R == 1) {
    const int count = v.layout.below / 3;
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) t[3 * i + k] = v.vector[3 * static_cast<std::ptrdiff_t>(v.index[i]) + k];
    std::fill(t + v.layout.below, t + rows * (v.layout.chunks - v.layout.own_chunks), A(0));
  } else {
    const int* index = v.index;
    for (int q = v.layout.own_chunks; q < v.layout.chunks; ++q, t += rows * R, index += rows) {
      const A* quad[rows];
      for (int k = 0; k < rows; ++k) quad[k] = v.vector + 4 * static_cast<std::ptrdiff_t>(index[k]);
      quads_to_chunk<A>(quad, t);
    }
  }
}

template <class S, class A, int R>
RESILIN_INLINE void scatter_below(const PanelView<S, A>& v, const A* t) {
  if constexpr (R == 1) {
    const int count = v.layout.below / 3;
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) v.vector[3 * static_cast<std::ptrdiff_t>(v.index[i]) + k] += t[3 * i + k];
  } else {
    const int* index = v.index;
    for (int q = v.layout.own_chunks; q < v.layout.chunks; ++q, t += rows * R)
      for (int half = 0; half < 2; ++half, index += 4) {
        V4<A> quad[4];
        chunk_to_quads<A>(t, half, quad);
        for (int k = 0; k < 4; ++k)
          *reinterpret_cast<V4<A>*>(v.vector + 4 * static_cast<std::ptrdiff_t>(index[k])) += quad[k];
      }
  }
}

/// Column blocks [begin, end) of the forward substitution, on the rows up to chunk `last`.
template <class S, class A, int R>
void forward_blocks(const PanelView<S, A>& v, int begin, int end, int last, A* t) {
  const S* l = v.block(begin);
  for (int c = begin; c < end; ++c) {
    const int first = PanelLayout::first_chunk(c);
    A* tc = own<A, R>(t, c);
    apply_inverse<S, A, R>(l, tc);
    const S* next = l + PanelLayout::triangle + chunk * (v.layout.chunks - first);
    const S* fetch = last == v.layout.chunks ? l + ahead : next;
    subtract_columns<S, A, R>(l + PanelLayout::triangle, fetch, last - first, tc, t + first * rows * R);
    l = next;
  }
}

template <class S, class A, int R>
void forward_wide(const PanelView<S, A>& v, const Runner& run, A* t) {
  const PanelLayout& p = v.layout;
  for (int begin = 0; begin < p.blocks; begin += wide_blocks) {
    const int end = std::min(p.blocks, begin + wide_blocks), last = std::min((end + 1) / 2, p.own_chunks);
    forward_blocks<S, A, R>(v, begin, end, last, t);
    const int size = part_size(p.chunks - last, chunk * (end - begin));
    run((p.chunks - last + size - 1) / size, [&](int part) {
      const int from = last + part * size, count = std::min(size, p.chunks - from);
      const S* l = v.chunks(begin) + chunk * (from - PanelLayout::first_chunk(begin));
      for (int c = begin; c < end; ++c) {
        const S* next = v.chunks(c + 1) + chunk * (from - PanelLayout::first_chunk(c + 1));
        subtract_columns<S, A, R>(l, next, count, own<A, R>(t, c), t + from * rows * R);
        l = next;
      }
    });
  }
}

/// run: null where the caller is itself a part of a parallel loop.
template <class S, class A, int R>
void forward_panel(const PanelView<S, A>& v, const Runner* run) {
  A* t = v.scratch;
  A* below = t + v.layout.own_chunks * rows * R;
  load_own<S, A, R>(v, t);
  std::fill(below, t + v.layout.chunks * rows * R, A(0));
  if (run && v.layout.values() >= wide_panel) forward_wide<S, A, R>(v, *run, t);
  else forward_blocks<S, A, R>(v, 0, v.layout.blocks, v.layout.chunks, t);
  store_own<S, A, R>(v, t);
  scatter_below<S, A, R>(v, below);
}

template <class S, class A, int R>
void backward_wide(const PanelView<S, A>& v, const Runner& run, A* t) {
  const PanelLayout& p = v.layout;
  A* sums = t + p.chunks * rows * R;
  for (int begin = (p.blocks - 1) / wide_blocks * wide_blocks; begin >= 0; begin -= wide_blocks) {
    const int end = std::min(p.blocks, begin + wide_blocks), last = std::min((end + 1) / 2, p.own_chunks);
    const int size = part_size(end - begin, chunk * (p.chunks - last));
    run((end - begin + size - 1) / size, [&](int part) {
      for (int c = std::min(end, begin + (part + 1) * size) - 1; c >= begin + part * size; --c) {
        A* sum = sums + c * columns * R;
        std::fill(sum, sum + columns * R, A(0));
        const S* l = v.chunks(c) + chunk * (last - PanelLayout::first_chunk(c));
        add_dots<S, A, R>(l, l - ahead, p.chunks - last, t + last * rows * R, sum);
      }
    });
    for (int c = end - 1; c >= begin; --c) {
      const int first = PanelLayout::first_chunk(c);
      A* sum = sums + c * columns * R;
      add_dots<S, A, R>(v.chunks(c), v.chunks(std::max(0, c - 1)), last - first, t + first * rows * R, sum);
      apply_inverse_transposed<S, A, R>(v.block(c), sum, own<A, R>(t, c));
    }
  }
}

template <class S, class A, int R>
void backward_panel(const PanelView<S, A>& v, const Runner* run) {
  A* t = v.scratch;
  load_own<S, A, R>(v, t);
  load_below<S, A, R>(v, t + v.layout.own_chunks * rows * R);
  if (run && v.layout.values() >= wide_panel) {
    backward_wide<S, A, R>(v, *run, t);
  } else {
    for (int c = v.layout.blocks - 1; c >= 0; --c) {
      const int first = PanelLayout::first_chunk(c);
      alignas(64) A sum[columns * R] = {};
      add_dots<S, A, R>(v.chunks(c), v.chunks(c) - ahead, v.layout.chunks - first, t + first * rows * R, sum);
      apply_inverse_transposed<S, A, R>(v.block(c), sum, own<A, R>(t, c));
    }
  }
  store_own<S, A, R>(v, t);
}

}  // namespace resilin::panel
