// CHOLMOD's supernodal Cholesky as a LinearSolver, to compare with. Its supernodal module is GPL: this file is
// not in the default build; whoever lists it links cholmod and accepts that licence for the result.
#include <cholmod.h>

#include <algorithm>
#include <cassert>

#include "linear/linear_solver.h"
#include "linear/sparse_matrix.h"

namespace resilin {
namespace {

class Cholmod final : public LinearSolver {
 public:
  Cholmod() {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
  }
  ~Cholmod() override {
    release();
    cholmod_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  void analyse(const SymmetricMatrix& a) override {
    release();
    size_ = a.size();
    block_ = a.block();
    if (size_ == 0) return;
    copy(a);
    factor_ = cholmod_analyze(matrix_, &common_);
  }

  Factorisation factorise(const SymmetricMatrix& a, ThreadPool&) override {
    if (size_ == 0) return {};
    cholmod_free_sparse(&matrix_, &common_);
    copy(a);
    cholmod_factorize(matrix_, factor_, &common_);
    if (common_.status == CHOLMOD_OK) return {};
    const int* order = static_cast<const int*>(factor_->Perm);
    const std::size_t column = std::min(factor_->minor, factor_->n - 1);
    return {false, order[column] / block_, 0};  // CHOLMOD keeps the column, not the pivot
  }

  void solve(const double* b, double* x, ThreadPool&) const override {
    if (size_ == 0) return;
    const int rows = size_ * block_, sides = 3 / block_;
    cholmod_dense* right = cholmod_allocate_dense(rows, sides, rows, CHOLMOD_REAL, &common_);
    double* to = static_cast<double*>(right->x);
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < sides; ++k) to[i + static_cast<std::size_t>(rows) * k] = b[sides * i + k];
    cholmod_dense* result = cholmod_solve(CHOLMOD_A, factor_, right, &common_);
    const double* from = static_cast<const double*>(result->x);
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < sides; ++k) x[sides * i + k] = from[i + static_cast<std::size_t>(rows) * k];
    cholmod_free_dense(&right, &common_);
    cholmod_free_dense(&result, &common_);
  }

  std::size_t factor_bytes() const override { return factor_ ? factor_->xsize * sizeof(double) : 0; }
  std::int64_t factor_nonzeros() const override { return static_cast<std::int64_t>(common_.lnz); }

 private:
  void release() {
    cholmod_free_sparse(&matrix_, &common_);
    cholmod_free_factor(&factor_, &common_);
  }

  // The lower triangle by block rows is the upper triangle by columns, which is what CHOLMOD takes.
  void copy(const SymmetricMatrix& a) {
    const int n = size_ * block_, b = block_;
    std::size_t count = 0;  // whole blocks, less the strict lower part of the diagonal one
    for (int i = 0; i < size_; ++i) count += std::size_t(b) * b * (a.start[i + 1] - a.start[i]) - b * (b - 1) / 2;
    matrix_ = cholmod_allocate_sparse(n, n, count, true, true, 1, CHOLMOD_REAL, &common_);
    int* start = static_cast<int*>(matrix_->p);
    int* index = static_cast<int*>(matrix_->i);
    double* value = static_cast<double*>(matrix_->x);
    int at = 0;
    for (int i = 0; i < size_; ++i)
      for (int r = 0; r < b; ++r) {
        start[b * i + r] = at;
        for (int s = a.start[i]; s < a.start[i + 1]; ++s)
          for (int c = 0; c < b && (a.column[s] < i || c <= r); ++c) {
            index[at] = b * a.column[s] + c;
            value[at++] = a.value[(std::size_t(s) * b + r) * b + c];
          }
      }
    start[n] = at;
    assert(static_cast<std::size_t>(at) == count);
  }

  int size_ = 0, block_ = 1;
  mutable cholmod_common common_;
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};

}  // namespace

LinearSolverPlugin linear_cholmod() {
  return {"Supernodal Cholesky of CHOLMOD (GPL), in double precision on one thread. For comparisons.",
          [] { return std::make_unique<Cholmod>(); }};
}

}  // namespace resilin
