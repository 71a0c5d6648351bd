// Supernodal Cholesky, A = L L^T, by the multifrontal method: each supernode gathers its part of A and the
// update matrices of its children (in fixed order), factorises its columns densely and leaves an update
// matrix for its parent. Tasks of the Symbolic run in parallel; in the top, tiles of one front do. Tiles and
// order of sums never depend on the number of threads. The columns of L go to a sink, which stores them as it
// likes. Called by SupernodalCholesky.
#pragma once
#include "core/thread_pool.h"
#include "linear/linear_solver.h"
#include "linear/symbolic.h"

namespace resilin {

/// Runs parts on the pool, or one after the other where the pool is already busy with tasks.
class Runner {
 public:
  explicit Runner(ThreadPool* pool = nullptr) : pool_(pool) {}
  void operator()(int parts, FunctionRef<void(int)> run) const {
    if (pool_ && parts > 1) return pool_->parallel(parts, run);
    for (int part = 0; part < parts; ++part) run(part);
  }

 private:
  ThreadPool* pool_;
};

/// Receives the finished columns of a supernode: (width + below) x width scalars, column-major, without gaps.
using PanelSink = FunctionRef<void(int node, const double* panel, const Runner& run)>;

Factorisation factorise_multifrontal(const Symbolic& symbolic, const SymmetricMatrix& a, ThreadPool& pool,
                                     PanelSink sink);

}  // namespace resilin
