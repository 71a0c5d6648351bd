// The operations of solvers on vectors of Space::size() numbers, taken apart by connected component; sums are those
// of islands.
#pragma once
#include <span>
#include <vector>

#include "core/chunks.h"
#include "problem/components.h"

namespace resilin {

class Vectors {
 public:
  using Chosen = FunctionRef<bool(int component)>;
  using Length = FunctionRef<double(int component)>;
  struct Pair {
    const double *a, *b;
  };
  /// What a secant pair is made of, and what is wanted of it.
  struct Secant {
    const double *y, *y_next, *g, *g_next;
    double *s, *t;                          // y_next - y, g_next - g
    std::span<const double* const> others;  // earlier s
  };

  Vectors(const ComponentSet& set, ThreadPool& pool) : set_(set), pool_(pool) {}
  int components() const { return set_.count(); }
  std::ptrdiff_t size() const { return set_.size(); }

  // All of them on active components.
  void copy(const double* from, double* to);
  void copy(const double* from, double* to, Chosen chosen);
  /// to = from + length d
  void step(const double* from, Length length, const double* d, double* to);
  /// to = from + share (other - from)
  void mix(const double* from, double share, const double* other, double* to);
  /// to = factor v + sum of scaled vectors; to and v may be the same.
  void combine(double factor, const double* v, std::span<const Scaled> add, double* to);
  /// The same with factors of each component: scales[c * vectors + i] of vectors[i], where takes_part(c, i).
  void combine(double factor, const double* v, std::span<const double* const> vectors, const double* scales,
               FunctionRef<bool(int, int)> takes_part, double* to);
  /// sums[c * pairs + i] = a . b of pair i
  void dots(std::span<const Pair> pairs, std::vector<double>& sums);
  /// sums[c * vectors + i] = vectors[i] . v
  void dots(std::span<const double* const> vectors, const double* v, std::vector<double>& sums);
  /// to = v + factor other; to and v may be the same.
  void add(const double* v, double factor, const double* other, double* to);
  /// a . b, of all islands
  double dot(const double* a, const double* b);
  /// s and t; sums of each component: s.t, s.s, t.t, s.g_next, then other.t, other.g_next of every other.
  void secant(const Secant& secant, std::vector<double>& sums);

 private:
  const ComponentSet& set_;
  ThreadPool& pool_;
  std::vector<double> scratch_, sums_;
};

}  // namespace resilin
