// Forward and backward substitution with one supernode: gather its rows into a small dense vector, run the
// kernels of panel_kernels.h over its column blocks, scatter back. Wide supernodes of the top share their
// tiles among the threads: the tiles, and the order in which their sums are added, are fixed by the layout, so
// the split changes no bit. Called by SupernodalCholesky; knows neither trees nor tasks.
#pragma once
#include <algorithm>
#include <cstring>

#include "linear/multifrontal.h"
#include "linear/panel_kernels.h"

namespace resilin::panel {

// Values that a block row takes in a region's vector: x, y, z and padding, or the three scalars of a block.
template <int R>
constexpr int stride = R == 3 ? 4 : 3;

// Sums of one group of blocks, for each of its tiles.
constexpr int scratch_sums = PanelLayout::most_tiles * PanelLayout::group_blocks * columns;

template <class S, class A>
struct PanelView {
  PanelLayout layout;
  const S* panel;
  const int* index;  // places of the rows below in `vector`, in block rows
  A* vector;
  A* own;      // the part of `vector` that holds the supernode's columns
  A* scratch;  // chunks * 8 * R values, then scratch_sums * R
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

/// The blocks of a group of the forward substitution, on the rows that are not in tiles.
template <class S, class A, int R>
void forward_blocks(const PanelView<S, A>& v, const PanelLayout::Group& g, A* t) {
  const S* l = v.panel + v.layout.block(g, g.begin);
  for (int c = g.begin; c < g.end; ++c) {
    const int first = PanelLayout::first_chunk(c);
    A* tc = own<A, R>(t, c);
    apply_inverse<S, A, R>(l, tc);
    l += PanelLayout::triangle;
    subtract_columns<S, A, R>(l, g.last - first, tc, t + first * rows * R);
    l += chunk * (g.last - first);
  }
}

template <class S, class A, int R>
void forward_tiles(const PanelView<S, A>& v, const PanelLayout::Group& g, const Runner& run, A* t) {
  run(g.tiles, [&](int tile) {
    const int height = v.layout.tile_height(g, tile);
    const S* l = v.panel + v.layout.tile(g, tile);
    A* to = t + (g.last + g.height * tile) * rows * R;
    for (int c = g.begin; c < g.end; ++c, l += chunk * height)
      subtract_columns<S, A, R>(l, height, own<A, R>(t, c), to);
  });
}

/// run: null where the caller is itself a part of a parallel loop; panels are not tiled there.
template <class S, class A, int R>
void forward_panel(const PanelView<S, A>& v, const Runner* run) {
  A* t = v.scratch;
  A* below = t + v.layout.own_chunks * rows * R;
  load_own<S, A, R>(v, t);
  std::fill(below, t + v.layout.chunks * rows * R, A(0));
  for (int c = 0; c < v.layout.blocks;) {
    const PanelLayout::Group g = v.layout.group_of(c);
    forward_blocks<S, A, R>(v, g, t);
    if (g.tiles > 0) forward_tiles<S, A, R>(v, g, *run, t);
    c = g.end;
  }
  store_own<S, A, R>(v, t);
  scatter_below<S, A, R>(v, below);
}

/// sums[tile][block]: what the tiles of a group add to its blocks.
template <class S, class A, int R>
void backward_tiles(const PanelView<S, A>& v, const PanelLayout::Group& g, const Runner& run, const A* t, A* sums) {
  run(g.tiles, [&](int part) {
    const int tile = g.tiles - 1 - part, height = v.layout.tile_height(g, tile);
    const S* l = v.panel + v.layout.tile(g, tile) + static_cast<std::ptrdiff_t>(chunk) * height * (g.end - g.begin);
    const A* from = t + (g.last + g.height * tile) * rows * R;
    A* sum = sums + (static_cast<std::ptrdiff_t>(tile) * PanelLayout::group_blocks + g.end - g.begin) * columns * R;
    for (int c = g.begin; c < g.end; ++c) {
      l -= chunk * height;
      sum -= columns * R;
      std::fill(sum, sum + columns * R, A(0));
      add_dots<S, A, R>(l, height, from, sum);
    }
  });
}

template <class S, class A, int R>
void backward_blocks(const PanelView<S, A>& v, const PanelLayout::Group& g, A* t, const A* sums) {
  for (int c = g.end - 1; c >= g.begin; --c) {
    const int first = PanelLayout::first_chunk(c);
    alignas(64) A sum[columns * R] = {};
    for (int tile = 0; tile < g.tiles; ++tile)
      for (int i = 0; i < columns * R; ++i)
        sum[i] +=
            sums[(static_cast<std::ptrdiff_t>(tile) * PanelLayout::group_blocks + c - g.begin) * columns * R + i];
    const S* l = v.panel + v.layout.block(g, c);
    add_dots<S, A, R>(l + PanelLayout::triangle, g.last - first, t + first * rows * R, sum);
    apply_inverse_transposed<S, A, R>(l, sum, own<A, R>(t, c));
  }
}

template <class S, class A, int R>
void backward_panel(const PanelView<S, A>& v, const Runner* run) {
  A* t = v.scratch;
  A* sums = t + v.layout.chunks * rows * R;
  load_own<S, A, R>(v, t);
  load_below<S, A, R>(v, t + v.layout.own_chunks * rows * R);
  for (int c = v.layout.blocks - 1; c >= 0;) {
    const PanelLayout::Group g = v.layout.group_of(c);
    if (g.tiles > 0) backward_tiles<S, A, R>(v, g, *run, t, sums);
    backward_blocks<S, A, R>(v, g, t, sums);
    c = g.begin - 1;
  }
  store_own<S, A, R>(v, t);
}

}  // namespace resilin::panel
