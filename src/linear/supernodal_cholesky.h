// The default LinearSolver: A = P^T L L^T P by supernodes, factorised in double, stored as S = float or
// double. The solve is the hottest loop of the library; its floor is streaming the stored factor twice:
//
//   forward   L y = P b: tasks (disjoint subtrees) in parallel, each adding what it owes to the top into its
//             own tail; the tails are summed in the order of tasks, then the top's supernodes, their tiles in
//             parallel
//   backward  L^T x = y: the top likewise; then the tasks
//
// Tasks, tails and tiles are fixed by the pattern, so x has the same bits for any number of threads.
#pragma once
#include <memory>
#include <vector>

#include "linear/linear_solver.h"
#include "linear/symbolic.h"

namespace resilin {

struct PanelLayout;
namespace panel {
template <class S, class A>
struct PanelView;
}

template <class S>
class SupernodalCholesky final : public LinearSolver {
 public:
  explicit SupernodalCholesky(OrderingMethod ordering = OrderingMethod::metis) : ordering_(ordering) {}

  void analyse(const SymmetricMatrix& a) override;
  Factorisation factorise(const SymmetricMatrix& a, ThreadPool& pool) override;
  void solve(const double* b, double* x, ThreadPool& pool) const override;
  std::size_t factor_bytes() const override { return sizeof(S) * static_cast<std::size_t>(panel_start_.back()); }
  std::int64_t factor_nonzeros() const override { return symbolic_.nonzeros; }

  /// The stored factor, for tests of its bits.
  const S* factor() const { return factor_.get(); }
  const Symbolic& symbolic() const { return symbolic_; }

 private:
  // The type of the arithmetic. Double on a float factor takes the error of x from 3e-6 to 2e-7 on a cube of 3.4k
  // vertices, and the time from 0.13 to 0.19 ms; where the factor is a preconditioner the time counts.
  using A = S;
  struct Free {
    void operator()(void* p) const;
  };
  template <class T>
  using Buffer = std::unique_ptr<T[], Free>;
  template <class T>
  static Buffer<T> allocate(std::size_t count);

  /// Where a task (or the top, the last one) keeps its vector and its supernode-sized scratch.
  struct Region {
    int begin, end;         // supernodes
    int column, own, tail;  // first column, number of columns, number of rows in the top
    A* vector;
    A* scratch;
  };

  void place_regions();
  void place_rows();
  PanelLayout layout(int node) const;
  panel::PanelView<S, A> view(int node, const Region& region) const;
  template <int R>
  void solve_with(const double* b, double* x, ThreadPool& pool) const;
  template <int R>
  void load_right_side(const Region& region, const double* b, double scale) const;
  template <int R>
  void store_solution(const Region& region, double* x, double scale) const;
  template <int R>
  void add_tails() const;
  template <int R>
  void copy_tail(int task) const;

  OrderingMethod ordering_;
  Symbolic symbolic_;
  bool factorised_ = false;
  std::vector<std::int64_t> panel_start_ = {0};
  std::vector<int> index_start_,
      index_;  // rows below, as places in the region's vector, padded to whole chunks
  std::vector<Region> region_;
  Buffer<S> factor_;
  Buffer<A> workspace_;  // written by solve() const: one solve at a time
};

extern template class SupernodalCholesky<float>;
extern template class SupernodalCholesky<double>;

}  // namespace resilin
