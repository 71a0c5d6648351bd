// A subspace by a dense matrix U, with all elements as its sample and an exact fit: what reduction must agree with.
// Plain loops.
#pragma once
#include <numeric>

#include "linear/dense_kernels.h"
#include "problem/subspace.h"

namespace resilin {

/// Row-major.
struct PlainMatrix {
  int rows = 0, columns = 0;
  std::vector<double> value =
      std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  double& operator()(int r, int c) {
    return value[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)];
  }
  double operator()(int r, int c) const {
    return value[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)];
  }
};

class MatrixSubspace final : public Subspace {
 public:
  MatrixSubspace(const Model& model, PlainMatrix u)
      : u_(std::move(u)), full_mass_(model.mass), component_(static_cast<std::size_t>(u_.columns), 0) {
    const int m = u_.columns;
    mass_ = {m, m}, factor_ = {m, m};
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < m; ++c)
        for (int v = 0; v < u_.rows; ++v)
          mass_(r, c) += u_(v, r) * full_mass_[static_cast<std::size_t>(v)] * u_(v, c);
    factor_ = mass_;  // symmetric: rows are columns
    double pivot;
    cholesky_in_place(factor_.value.data(), m, m, pivot);
    update(model, pool_);
    std::vector<double> ones(model.rest.size(), 1.0), q(3 * component_.size());
    project(ones.data(), q.data());
    for (std::size_t i = 0; i < component_.size(); ++i) one_.push_back(q[3 * i]);
  }
  std::ptrdiff_t size() const override { return 3 * static_cast<std::ptrdiff_t>(u_.columns); }
  void lift(const double* q, double* x) const override {
    for (int v = 0; v < u_.rows; ++v) lift_one(v, q, x + 3 * static_cast<std::ptrdiff_t>(v));
  }
  void lift(std::span<const int> vertices, const double* q, double* out) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l) lift_one(vertices[l], q, out + 4 * l);
  }
  void pull_back(const double* f, double* g) const override {
    std::fill_n(g, size(), 0.0);
    for (int v = 0; v < u_.rows; ++v) push(v, f + 3 * static_cast<std::ptrdiff_t>(v), g);
  }
  void pull_back(std::span<const int> vertices, const double* f, double* g) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l) push(vertices[l], f + 4 * l, g);
  }
  void weights(int vertex, std::vector<std::pair<int, double>>& out) const override {
    out.clear();
    for (int c = 0; c < u_.columns; ++c) out.emplace_back(c, u_(vertex, c));
  }
  void inertia(const double* a, double* p) const override {
    const std::vector<double> kept(a, a + size());
    for (int r = 0; r < u_.columns; ++r)
      for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int c = 0; c < u_.columns; ++c) sum += mass_(r, c) * kept[static_cast<std::size_t>(3 * c + k)];
        p[3 * r + k] = sum;
      }
  }
  void solve_inertia(const double* p, double* a) const override {
    const int m = u_.columns;
    const auto l = [&](int r, int c) { return factor_(c, r); };  // column-major
    for (int k = 0; k < 3; ++k) {
      std::vector<double> x(static_cast<std::size_t>(m));
      for (int r = 0; r < m; ++r) {
        double sum = p[3 * r + k];
        for (int c = 0; c < r; ++c) sum -= l(r, c) * x[static_cast<std::size_t>(c)];
        x[static_cast<std::size_t>(r)] = sum / l(r, r);
      }
      for (int r = m - 1; r >= 0; --r) {
        for (int c = r + 1; c < m; ++c) x[static_cast<std::size_t>(r)] -= l(c, r) * x[static_cast<std::size_t>(c)];
        x[static_cast<std::size_t>(r)] /= l(r, r);
      }
      for (int r = 0; r < m; ++r) a[3 * r + k] = x[static_cast<std::size_t>(r)];
    }
  }
  void prescribe(double, double*, double*) const override {}
  bool prescribed(std::ptrdiff_t) const override { return false; }
  std::span<const double> vertex_mass() const override { return {}; }

  void update(const Model& model, ThreadPool&) override {
    terms_ = model.terms;
    sample_.terms.assign(terms_.size(), {});
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      sample_.terms[t].elements.resize(static_cast<std::size_t>(terms_[t].elements.size()));
      std::iota(sample_.terms[t].elements.begin(), sample_.terms[t].elements.end(), 0);
      sample_.terms[t].factor.assign(sample_.terms[t].elements.size(), 1.0);
      sample_.terms[t].place = sample_.terms[t].elements;
    }
  }
  std::span<const int> row_component() const override { return component_; }
  std::span<const double> translation() const override { return one_; }
  void project(const double* x, double* q) const override {
    std::vector<double> p(x, x + 3 * full_mass_.size()), momenta(static_cast<std::size_t>(size()));
    for (std::size_t i = 0; i < p.size(); ++i) p[i] *= full_mass_[i / 3];
    pull_back(p.data(), momenta.data());
    solve_inertia(momenta.data(), q);
  }
  const SampledElements& sample() const override { return sample_; }
  void list(std::span<const int> vertices) override { listed_.assign(vertices.begin(), vertices.end()); }
  void begin_lift(const double* q) override { q_lifted_.assign(q, q + size()); }
  void lift_listed(int first, int last, double* rows) const override {
    const auto some =
        std::span(listed_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    lift(some, q_lifted_.data(), rows);
  }
  void pull_back_listed(const double* rows, double* g, ThreadPool&) const override { pull_back(listed_, rows, g); }

  SymmetricMatrix constant_matrix(double tau, Stiffness stiffness, ThreadPool&) override {
    const int m = u_.columns;
    PlainMatrix whole = mass_;
    for (double& value : whole.value) value /= tau * tau;
    q_.assign(terms_.size(), {});
    for (int t = 0; t < static_cast<int>(terms_.size()); ++t) {
      const Elements& e = terms_[static_cast<std::size_t>(t)].elements;
      for (int i = 0; i < e.size(); ++i) {
        std::array<double, 9> q{};
        stiffness(t, i, q.data());
        q_[static_cast<std::size_t>(t)].push_back(q);
        for (int a = 0; a < m; ++a)
          for (int b = 0; b < m; ++b)
            for (int r = 0; r < e.rows(); ++r)
              for (int s = 0; s < e.rows(); ++s)
                whole(a, b) += e.measure(i) * q[static_cast<std::size_t>(r * e.rows() + s)] * row_of(e, i, r, a) *
                               row_of(e, i, s, b);
      }
    }
    std::vector<int> all(static_cast<std::size_t>(m)), ends = {0, m};
    std::iota(all.begin(), all.end(), 0);
    SymmetricMatrix out(m, 1, ends, all);
    for (int r = 0; r < m; ++r)
      for (int c = 0; c <= r; ++c) out.value[static_cast<std::size_t>(out.find(r, c))] = whole(r, c);
    return out;
  }
  bool fits(int term) const override { return terms_[static_cast<std::size_t>(term)].elements.translation_free(); }
  void arrange(int term, std::span<const int> places) override {
    const auto t = static_cast<std::size_t>(term);
    places_.resize(terms_.size()), p_.resize(terms_.size());
    places_[t].assign(places.begin(), places.end());
    p_[t].resize(9 * static_cast<std::size_t>(terms_[t].elements.size()));
  }
  void take_projections(int term, int pack, const double* p) override {
    const auto t = static_cast<std::size_t>(term);
    for (int lane = 0; lane < 8; ++lane)
      if (const int place = places_[t][static_cast<std::size_t>(8 * pack + lane)]; place >= 0)
        for (int i = 0; i < 3 * terms_[t].elements.rows(); ++i)
          p_[t][static_cast<std::size_t>(9 * place + i)] = p[8 * i + lane];
  }
  void begin_fitted(double tau, const double* target, ThreadPool&) override {
    tau_ = tau, target_.assign(target, target + size());
  }
  void fitted_gradient(const double* q, double* g, ThreadPool&) override {
    for (std::ptrdiff_t i = 0; i < size(); ++i)
      g[i] = (q[i] - target_[static_cast<std::size_t>(i)]) / (tau_ * tau_);
    inertia(g, g);
    for (int t = 0; t < static_cast<int>(terms_.size()); ++t)
      if (fits(t)) add_fitted(t, q, p_[static_cast<std::size_t>(t)].data(), g);
  }

 private:
  void add_fitted(int t, const double* y, const double* p, double* g) const {
    const Elements& e = terms_[static_cast<std::size_t>(t)].elements;
    const int rows = e.rows();
    for (int i = 0; i < e.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        double gap[3] = {};
        for (int r = 0; r < rows; ++r) {
          gap[r] = -p[9 * i + 3 * r + k];
          for (int c = 0; c < u_.columns; ++c) gap[r] += row_of(e, i, r, c) * y[3 * c + k];
        }
        for (int c = 0; c < u_.columns; ++c)
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s)
              g[3 * c + k] += e.measure(i) * row_of(e, i, r, c) *
                              q_[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)]
                                [static_cast<std::size_t>(r * rows + s)] *
                              gap[s];
      }
  }
  void lift_one(int v, const double* q, double* x) const {
    for (int k = 0; k < 3; ++k) {
      x[k] = 0;
      for (int c = 0; c < u_.columns; ++c) x[k] += u_(v, c) * q[3 * c + k];
    }
  }
  void push(int v, const double* f, double* g) const {
    for (int c = 0; c < u_.columns; ++c)
      for (int k = 0; k < 3; ++k) g[3 * c + k] += u_(v, c) * f[k];
  }
  // (D_i U)_rc
  double row_of(const Elements& e, int i, int r, int c) const {
    double sum = 0;
    for (int a = 0; a < e.corners(); ++a)
      sum += e.coefficients(i)[static_cast<std::size_t>(r * e.corners() + a)] *
             u_(e.vertices(i)[static_cast<std::size_t>(a)], c);
    return sum;
  }

  ThreadPool pool_{1};
  PlainMatrix u_, mass_, factor_;
  std::vector<double> full_mass_;
  std::vector<int> component_, listed_;
  std::vector<double> one_, q_lifted_, target_;
  double tau_ = 1;
  std::vector<std::vector<int>> places_;
  std::vector<std::vector<double>> p_;
  std::vector<Term> terms_;
  SampledElements sample_;
  std::vector<std::vector<std::array<double, 9>>> q_;
};

}  // namespace resilin
