#include "reduction/reduced_subspace.h"

#include <algorithm>
#include <cmath>

#include "model/components.h"
#include "reduction/reduced_sums.h"
#include "reduction/wide_product.h"

namespace resilin {
namespace {

constexpr double same = 1e-9;  // relative difference of two stiffnesses that are one

// Of an element: sum of the diagonal of Q, sum of squares of Q.
struct Stiffness {
  double trace, square;
};

Stiffness measure(const double* q, int rows) {
  Stiffness out{0, 0};
  for (int r = 0; r < rows; ++r) out.trace += q[r * (rows + 1)];
  for (int s = 0; s < rows * rows; ++s) out.square += q[s] * q[s];
  return out;
}

class ReducedSubspace final : public Subspace {
 public:
  ReducedSubspace(std::unique_ptr<const Reduction> reduction, const Model& model, ThreadPool& pool)
      : reduction_(std::move(reduction)), positions_(reduction_->positions()), pool_(pool) {
    const std::vector<int> component = connected_components(model);
    component_.assign(static_cast<std::size_t>(positions_.rows()), 0);
    for (int a = 0; a < positions_.handles(); ++a)
      for (int k = 0; k < 4; ++k)
        if (const int row = positions_.row(a, k); row >= 0) component_[row] = component[reduction_->handles()[a]];
    mass_ = model.mass;
    inertia_ = WideProduct(positions_.mass());
    find_translation(model);
    update(model, pool);
    for (std::size_t t = 0; t < terms_.size(); ++t) note_stiffness(t);
    for (int t = 0; t < static_cast<int>(terms_.size()); ++t)
      if (fits(t)) terms_[t].product = WideProduct(stiffness_of(t));
  }

  std::ptrdiff_t size() const override { return 3 * static_cast<std::ptrdiff_t>(positions_.rows()); }
  void lift(const double* q, double* x) const override { positions_.lift(q, x, pool_); }
  void lift(std::span<const int> vertices, const double* q, double* rows) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l) {
      std::fill_n(rows + 4 * l, 3, 0.0);
      each_weight(vertices[l], [&](int row, double w) {
        for (int k = 0; k < 3; ++k) rows[4 * l + k] += w * q[3 * static_cast<std::size_t>(row) + k];
      });
    }
  }
  void pull_back(const double* force, double* g) const override { positions_.pull_back(force, g, pool_); }
  void pull_back(std::span<const int> vertices, const double* rows, double* g) const override {
    for (std::size_t l = 0; l < vertices.size(); ++l)
      each_weight(vertices[l], [&](int row, double w) {
        for (int k = 0; k < 3; ++k) g[3 * static_cast<std::size_t>(row) + k] += w * rows[4 * l + k];
      });
  }
  void weights(int vertex, std::vector<std::pair<int, double>>& out) const override {
    out.clear();
    each_weight(vertex, [&](int row, double w) { out.emplace_back(row, w); });
  }
  void inertia(const double* a, double* p) const override { inertia_.multiply(a, p, pool_); }
  void solve_inertia(const double* p, double* a) const override { positions_.solve_mass(p, a, pool_); }
  void prescribe(double, double*, double*) const override {}
  bool prescribed(std::ptrdiff_t) const override { return false; }
  std::span<const double> vertex_mass() const override { return {}; }

  // Elements stay those that they were made for; points that stand for no stiffness, such as those of obstacles, may come and go.
  void update(const Model& model, ThreadPool&) override {
    model_ = &model;
    terms_.resize(model.terms.size());
    sample_.terms.assign(model.terms.size(), {});
    std::vector<char> met(static_cast<std::size_t>(model.vertex_count()), 0);
    for (std::size_t t = 0; t < model.terms.size(); ++t)
      if (model.terms[t].elements.translation_free()) take_samples(model.terms[t].elements, t, met);
    for (std::size_t t = 0; t < model.terms.size(); ++t)
      if (!model.terms[t].elements.translation_free()) take_points(model.terms[t], t, met);
  }
  std::span<const int> row_component() const override { return component_; }
  std::span<const double> translation() const override { return translation_; }
  void project(const double* x, double* q) const override { positions_.project(mass_, x, q, pool_); }

  const SampledElements& sample() const override { return sample_; }
  void list(std::span<const int> vertices) override { listed_ = PartialLift(positions_, vertices); }
  void lift_listed(const double* q, double* rows, ThreadPool& pool) const override { listed_.lift(q, rows, pool); }
  void pull_back_listed(const double* rows, double* g, ThreadPool& pool) const override {
    listed_.add_pull_back(rows, g, pool);
  }

  SymmetricMatrix constant_matrix(double tau, Subspace::Stiffness stiffness, ThreadPool& pool) override {
    SymmetricMatrix out = reduction_->mass();
    for (double& value : out.value) value /= tau * tau;
    for (int t = 0; t < static_cast<int>(terms_.size()); ++t) {
      find_scale(t, stiffness, pool);
      const SymmetricMatrix& matrix = stiffness_of(t);
      for (std::size_t i = 0; i < matrix.value.size(); ++i) out.value[i] += terms_[t].scale * matrix.value[i];
    }
    return out;
  }

  bool fits(int term) const override {
    return term < std::ssize(reduction_->terms()) && !reduction_->terms()[term].fit.empty() && !terms_[term].unfit;
  }
  void add_fitted(int term, const double* q, const double* p, double* g, ThreadPool& pool) override {
    const double scale = terms_[term].scale;
    product_.resize(static_cast<std::size_t>(size()));
    fitted_.assign(static_cast<std::size_t>(size()), 0.0);
    terms_[term].product.multiply(q, product_.data(), pool);
    reduction_->terms()[term].fit.add(p, fitted_.data(), pool);
    for (std::size_t i = 0; i < fitted_.size(); ++i) g[i] += scale * (product_[i] - fitted_[i]);
  }

 private:
  // What a term has become since the reduction was made.
  struct Changed {
    double scale = 1;
    std::vector<resilin::Stiffness> first;       // of the elements, as precomputed
    std::unique_ptr<SymmetricMatrix> stiffness;  // in place of that of the reduction, where no scale leads to it
    WideProduct product;                         // with it
    bool unfit = false;                          // then samples are weighed, and not fitted
  };

  template <class Each>
  void each_weight(int vertex, Each&& each) const {
    const auto handles = positions_.handles_of(vertex);
    const auto weights = positions_.weights_of(vertex);
    for (std::size_t i = 0; i < handles.size(); ++i)
      for (int k = 0; k < 4; ++k)
        if (const int row = positions_.row(handles[i], k); row >= 0)
          each(row, weights[i] * positions_.function(handles[i], k, vertex));
  }

  const SymmetricMatrix& stiffness_of(int t) const {
    return terms_[t].stiffness ? *terms_[t].stiffness : reduction_->terms()[t].stiffness;
  }

  // Weights sum to one: no modes of snapshots are among them.
  bool plain() const {
    for (int v = 0; v < positions_.vertices(); ++v) {
      double sum = 0;
      for (const double w : positions_.weights_of(v)) sum += w;
      if (!(std::abs(sum - 1) < 1e-9)) return false;
    }
    return true;
  }

  void find_translation(const Model& model) {
    translation_.assign(static_cast<std::size_t>(positions_.rows()), 0.0);
    bool all = plain();
    for (int a = 0; a < positions_.handles(); ++a)
      if (const int row = positions_.row(a, 0); row >= 0) translation_[row] = 1;
      else all = false;
    if (all) return;  // weights sum to one
    const std::vector<double> ones(model.rest.size(), 1.0);
    std::vector<double> q(static_cast<std::size_t>(size()));
    project(ones.data(), q.data());
    for (std::size_t row = 0; row < translation_.size(); ++row) translation_[row] = q[3 * row];
  }

  void take_samples(const Elements& elements, std::size_t t, std::vector<char>& met) {
    const ElementSamples& samples = reduction_->terms()[t].samples;
    SampledElements::OfTerm& to = sample_.terms[t];
    std::vector<int> order(samples.element.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return samples.element[a] < samples.element[b]; });
    for (const int i : order) {
      to.elements.push_back(samples.element[i]);
      to.factor.push_back(samples.measure[i] / elements.measure(samples.element[i]));
      to.place.push_back(i);
      for (const int v : elements.vertices(samples.element[i])) met[v] = 1;
    }
  }

  // All that hold (pins); of those that stand in no constant matrix (obstacles) the vertices that are lifted anyway, each for as many.
  void take_points(const Term& term, std::size_t t, const std::vector<char>& met) {
    SampledElements::OfTerm& to = sample_.terms[t];
    double q = 0;
    for (const auto& potential : term.elastic) {
      double one[9];
      if (term.elements.size() > 0) potential->quadratic(0, 1, one), q += one[0];
    }
    int counted = 0;
    for (int i = 0; i < term.elements.size(); ++i) counted += met[term.elements.vertices(i)[0]];
    for (int i = 0; i < term.elements.size(); ++i) {
      if (q == 0 && counted > 0 && met[term.elements.vertices(i)[0]] == 0) continue;
      to.place.push_back(static_cast<int>(to.elements.size()));
      to.elements.push_back(i);
      to.factor.push_back(q == 0 && counted > 0 ? static_cast<double>(term.elements.size()) / counted : 1);
    }
  }

  // As the reduction has it.
  void note_stiffness(std::size_t t) {
    const Term& term = model_->terms[t];
    const int size = term.elements.rows() * term.elements.rows();
    for (int i = 0; i < term.elements.size(); ++i) {
      double q[9] = {}, one[9];
      for (const auto& potential : term.elastic) {
        potential->quadratic(i, 1, one);
        for (int s = 0; s < size; ++s) q[s] += one[s];
      }
      terms_[t].first.push_back(measure(q, term.elements.rows()));
    }
  }
  // How the stiffness of a term is to what it was: one number, or else its matrix and its fit are made anew.
  void find_scale(int t, Subspace::Stiffness stiffness, ThreadPool& pool) {
    const Elements& elements = model_->terms[t].elements;
    Changed& term = terms_[t];
    const int rows = elements.rows();
    double q[9];
    double scale = -1;
    bool uniform = true;
    for (int i = 0; i < elements.size() && uniform; ++i) {
      stiffness(t, i, q);
      const auto now = measure(q, rows);
      const auto& before = term.first[static_cast<std::size_t>(i)];
      if (scale < 0 && before.trace > 0) scale = now.trace / before.trace;
      uniform = std::abs(now.trace - std::max(0.0, scale) * before.trace) <= same * now.trace &&
                std::abs(now.square - scale * scale * before.square) <= same * now.square;
    }
    if (!uniform) make_anew(t, stiffness, pool), scale = 1;
    term.scale = scale < 0 ? 1 : scale;
  }
  void make_anew(int t, Subspace::Stiffness stiffness, ThreadPool& pool);

  std::unique_ptr<const Reduction> reduction_;
  const PositionSubspace& positions_;
  ThreadPool& pool_;
  const Model* model_ = nullptr;
  std::vector<int> component_;
  std::vector<double> mass_, translation_;
  SampledElements sample_;
  PartialLift listed_;
  WideProduct inertia_;
  std::vector<Changed> terms_;
  mutable std::vector<double> product_, fitted_;
};

void ReducedSubspace::make_anew(int t, Subspace::Stiffness stiffness, ThreadPool& pool) {
  const Elements& elements = model_->terms[t].elements;
  const ReducedSums sums(positions_, pool);
  const HandlePairs pairs = sums.stiffness(elements, [&](int i, double* q) { stiffness(t, i, q); });
  terms_[t].stiffness = std::make_unique<SymmetricMatrix>(reduction_->mass());  // the pattern is that of all terms
  terms_[t].stiffness->clear();
  set_values(positions_, pairs, *terms_[t].stiffness);
  terms_[t].unfit = true;
  terms_[t].first.clear();
  for (int i = 0; i < elements.size(); ++i) {
    double q[9];
    stiffness(t, i, q);
    terms_[t].first.push_back(measure(q, elements.rows()));
  }
}

}  // namespace

std::unique_ptr<Subspace> make_subspace(std::unique_ptr<const Reduction> reduction, const Model& model,
                                        ThreadPool& pool) {
  return std::make_unique<ReducedSubspace>(std::move(reduction), model, pool);
}

}  // namespace resilin
