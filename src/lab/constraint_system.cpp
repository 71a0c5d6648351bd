// Eigen's kernels for AVX-512 make GCC 12 warn about its own intrinsics.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include "lab/constraint_system.h"

#include <algorithm>

#include "simd/pack.h"

namespace resilin::lab {
namespace {

// Elements in their own order, the last pack filled up with the last element.
std::vector<int> slots(int elements) {
  std::vector<int> out((elements + lanes - 1) / lanes * lanes);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::min(static_cast<int>(i), elements - 1);
  return out;
}

struct Visited {
  int row;                  // of the constraint
  double value, stiffness;  // c, k V
  const int* vertices;
  const double* gradient;  // 3 per corner
};

// Calls f(Visited) for every constraint of a form on its elements.
template <class F>
void visit(const Elements& elements, const CompliantForm& form, int first, const Eigen::VectorXd& q, F&& f) {
  const int rows = elements.rows(), corners = elements.corners(), m = form.constraints();
  alignas(64) double z[9 * lanes], value[most_constraints * lanes], k[most_constraints * lanes],
      dz[most_constraints * 9 * lanes];
  double gradient[3 * 4];
  for (int pack = 0; pack * lanes < elements.size(); ++pack) {
    std::fill_n(z, 9 * lanes, 0.0);
    for (int l = 0; l < lanes; ++l) {
      const int e = std::min(pack * lanes + l, elements.size() - 1);
      for (int r = 0; r < rows; ++r)
        for (int a = 0; a < corners; ++a)
          for (int d = 0; d < 3; ++d)
            z[(3 * r + d) * lanes + l] +=
                elements.coefficients(e)[r * corners + a] * q[3 * elements.vertices(e)[a] + d];
    }
    Block block;
    block.rows = rows, block.packs = 1, block.first = pack, block.z = z;
    form.evaluate(block, {value, dz, k});
    for (int l = 0; l < lanes && pack * lanes + l < elements.size(); ++l)
      for (int j = 0; j < m; ++j) {
        const int e = pack * lanes + l;
        for (int a = 0; a < corners; ++a)
          for (int d = 0; d < 3; ++d) {
            double sum = 0;
            for (int r = 0; r < rows; ++r)
              sum += elements.coefficients(e)[r * corners + a] * dz[((j * rows + r) * 3 + d) * lanes + l];
            gradient[3 * a + d] = sum;
          }
        f(Visited{first + e * m + j, value[j * lanes + l], k[j * lanes + l] * elements.measure(e),
                  elements.vertices(e).data(), gradient});
      }
  }
}

}  // namespace

ConstraintSystem::ConstraintSystem(const Model& model, double tau) {
  int count = 0;
  for (const Term& term : model.terms)
    for (const auto& potential : term.elastic) {
      parts_.push_back({&term.elements, potential->compliant_form(slots(term.elements.size())), count});
      parts_.back().form->set_time(tau);
      count += term.elements.size() * parts_.back().form->constraints();
    }
  mass_.resize(static_cast<Eigen::Index>(model.rest.size()));
  for (Eigen::Index i = 0; i < mass_.size(); ++i) mass_[i] = model.mass[i / 3];
  compliance_.resize(count);
  const Eigen::VectorXd rest = Eigen::Map<const Eigen::VectorXd>(model.rest.data(), mass_.size());
  for (const Part& part : parts_)
    visit(*part.elements, *part.form, part.first, rest,
          [&](const Visited& c) { compliance_[c.row] = c.stiffness; });
  compliance_ = (compliance_ * (tau * tau)).cwiseInverse().eval();
}

void ConstraintSystem::evaluate(const Eigen::VectorXd& q, Eigen::VectorXd& c, Eigen::MatrixXd& jacobian) const {
  c.setZero(constraints());
  jacobian.setZero(constraints(), mass_.size());
  for (const Part& part : parts_)
    visit(*part.elements, *part.form, part.first, q, [&](const Visited& one) {
      c[one.row] = one.value;
      for (int i = 0; i < 3 * part.elements->corners(); ++i)
        jacobian(one.row, 3 * one.vertices[i / 3] + i % 3) = one.gradient[i];
    });
}

Eigen::VectorXd ConstraintSystem::force(const Eigen::VectorXd& q, const Eigen::VectorXd& lambda) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(q.size());
  for (const Part& part : parts_)
    visit(*part.elements, *part.form, part.first, q, [&](const Visited& one) {
      for (int i = 0; i < 3 * part.elements->corners(); ++i)
        out[3 * one.vertices[i / 3] + i % 3] += lambda[one.row] * one.gradient[i];
    });
  return out;
}

Eigen::MatrixXd ConstraintSystem::geometric(const Eigen::VectorXd& q, const Eigen::VectorXd& lambda) const {
  const double step = 1e-6 * (q.maxCoeff() - q.minCoeff());
  Eigen::MatrixXd out(q.size(), q.size());
  Eigen::VectorXd moved = q;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    moved[i] = q[i] - step;
    const Eigen::VectorXd before = force(moved, lambda);
    moved[i] = q[i] + step;
    out.col(i) = (force(moved, lambda) - before) / (2 * step);
    moved[i] = q[i];
  }
  return (out + out.transpose()) / 2;
}

bool global_step(const ConstraintSystem& system, const Eigen::VectorXd& target, const GlobalStep& kind,
                 GlobalState& state) {
  const Eigen::Index n = target.size(), m = system.constraints();
  Eigen::VectorXd c, right(n + m);
  Eigen::MatrixXd jacobian, matrix = Eigen::MatrixXd::Zero(n + m, n + m);
  system.evaluate(state.q, c, jacobian);
  matrix.topLeftCorner(n, n) = system.mass().asDiagonal();
  if (kind.geometric) matrix.topLeftCorner(n, n) -= system.geometric(state.q, state.lambda);
  matrix.topRightCorner(n, m) = -jacobian.transpose();
  matrix.bottomLeftCorner(m, n) = jacobian;
  matrix.bottomRightCorner(m, m) = system.compliance().asDiagonal();
  right.head(n).setZero();
  if (kind.inertial)
    right.head(n) = jacobian.transpose() * state.lambda - system.mass().cwiseProduct(state.q - target);
  right.tail(m) = -c - system.compliance().cwiseProduct(state.lambda);
  const Eigen::VectorXd step = matrix.partialPivLu().solve(right);
  const auto moved = [&](double length) {
    return GlobalState{state.q + length * step.head(n), state.lambda + length * step.tail(m)};
  };
  const auto merit = [&](const GlobalState& at) {
    const auto r = residuals(system, target, at);
    return r[0] * r[0] + r[1] * r[1];
  };
  const double before = kind.search ? merit(state) : 0;
  double length = 1;
  for (int i = 0; kind.search && !(merit(moved(length)) < before); ++i, length /= 2)
    if (i == 40) return false;
  state = moved(length);
  return true;
}

std::array<double, 2> residuals(const ConstraintSystem& system, const Eigen::VectorXd& target,
                                const GlobalState& state) {
  Eigen::VectorXd c;
  Eigen::MatrixXd jacobian;
  system.evaluate(state.q, c, jacobian);
  const Eigen::VectorXd g = system.mass().cwiseProduct(state.q - target) - jacobian.transpose() * state.lambda;
  return {
      g.cwiseQuotient(system.mass().cwiseSqrt()).norm(),
      (c + system.compliance().cwiseProduct(state.lambda)).cwiseQuotient(system.compliance().cwiseSqrt()).norm()};
}

}  // namespace resilin::lab
