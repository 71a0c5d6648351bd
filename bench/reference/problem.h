// Private to the plain reference: the problem of one frame, and what a direction needs from it.
#pragma once
#include <Eigen/SparseCholesky>
#include <deque>
#include <vector>

#include "energy.h"

namespace resilin::reference {

/// E(x) = 1/(2 h^2) |x - target|_M^2 + sum of elements, over all vertices; pinned ones have gradient zero.
struct Problem {
  std::vector<Tet> tets;
  std::vector<Spring> springs;
  Solid solid;
  std::vector<double> mass;
  std::vector<int> free_index;  // -1: pinned
  int free_count = 0;
  double step;
  VectorXd target;

  Problem(const Model& model, const Constants& constants, double h);
  int vertices() const { return static_cast<int>(mass.size()); }
  Matrix3d deformation(const Tet& tet, const VectorXd& x) const;
  /// E(x), and its gradient into g.
  double evaluate(const VectorXd& x, VectorXd& g) const;
  /// M/h^2 + L on the free vertices.
  Eigen::SparseMatrix<double> constant_hessian() const;
};

/// Alg. 2: two loops over the last pairs around a solve with the constant Hessian.
class LbfgsDirection {
 public:
  LbfgsDirection(const Problem& problem, int history);
  void begin() { pairs_.clear(); }
  VectorXd direction(const VectorXd& g) const;
  void accepted(const VectorXd& s, const VectorXd& t);

 private:
  VectorXd solve(const VectorXd& q) const;
  struct Pair {
    VectorXd s, t;
    double rho;
  };
  const Problem& problem_;
  int history_;
  std::deque<Pair> pairs_;  // newest first
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor_;
};

/// Newton: assembles and factorises the projected Hessian at x.
VectorXd newton_direction(const Problem& problem, const VectorXd& x, const VectorXd& g);

}  // namespace resilin::reference
