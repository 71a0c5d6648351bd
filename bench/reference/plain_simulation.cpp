#include "plain_simulation.h"

#include <Eigen/Dense>
#include <optional>

#include "problem.h"
#include "resilin/errors.h"

namespace resilin::reference {

Problem::Problem(const Model& model, const Constants& constants, double h)
    : solid(constants), mass(model.mass), free_index(model.mass.size(), 0), step(h) {
  for (const Pin& pin : model.pins)
    for (const int v : pin.vertices) free_index[v] = -1;
  for (int& i : free_index)
    if (i == 0) i = free_count++;
  for (const Term& term : model.terms) {
    const Elements& e = term.elements;
    for (int i = 0; i < e.size(); ++i) {
      const auto ids = e.vertices(i);
      double k[9];
      term.elastic.at(0)->quadratic(i, h, k);
      if (e.rows() == 3 && e.corners() == 4) {
        Tet tet{{ids[0], ids[1], ids[2], ids[3]}, {}, e.measure(i), k[0]};
        for (int r = 0; r < 3; ++r)
          for (int a = 0; a < 3; ++a) tet.inverse_rest(a, r) = e.coefficients(i)[r * 4 + a + 1];
        tets.push_back(tet);
      } else if (e.rows() == 1 && e.corners() == 2) {
        const Eigen::Map<const Vector3d> a(&model.rest[3 * ids[0]]), b(&model.rest[3 * ids[1]]);
        springs.push_back({ids[0], ids[1], k[0], (b - a).norm()});
      } else {
        throw InputError("reference", "knows tets and springs only, not " + term.name);
      }
    }
  }
}

Matrix3d Problem::deformation(const Tet& tet, const VectorXd& x) const {
  Matrix3d edges;
  for (int a = 0; a < 3; ++a) edges.col(a) = x.segment<3>(3 * tet.vertex[a + 1]) - x.segment<3>(3 * tet.vertex[0]);
  return edges * tet.inverse_rest;
}

double Problem::evaluate(const VectorXd& x, VectorXd& g) const {
  double e = 0;
  g.setZero(x.size());
  for (int v = 0; v < vertices(); ++v) {
    const Vector3d gap = x.segment<3>(3 * v) - target.segment<3>(3 * v);
    const double m = mass[v] / (step * step);
    if (free_index[v] >= 0) e += 0.5 * m * gap.squaredNorm();
    g.segment<3>(3 * v) += m * gap;
  }
  for (const Tet& tet : tets) {
    Matrix3d p;
    e += tet.volume * solid.psi_and_stress(deformation(tet, x), p);
    const Matrix3d force = tet.volume * p * tet.inverse_rest.transpose();
    for (int a = 0; a < 3; ++a) {
      g.segment<3>(3 * tet.vertex[a + 1]) += force.col(a);
      g.segment<3>(3 * tet.vertex[0]) -= force.col(a);
    }
  }
  for (const Spring& s : springs) {
    const Vector3d z = x.segment<3>(3 * s.b) - x.segment<3>(3 * s.a);
    const double length = z.norm(), gap = length - s.rest_length;
    e += 0.5 * s.stiffness * gap * gap;
    const Vector3d force = s.stiffness * gap / length * z;
    g.segment<3>(3 * s.b) += force;
    g.segment<3>(3 * s.a) -= force;
  }
  for (int v = 0; v < vertices(); ++v)
    if (free_index[v] < 0) g.segment<3>(3 * v).setZero();
  return e;
}

Eigen::SparseMatrix<double> Problem::constant_hessian() const {
  std::vector<Eigen::Triplet<double>> triplets;
  const auto add = [&](int u, int v, double value) {
    if (free_index[u] >= 0 && free_index[v] >= 0) triplets.emplace_back(free_index[u], free_index[v], value);
  };
  for (int v = 0; v < vertices(); ++v) add(v, v, mass[v] / (step * step));
  for (const Tet& tet : tets) {
    Eigen::Matrix<double, 4, 3> d;
    d << -tet.inverse_rest.colwise().sum(), tet.inverse_rest;
    const Eigen::Matrix4d local = tet.volume * tet.stiffness * d * d.transpose();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) add(tet.vertex[a], tet.vertex[b], local(a, b));
  }
  for (const Spring& s : springs) {
    add(s.a, s.a, s.stiffness), add(s.b, s.b, s.stiffness);
    add(s.a, s.b, -s.stiffness), add(s.b, s.a, -s.stiffness);
  }
  Eigen::SparseMatrix<double> matrix(free_count, free_count);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

LbfgsDirection::LbfgsDirection(const Problem& problem, int history)
    : problem_(problem), history_(history), factor_(problem.constant_hessian()) {}

VectorXd LbfgsDirection::solve(const VectorXd& q) const {
  const std::vector<int>& free = problem_.free_index;
  Eigen::Matrix<double, Eigen::Dynamic, 3> packed(problem_.free_count, 3);
  for (int v = 0; v < problem_.vertices(); ++v)
    if (free[v] >= 0) packed.row(free[v]) = q.segment<3>(3 * v).transpose();
  packed = factor_.solve(packed).eval();
  VectorXd r = VectorXd::Zero(q.size());
  for (int v = 0; v < problem_.vertices(); ++v)
    if (free[v] >= 0) r.segment<3>(3 * v) = packed.row(free[v]).transpose();
  return r;
}

VectorXd LbfgsDirection::direction(const VectorXd& g) const {
  VectorXd q = -g;
  std::vector<double> zeta;
  for (const Pair& pair : pairs_) {
    zeta.push_back(pair.s.dot(q) / pair.rho);
    q -= zeta.back() * pair.t;
  }
  VectorXd r = solve(q);
  for (int i = static_cast<int>(pairs_.size()) - 1; i >= 0; --i) {
    const double eta = pairs_[i].t.dot(r) / pairs_[i].rho;
    r += pairs_[i].s * (zeta[i] - eta);
  }
  return r;
}

void LbfgsDirection::accepted(const VectorXd& s, const VectorXd& t) {
  const double rho = s.dot(t);
  if (!(rho > 1e-12 * s.norm() * t.norm())) return;
  pairs_.push_front({s, t, rho});
  if (static_cast<int>(pairs_.size()) > history_) pairs_.pop_back();
}

struct PlainSimulation::Implementation {
  const Model& model;
  Options options;
  Problem problem;
  std::optional<LbfgsDirection> lbfgs;
  std::vector<double> positions;
  VectorXd velocity;
  double time = 0;
  int evaluations = 0;

  Implementation(const Model& m, const Constants& constants, const Options& o)
      : model(m), options(o), problem(m, constants, o.step), positions(m.rest) {
    velocity = VectorXd::Zero(static_cast<Eigen::Index>(positions.size()));
    if (!o.newton) lbfgs.emplace(problem, o.history);
  }
  Eigen::Map<VectorXd> q() { return {positions.data(), static_cast<Eigen::Index>(positions.size())}; }

  // Alg. 1. A trial is evaluated with its gradient, as the published code does: no accepted point is evaluated
  // twice.
  void minimise(VectorXd& x) {
    VectorXd g, trial, trial_gradient;
    double e = problem.evaluate(x, g);
    ++evaluations;
    if (lbfgs) lbfgs->begin();
    for (int iteration = 0; iteration < options.iterations; ++iteration) {
      const VectorXd d = lbfgs ? lbfgs->direction(g) : newton_direction(problem, x, g);
      const double slope = g.dot(d);
      double alpha = 1, trial_energy = e;
      int halvings = 0;
      for (; halvings <= 40; ++halvings, alpha *= 0.5) {
        trial = x + alpha * d;
        trial_energy = problem.evaluate(trial, trial_gradient);
        ++evaluations;
        if (trial_energy <= e + 0.3 * alpha * slope) break;
      }
      if (halvings > 40) return;
      if (lbfgs) lbfgs->accepted(trial - x, trial_gradient - g);
      x.swap(trial);
      g.swap(trial_gradient);
      e = trial_energy;
    }
  }
};

PlainSimulation::PlainSimulation(const Model& model, const Constants& constants, const Options& options)
    : implementation_(std::make_unique<Implementation>(model, constants, options)) {}
PlainSimulation::~PlainSimulation() = default;

const std::vector<double>& PlainSimulation::positions() const { return implementation_->positions; }
int PlainSimulation::evaluations() const { return implementation_->evaluations; }

void PlainSimulation::set_state(const State& state) {
  implementation_->positions = state.q;
  implementation_->velocity = Eigen::Map<const VectorXd>(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  implementation_->time = state.time;
}

void PlainSimulation::step() {
  Implementation& s = *implementation_;
  const double h = s.options.step;
  const VectorXd old = s.q();
  VectorXd target = old + h * s.velocity;
  for (int v = 0; v < s.problem.vertices(); ++v)
    for (int k = 0; k < 3; ++k) target(3 * v + k) += h * h * s.model.gravity[k];
  s.time += h;
  VectorXd pinned_velocity = VectorXd::Zero(old.size());
  for (const Pin& pin : s.model.pins)
    for (std::size_t i = 0; i < pin.vertices.size(); ++i) {
      const int v = 3 * pin.vertices[i];
      pin.motion.at(s.time, &pin.start[3 * i], &target(v), &pinned_velocity(v));
    }
  s.problem.target = target;
  VectorXd x = target;
  s.minimise(x);
  s.velocity = (x - old) / h;
  for (const Pin& pin : s.model.pins)
    for (const int v : pin.vertices) s.velocity.segment<3>(3 * v) = pinned_velocity.segment<3>(3 * v);
  s.q() = x;
}

}  // namespace resilin::reference
