// Solves A x = b with a symmetric positive definite A. Solvers and integrators call it in delta form, A d =
// -g, so that a float factor corrects itself. It must not know what A stands for.
//
//   solver->analyse(a);                     once per pattern
//   if (!solver->factorise(a, pool).positive_definite) ...   once per set of values
//   solver->solve(g, d, pool);              often: no allocation, the same bits for any number of threads
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace resilin {

class SymmetricMatrix;
class ThreadPool;

/// How a factorisation ended. When A is not positive definite (or holds a NaN or infinity): the block row, in
/// the caller's numbering, whose pivot failed, and that pivot. The factor must then not be used.
struct Factorisation {
  bool positive_definite = true;
  int row = -1;
  double pivot = 0;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Orders and plans for the pattern of `a`; its values are not read.
  virtual void analyse(const SymmetricMatrix& a) = 0;
  /// Factorises the values of `a`, whose pattern must be the analysed one.
  virtual Factorisation factorise(const SymmetricMatrix& a, ThreadPool& pool) = 0;
  /// x = A^-1 b; b and x may be the same array. Block size 1: n x 3, row-major; block size 3: 3n. Uses a
  /// workspace of this object: one solve at a time.
  virtual void solve(const double* b, double* x, ThreadPool& pool) const = 0;
  /// Bytes that a solve reads twice: its floor is that over the memory bandwidth.
  virtual std::size_t factor_bytes() const = 0;
  /// Structural nonzeros of L, without padding.
  virtual std::int64_t factor_nonzeros() const = 0;
};

struct LinearSolverPlugin {
  std::string doc;
  std::function<std::unique_ptr<LinearSolver>()> make;
};

}  // namespace resilin
