// How the columns of a supernode lie in memory for the triangular solves, which stream them twice from first
// to last:
//
//   columns 0 to 3:  the inverse of their 4 x 4 diagonal triangle (16), then chunks of 8 rows x 4 columns (32)
//   columns 4 to 7:  the same, and so on
//
// A chunk holds column 0's 8 rows, column 1's, ... Rows: the supernode's own columns padded to a multiple of
// 8, then the rows below, padded likewise. Block c starts at the first chunk with an entry below its diagonal
// triangle: for even c that chunk's upper half is zero. Padding: zero, with ones on the diagonal.
//
// Wide panels whose rows are shared among threads are tiled: 32 blocks at a time, first the rows that these
// columns own, as above, then the rows further down in tiles, each with all 32 blocks, so that what one thread
// reads is one stream.
#pragma once
#include <algorithm>
#include <cstdint>

namespace resilin {

struct PanelLayout {
  static constexpr int columns = 4, rows = 8, triangle = columns * columns, chunk = columns * rows;
  static constexpr int group_blocks = 32, most_tiles = 8;
  static constexpr std::int64_t wide = 1 << 16;  // values from which a panel is shared out
  static constexpr int tile_values = 1 << 12;    // in one tile, at least

  PanelLayout(int own_width, int rows_below, bool shared = false)
      : width(own_width),
        below(rows_below),
        blocks((width + 3) / 4),
        own_chunks((width + 7) / 8),
        chunks(own_chunks + (below + 7) / 8),
        tiled(shared && values() >= wide) {}

  /// Blocks whose rows from chunk `last` on are cut into `tiles` of `height` chunks: a fixed rule, without
  /// regard to threads. Not tiled: all blocks, with all rows as their own.
  struct Group {
    int begin, end, last, height, tiles;
  };
  Group group_of(int c) const {
    if (!tiled) return {0, blocks, chunks, 0, 0};
    const int begin = c / group_blocks * group_blocks, end = std::min(blocks, begin + group_blocks);
    const int last = std::min((end + 1) / 2, own_chunks), count = chunks - last;
    const std::int64_t wanted = static_cast<std::int64_t>(count) * chunk * (end - begin) / tile_values;
    const int bounded = static_cast<int>(std::clamp<std::int64_t>(wanted, 1, most_tiles));
    const int height = std::max(1, (count + bounded - 1) / bounded);
    return {begin, end, last, height, (count + height - 1) / height};
  }

  static int first_chunk(int c) { return (c + 1) / 2; }
  /// Values of the blocks before block c; block `blocks` gives the total.
  std::int64_t offset(int c) const {
    const std::int64_t n = c;
    return triangle * n + chunk * (n * chunks - n * n / 4);
  }
  std::int64_t values() const { return offset(blocks); }

  /// Where block c starts: its triangle, then its chunks up to the last one of its group.
  std::int64_t block(const Group& g, int c) const {
    return offset(c) - static_cast<std::int64_t>(chunk) * (c - g.begin) * (chunks - g.last);
  }
  /// Where a tile of the group starts: the chunks of its first block, of the second, ...
  std::int64_t tile(const Group& g, int t) const {
    return block(g, g.end) + static_cast<std::int64_t>(chunk) * (g.end - g.begin) * g.height * t;
  }
  int tile_height(const Group& g, int t) const { return std::min(g.height, chunks - g.last - g.height * t); }

  int width, below, blocks, own_chunks, chunks;  ///< width and below in scalars
  bool tiled;
};

}  // namespace resilin
