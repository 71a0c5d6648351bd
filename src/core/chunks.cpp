#include "core/chunks.h"

namespace resilin {
namespace {

typedef double Lanes __attribute__((vector_size(64), aligned(8), may_alias));
constexpr int tile = 4;  // running sums of 8 lanes: enough to hide the latency of a fused multiply-add

const Lanes& lanes_at(const double* p) { return *reinterpret_cast<const Lanes*>(p); }

double total(const Lanes& s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }

}  // namespace

double chunk_dot(const double* a, const double* b, std::ptrdiff_t n) {
  Lanes sum[tile] = {};
  std::ptrdiff_t i = 0;
  for (; i + 8 * tile <= n; i += 8 * tile)
    for (int j = 0; j < tile; ++j) sum[j] += lanes_at(a + i + 8 * j) * lanes_at(b + i + 8 * j);
  for (; i + 8 <= n; i += 8) sum[0] += lanes_at(a + i) * lanes_at(b + i);
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return total((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

void chunk_combine(double factor, const double* v, std::span<const Scaled> add, double* out, std::ptrdiff_t begin,
                   std::ptrdiff_t end) {
  std::ptrdiff_t k = begin;
  for (; k + 8 * tile <= end; k += 8 * tile) {
    Lanes sum[tile];
    for (int j = 0; j < tile; ++j) sum[j] = factor * lanes_at(v + k + 8 * j);
    for (const Scaled& one : add)
      for (int j = 0; j < tile; ++j) sum[j] += one.factor * lanes_at(one.vector + k + 8 * j);
    for (int j = 0; j < tile; ++j) *reinterpret_cast<Lanes*>(out + k + 8 * j) = sum[j];
  }
  for (; k < end; ++k) {
    double sum = factor * v[k];
    for (const Scaled& one : add) sum += one.factor * one.vector[k];
    out[k] = sum;
  }
}

}  // namespace resilin
