// Low-rank parts of the Hessian in a linear solve: couplings (resilin/coupling.h), and bodies that touch. With B
// the inverse Hessian without them, whatever approximates it, and G the vectors g of R^3n, each with a stiffness,
//
//   (B^-1 + sum k g g^T)^-1 = B - B G (K^-1 + G^T B G)^-1 G^T B                     (Woodbury)
//
// so they cost one solve each when B or the point changes, and no factorisation. B does not couple components: rows
// on different ones share a solve. Bodies that touch have a few mean rows for each interface: a patch of pairs with
// stiffness k_i and rows g_i becomes sum k_i times the square of their mean, which by Cauchy and Schwarz is never
// more than they are together. That is what a constant Hessian lacks: it gives relative rigid motions of two bodies
// M/tau^2 only. Shared by all solvers that have a global step.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "problem/problem.h"

namespace resilin {

class InterfaceRows {
 public:
  using Solve = FunctionRef<void(const double*, double*)>;
  /// Rows at y and B of them; solve(r, d) is B, d and r may be the same array.
  void update(Problem& problem, const double* y, bool interfaces, Solve solve);
  void clear() { rows_.clear(), pairs_.clear(), touched_ = 0; }
  /// Whether so many other pairs touch at y than at the last update that rows should be made anew.
  bool outdated(Problem& problem, const double* y);
  /// d = B r becomes the solution with the rows.
  void correct(const Problem& problem, double* d);
  /// All of it at once: d for r.
  void solve(Problem& problem, const double* y, const double* r, double* d, Solve solve);
  /// Those that touched when last asked.
  const std::vector<PairStiffness>& pairs() const { return pairs_; }
  int rows() const { return static_cast<int>(rows_.size()); }

 private:
  struct Row {
    std::vector<int> vertices;
    std::vector<double> gradient;  // g on `vertices`, zero where they are pinned
    double stiffness;
    std::vector<int> components;             // that it touches, ascending
    std::vector<double> column;              // B g on `parts`, one after the other: it is zero elsewhere
    std::vector<ComponentSet::Chunk> parts;  // ascending
    double along(const double* d) const;     // g^T d
    bool meets(const Row& other) const;
    const double* part(std::ptrdiff_t begin) const;  // the numbers of the column from there on; null: none
  };
  void add_global_energies(Problem& problem, const double* y);
  void add_interfaces(Problem& problem, const double* y);
  void add_patch(const Problem& problem, const double* y, std::span<const int> members);
  void add_mean(const Problem& problem, std::span<const int> members, const std::array<double, 3>* axis);
  void add(const Problem& problem, Row row);
  void make_columns(const Problem& problem, Solve solve);
  void factorise(std::size_t size);
  std::size_t count_rows() const;

  std::vector<Row> rows_;
  std::vector<PairStiffness> pairs_;
  std::size_t touched_ = 0;  // pairs in rows at the last update
  // Cholesky of K^-1 + G^T B G, lower triangle, row by row; row i is zero before column first_[i]. Rows of far
  // bodies do not meet.
  std::vector<double> factor_, pulls_;
  std::vector<std::size_t> first_;
  std::vector<double> load_;
};

}  // namespace resilin
