// Worst errors of svd3 over a stream of hard matrices, for the tests (2e5 matrices) and for the experiment
// that runs 1e7. The stream cycles through kinds: random, near identity, rank 0 to 2, repeated and nearly
// repeated singular values, huge condition numbers, triangular, diagonal, reflections, integer entries,
// scales 1e-300 to 1e150.
#pragma once

#include <cstdint>

namespace resilin {

struct SvdWorst {
  double residual = 0;          // |U S V^T - F| / max(|F|, smallest normal number)
  double orthogonality = 0;     // max entry of |U^T U - 1|, |V^T V - 1|
  double determinant = 0;       // |det U - 1|, |det V - 1|
  std::int64_t disordered = 0;  // matrices without s0 >= s1 >= |s2|
  std::int64_t wrong_sign = 0;  // matrices with sign(s2) != sign(det F) where det F is beyond rounding
  std::int64_t not_finite = 0;
  std::int64_t count = 0;
};

// The same result for the same seed on every machine. Rounds `count` up to whole packs.
SvdWorst svd_torture(std::int64_t count, std::uint64_t seed);

}  // namespace resilin
