#include <Eigen/Dense>

#include "problem.h"

namespace resilin::reference {

VectorXd newton_direction(const Problem& problem, const VectorXd& x, const VectorXd& g) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(problem.tets.size() * 144);
  const std::vector<int>& free = problem.free_index;
  for (int v = 0; v < problem.vertices(); ++v)
    for (int k = 0; free[v] >= 0 && k < 3; ++k)
      triplets.emplace_back(3 * free[v] + k, 3 * free[v] + k, problem.mass[v] / (problem.step * problem.step));
  for (const Tet& tet : problem.tets) {
    const Matrix9d h = problem.solid.projected_hessian(problem.deformation(tet, x));
    Eigen::Matrix<double, 9, 12> d = Eigen::Matrix<double, 9, 12>::Zero();  // vec F = d x
    for (int r = 0; r < 3; ++r)
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k) {
          d(3 * r + k, 3 * (a + 1) + k) += tet.inverse_rest(a, r);
          d(3 * r + k, k) -= tet.inverse_rest(a, r);
        }
    const Eigen::Matrix<double, 12, 12> local = tet.volume * d.transpose() * h * d;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const int row = free[tet.vertex[a]], column = free[tet.vertex[b]];
        if (row < 0 || column < 0) continue;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            triplets.emplace_back(3 * row + i, 3 * column + j, local(3 * a + i, 3 * b + j));
      }
  }
  Eigen::SparseMatrix<double> matrix(3 * problem.free_count, 3 * problem.free_count);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(matrix);
  VectorXd packed(3 * problem.free_count);
  for (int v = 0; v < problem.vertices(); ++v)
    if (free[v] >= 0) packed.segment<3>(3 * free[v]) = -g.segment<3>(3 * v);
  packed = factor.solve(packed).eval();
  VectorXd out = VectorXd::Zero(g.size());
  for (int v = 0; v < problem.vertices(); ++v)
    if (free[v] >= 0) out.segment<3>(3 * v) = packed.segment<3>(3 * free[v]);
  return out;
}

}  // namespace resilin::reference
