// How the columns of a supernode lie in memory for the triangular solves, which stream them twice from first
// to last:
//
//   columns 0 to 3:  the inverse of their 4 x 4 diagonal triangle (16), then chunks of 8 rows x 4 columns (32)
//   columns 4 to 7:  the same, and so on
//
// A chunk holds column 0's 8 rows, column 1's, ... Rows: the supernode's own columns padded to a multiple of
// 8, then the rows below, padded likewise. Block c starts at the first chunk with an entry below its diagonal
// triangle: for even c that chunk's upper half is zero. Padding: zero, with ones on the diagonal.
#pragma once
#include <cstdint>

namespace resilin {

struct PanelLayout {
  static constexpr int columns = 4, rows = 8, triangle = columns * columns, chunk = columns * rows;

  PanelLayout(int width, int below)
      : width(width),
        below(below),
        blocks((width + 3) / 4),
        own_chunks((width + 7) / 8),
        chunks(own_chunks + (below + 7) / 8) {}

  static int first_chunk(int c) { return (c + 1) / 2; }
  /// Values before block c; block `blocks` gives the total.
  std::int64_t offset(int c) const {
    const std::int64_t n = c;
    return triangle * n + chunk * (n * chunks - n * n / 4);
  }
  std::int64_t values() const { return offset(blocks); }

  int width, below, blocks, own_chunks, chunks;  ///< width and below in scalars
};

}  // namespace resilin
