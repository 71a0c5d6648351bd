// Loops over vectors on the pool, below Vectors. Sums run over fixed chunks in fixed order, so they do not depend
// on the thread count.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/thread_pool.h"

namespace resilin {

constexpr std::ptrdiff_t vector_chunk = 6144;  // doubles; a multiple of 3 and 8
// Doubles of a chunk that several vectors are combined on while they stay in L1.
constexpr std::ptrdiff_t vector_block = 768;

inline int chunk_count(std::ptrdiff_t n) { return static_cast<int>((n + vector_chunk - 1) / vector_chunk); }

/// run(begin, end) for each chunk of [0, n).
template <class Run>
void for_chunks(ThreadPool& pool, std::ptrdiff_t n, Run&& run) {
  pool.parallel(chunk_count(n),
                [&](int c) { run(c * vector_chunk, std::min<std::ptrdiff_t>(n, (c + 1) * vector_chunk)); });
}

/// run(begin, end) for each block of a chunk.
template <class Run>
void for_blocks(std::ptrdiff_t begin, std::ptrdiff_t end, Run&& run) {
  for (std::ptrdiff_t b = begin; b < end; b += vector_block) run(b, std::min(end, b + vector_block));
}

/// K sums at once: run(begin, end) returns std::array<double, K> of its chunk.
template <std::size_t K, class Run>
std::array<double, K> sum_chunks(ThreadPool& pool, std::ptrdiff_t n, std::vector<double>& scratch, Run&& run) {
  const int chunks = chunk_count(n);
  scratch.resize(static_cast<std::size_t>(chunks) * K);
  pool.parallel(chunks, [&](int c) {
    const std::array<double, K> part = run(c * vector_chunk, std::min<std::ptrdiff_t>(n, (c + 1) * vector_chunk));
    for (std::size_t k = 0; k < K; ++k) scratch[c * K + k] = part[k];
  });
  std::array<double, K> total{};
  for (int c = 0; c < chunks; ++c)
    for (std::size_t k = 0; k < K; ++k) total[k] += scratch[c * K + k];
  return total;
}

/// Dot product of one chunk.
double chunk_dot(const double* a, const double* b, std::ptrdiff_t n);

struct Scaled {
  double factor;
  const double* vector;
};
/// out = factor v + sum of scaled vectors on [begin, end), each read once; out and v may be the same array.
void chunk_combine(double factor, const double* v, std::span<const Scaled> add, double* out, std::ptrdiff_t begin,
                   std::ptrdiff_t end);

}  // namespace resilin
