// Rows of rank one in a linear solve. With B the operator inside and G the vectors g of R^n, each with a stiffness
// k,
//
//   (B^-1 + sum k g g^T)^-1 = B - B G (K^-1 + G^T B G)^-1 G^T B                     (Woodbury)
//
// so that rows cost one product with B each when B or the rows change, and no factorisation: energies of many
// vertices (resilin/global_energy.h), drags, and interfaces of bodies (interface_rows.h). B does not couple
// components: rows on different ones share a product.
#pragma once
#include <vector>

#include "linear/dense.h"
#include "problem/problem.h"
#include "solvers/precondition/operator.h"

namespace resilin {

class LowRank final : public Operator {
 public:
  explicit LowRank(Operator& inner) : inner_(inner) {}
  /// The rows of a stage; entries on pinned rows of unknowns do not count. `version`: of B; while it stays, rows of
  /// before keep their columns. 0: B is another one each time.
  void set(Problem& problem, std::vector<RankOneStiffness> rows, std::uint64_t version = 0);
  void clear() { rows_.clear(); }
  int rows() const { return static_cast<int>(rows_.size()); }
  void apply(const double* r, double* d) override {
    inner_.apply(r, d);
    correct(d);
  }
  /// d = B r becomes the solution with the rows.
  void correct(double* d);

 private:
  struct Row : RankOneStiffness {
    std::vector<int> components;             // that it touches, ascending
    std::vector<double> column;              // B g on `parts`, one after the other: it is zero elsewhere
    std::vector<ComponentSet::Chunk> parts;  // ascending
    double along(const double* d) const;     // g^T d
    bool meets(const Row& other) const;
    const double* part(std::ptrdiff_t begin) const;  // the numbers of the column from there on; null: none
  };
  Row make_row(RankOneStiffness stiffness) const;
  void keep_columns(std::vector<Row>& before);
  void make_columns();
  void make_columns(std::span<const std::size_t> rows);
  void factorise();

  Operator& inner_;
  Problem* problem_ = nullptr;
  std::uint64_t version_ = 0;
  std::vector<Row> rows_;
  DenseCholesky capacitance_;  // K^-1 + G^T B G; rows of far bodies do not meet
  std::vector<double> loads_, wide_;
};

/// Rows of drags, for solvers that hold them neither in a factor nor in rows of contact.
std::vector<RankOneStiffness> drag_rows(Problem& problem);

}  // namespace resilin
