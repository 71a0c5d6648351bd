// The vector operations of solvers, behind one interface: vectors of Objective::size() numbers, taken apart by
// connected component; sums are those of islands. A solver reads and writes its vectors by these and by the
// objective only, so that another memory can stand below. Owned by the Objective.
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

  virtual ~Vectors() = default;
  virtual int components() const = 0;
  virtual std::ptrdiff_t size() const = 0;

  // All of them on active components.
  virtual void copy(const double* from, double* to) = 0;
  virtual void copy(const double* from, double* to, Chosen chosen) = 0;
  /// to = from + length d
  virtual void step(const double* from, Length length, const double* d, double* to) = 0;
  /// to = from + share (other - from)
  virtual void mix(const double* from, double share, const double* other, double* to) = 0;
  /// to = factor v + sum of scaled vectors; to and v may be the same.
  virtual void combine(double factor, const double* v, std::span<const Scaled> add, double* to) = 0;
  /// The same with factors of each component: scales[c * vectors + i] of vectors[i], where takes_part(c, i).
  virtual void combine(double factor, const double* v, std::span<const double* const> vectors, const double* scales,
                       FunctionRef<bool(int, int)> takes_part, double* to) = 0;
  /// sums[c * pairs + i] = a . b of pair i
  virtual void dots(std::span<const Pair> pairs, std::vector<double>& sums) = 0;
  /// sums[c * vectors + i] = vectors[i] . v
  virtual void dots(std::span<const double* const> vectors, const double* v, std::vector<double>& sums) = 0;
  /// s and t; sums of each component: s.t, s.s, t.t, s.g_next, then other.t, other.g_next of every other.
  virtual void secant(const Secant& secant, std::vector<double>& sums) = 0;
};

/// In main memory, on the pool.
class HostVectors final : public Vectors {
 public:
  HostVectors(const ComponentSet& set, ThreadPool& pool) : set_(set), pool_(pool) {}

  int components() const override { return set_.count(); }
  std::ptrdiff_t size() const override { return set_.size(); }
  void copy(const double* from, double* to) override;
  void copy(const double* from, double* to, Chosen chosen) override;
  void step(const double* from, Length length, const double* d, double* to) override;
  void mix(const double* from, double share, const double* other, double* to) override;
  void combine(double factor, const double* v, std::span<const Scaled> add, double* to) override;
  void combine(double factor, const double* v, std::span<const double* const> vectors, const double* scales,
               FunctionRef<bool(int, int)> takes_part, double* to) override;
  void dots(std::span<const Pair> pairs, std::vector<double>& sums) override;
  void dots(std::span<const double* const> vectors, const double* v, std::vector<double>& sums) override;
  void secant(const Secant& secant, std::vector<double>& sums) override;

 private:
  const ComponentSet& set_;
  ThreadPool& pool_;
  std::vector<double> scratch_;
};

}  // namespace resilin
